package io.tollgate.source;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The committed offsets of a consumer group that has no members: its readers assign themselves. */
public final class GroupOffsets implements CommittingReader.Commits {
  private static final Duration LAST_COMMIT = Duration.ofSeconds(2);

  private final Admin admin;
  private final String group;

  /**
   * Opens a client.
   *
   * @param client properties of a Kafka client
   * @param group the consumer group
   */
  public GroupOffsets(Properties client, String group) {
    this.admin = Admin.create(client);
    this.group = group;
  }

  /**
   * Commits positions; does not wait.
   *
   * @param positions by partition, the offset of the record to be read next
   */
  @Override
  public CompletionStage<Void> commit(Map<TopicPartition, Long> positions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    positions.forEach((partition, offset) -> offsets.put(partition, new OffsetAndMetadata(offset)));
    return admin.alterConsumerGroupOffsets(group, offsets).all().toCompletionStage();
  }

  /** Closes the client; a commit under way has two seconds to arrive. */
  @Override
  public void close() {
    admin.close(LAST_COMMIT);
  }
}
