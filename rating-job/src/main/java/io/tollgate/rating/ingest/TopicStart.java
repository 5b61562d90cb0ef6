package io.tollgate.rating.ingest;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Where a job without state would start on the topic, resolved once at submission.
 *
 * @param offsetByPartition first offset to read
 * @param birthMillis largest append time at these offsets: what was appended before has not been
 *     seen; {@link Long#MIN_VALUE} if the topic holds nothing and never did
 */
public record TopicStart(Map<Integer, Long> offsetByPartition, long birthMillis) {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** Where to start without state. */
  public enum From {
    /** At the oldest record that the topic holds. */
    EARLIEST,
    /** Where the consumer group was; at the oldest record where it has no position. */
    COMMITTED
  }

  /**
   * Resolves the start.
   *
   * @param client properties of a Kafka client
   * @param clock for a partition whose records are all gone: how old they were is not known
   * @throws KafkaUnreadyException if Kafka does not answer, or the topic is missing or unsuitable
   */
  public static TopicStart resolve(
      Properties client, String topic, String group, From from, InstantSource clock)
      throws InterruptedException {
    Properties properties = new Properties();
    properties.putAll(client);
    properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, "15000");
    properties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
    try (Admin admin = Admin.create(properties)) {
      List<TopicPartition> partitions = partitions(admin, topic);
      requireAppendTime(admin, topic);
      Map<TopicPartition, Long> earliest = offsets(admin, partitions, OffsetSpec.earliest());
      Map<TopicPartition, Long> latest = offsets(admin, partitions, OffsetSpec.latest());
      Map<TopicPartition, Long> start = new HashMap<>(earliest);
      if (from == From.COMMITTED) {
        start.putAll(committed(admin, group, partitions));
      }
      long birth = birth(properties, start, latest, clock);
      Map<Integer, Long> byPartition = new TreeMap<>();
      start.forEach((partition, offset) -> byPartition.put(partition.partition(), offset));
      return new TopicStart(byPartition, birth);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw new KafkaUnreadyException(
            "Kafka topic " + topic + ": missing (create the topics with: ./tollgate up)", e);
      }
      throw unreachable(client, e);
    } catch (TimeoutException e) {
      throw unreachable(client, e);
    }
  }

  private static List<TopicPartition> partitions(Admin admin, String topic)
      throws ExecutionException, InterruptedException, TimeoutException {
    Map<String, TopicDescription> described =
        admin
            .describeTopics(List.of(topic))
            .allTopicNames()
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return described.values().stream()
        .flatMap(description -> description.partitions().stream())
        .map(partition -> new TopicPartition(topic, partition.partition()))
        .toList();
  }

  /**
   * A start in the future is judged by the broker's clock; a producer's own clock proves nothing.
   */
  private static void requireAppendTime(Admin admin, String topic)
      throws ExecutionException, InterruptedException, TimeoutException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Collection<Config> described =
        admin
            .describeConfigs(List.of(resource))
            .all()
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .values();
    for (Config config : described) {
      String type = config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).value();
      if (type.equals("LogAppendTime")) {
        continue;
      }
      throw new KafkaUnreadyException(
          "Kafka topic "
              + topic
              + ": message.timestamp.type: "
              + type
              + " (expected: LogAppendTime, or the age of records is not known)",
          null);
    }
  }

  private static Map<TopicPartition, Long> offsets(
      Admin admin, List<TopicPartition> partitions, OffsetSpec spec)
      throws ExecutionException, InterruptedException, TimeoutException {
    return admin
        .listOffsets(partitions.stream().collect(Collectors.toMap(p -> p, p -> spec)))
        .all()
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().offset()));
  }

  private static Map<TopicPartition, Long> committed(
      Admin admin, String group, List<TopicPartition> partitions)
      throws ExecutionException, InterruptedException, TimeoutException {
    Map<TopicPartition, OffsetAndMetadata> positions =
        admin
            .listConsumerGroupOffsets(group)
            .partitionsToOffsetAndMetadata()
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    Map<TopicPartition, Long> committed = new HashMap<>();
    for (TopicPartition partition : partitions) {
      OffsetAndMetadata position = positions.get(partition);
      if (position != null) {
        committed.put(partition, position.offset());
      }
    }
    return committed;
  }

  private static long birth(
      Properties client,
      Map<TopicPartition, Long> start,
      Map<TopicPartition, Long> latest,
      InstantSource clock) {
    Properties properties = new Properties();
    properties.putAll(client);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "1");
    long birth = Long.MIN_VALUE;
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      for (Map.Entry<TopicPartition, Long> entry : start.entrySet()) {
        TopicPartition partition = entry.getKey();
        long offset = entry.getValue();
        if (offset >= latest.getOrDefault(partition, 0L)) {
          if (offset > 0) {
            birth = Math.max(birth, clock.millis());
          }
          continue;
        }
        consumer.assign(List.of(partition));
        consumer.seek(partition, offset);
        List<ConsumerRecord<byte[], byte[]>> first = consumer.poll(PATIENCE).records(partition);
        birth = Math.max(birth, first.isEmpty() ? clock.millis() : first.get(0).timestamp());
      }
    }
    return birth;
  }

  private static KafkaUnreadyException unreachable(Properties client, Exception cause) {
    return new KafkaUnreadyException(
        "Kafka: no answer from "
            + client.getProperty(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG)
            + " within "
            + PATIENCE.toSeconds()
            + " s (kafka.bootstrap in tollgate.yaml; start the local stack with: ./tollgate up)",
        cause);
  }

  /** Kafka does not answer, or the topic is not as it must be. */
  public static final class KafkaUnreadyException extends IllegalStateException {
    KafkaUnreadyException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
