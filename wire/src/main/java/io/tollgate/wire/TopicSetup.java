package io.tollgate.wire;

import io.tollgate.config.TollgateConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * The topics and the settings that the promises rest on.
 *
 * <table>
 *   <caption>Settings, and what each protects</caption>
 *   <tr><th>topic</th><th>setting</th><th>because</th></tr>
 *   <tr><td>cdr</td><td>append time</td><td>the broker's clock judges a start in the future</td></tr>
 *   <tr><td>cdr</td><td>deleted after the retention</td><td>it must outlast any outage</td></tr>
 *   <tr><td>control</td><td>kept for ever</td><td>a file sent again years later is recognized</td></tr>
 *   <tr><td>rejected, suspended</td><td>compacted</td><td>keyed by origin: repeats become one, and
 *       nothing that was not charged is ever dropped</td></tr>
 *   <tr><td>rejected, suspended</td><td>messages of up to 4 MiB</td><td>the largest record of
 *       {@code cdr} gains headers and must still fit</td></tr>
 *   <tr><td>tariffs</td><td>compacted, one partition, messages of up to 32 MiB</td><td>the history
 *       is read to its end, in order, a book at a time</td></tr>
 *   <tr><td>receipts</td><td>deleted after 90 days</td><td>read until settled</td></tr>
 * </table>
 */
public final class TopicSetup {
  private static final String FOR_EVER = "-1";
  private static final Duration RECEIPTS_KEPT = Duration.ofDays(90);

  /** Largest message of a topic that takes what could not be charged. */
  public static final int SIDE_MESSAGE_BYTES = 4 << 20;

  private static final String TARIFF_MESSAGE_BYTES = Integer.toString(32 << 20);

  private TopicSetup() {}

  /**
   * Creates the topics that do not exist yet; leaves those that do as they are.
   *
   * @return names of the topics that were created
   */
  public static List<String> create(Admin admin, TollgateConfig.Kafka kafka)
      throws ExecutionException, InterruptedException {
    Set<String> existing = admin.listTopics().names().get();
    List<String> created = new ArrayList<>();
    for (NewTopic topic : topics(kafka).values()) {
      if (existing.contains(topic.name())) {
        continue;
      }
      try {
        admin.createTopics(List.of(topic)).all().get();
        created.add(topic.name());
      } catch (ExecutionException e) {
        // Somebody else created it since we looked.
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw e;
        }
      }
    }
    return created;
  }

  private static Map<String, NewTopic> topics(TollgateConfig.Kafka kafka) {
    TollgateConfig.Topics names = kafka.topics();
    Map<String, NewTopic> topics = new TreeMap<>();
    add(
        topics,
        kafka,
        names.cdr(),
        kafka.partitions(),
        Map.of(
            TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
            "LogAppendTime",
            TopicConfig.RETENTION_MS_CONFIG,
            Long.toString(kafka.retention().toMillis())));
    add(
        topics,
        kafka,
        names.control(),
        kafka.partitions(),
        Map.of(TopicConfig.RETENTION_MS_CONFIG, FOR_EVER));
    for (String side : List.of(names.rejected(), names.suspended())) {
      add(
          topics,
          kafka,
          side,
          kafka.partitions(),
          Map.of(
              TopicConfig.CLEANUP_POLICY_CONFIG,
              TopicConfig.CLEANUP_POLICY_COMPACT,
              TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
              Integer.toString(SIDE_MESSAGE_BYTES)));
    }
    add(
        topics,
        kafka,
        names.tariffs(),
        1,
        Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.CLEANUP_POLICY_COMPACT,
            TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
            TARIFF_MESSAGE_BYTES));
    add(
        topics,
        kafka,
        names.receipts(),
        kafka.partitions(),
        Map.of(TopicConfig.RETENTION_MS_CONFIG, Long.toString(RECEIPTS_KEPT.toMillis())));
    return topics;
  }

  private static void add(
      Map<String, NewTopic> topics,
      TollgateConfig.Kafka kafka,
      String name,
      int partitions,
      Map<String, String> settings) {
    topics.put(
        name,
        new NewTopic(name, partitions, (short) kafka.replicationFactor())
            .configs(new HashMap<>(settings)));
  }
}
