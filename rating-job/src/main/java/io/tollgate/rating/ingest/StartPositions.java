package io.tollgate.rating.ingest;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a job without state starts to read: offsets resolved once, at submission, so that a restart
 * before the first checkpoint starts at the same place. A partition that came later is read from
 * its beginning. Never resets: a position that is gone stops the job instead of skipping what is
 * lost.
 */
public final class StartPositions implements OffsetsInitializer {
  private final HashMap<Integer, Long> offsetByPartition;

  /**
   * Creates the positions.
   *
   * @param offsetByPartition first offset to read, by partition
   */
  public StartPositions(Map<Integer, Long> offsetByPartition) {
    this.offsetByPartition = new HashMap<>(offsetByPartition);
  }

  @Override
  public Map<TopicPartition, Long> getPartitionOffsets(
      Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
    Set<TopicPartition> later =
        partitions.stream()
            .filter(partition -> !offsetByPartition.containsKey(partition.partition()))
            .collect(Collectors.toSet());
    Map<TopicPartition, Long> offsets =
        later.isEmpty() ? new HashMap<>() : new HashMap<>(retriever.beginningOffsets(later));
    for (TopicPartition partition : partitions) {
      Long offset = offsetByPartition.get(partition.partition());
      if (offset != null) {
        offsets.put(partition, offset);
      }
    }
    return offsets;
  }

  @Override
  @SuppressWarnings("deprecation") // Flink's interface still names Kafka's old type
  public OffsetResetStrategy getAutoOffsetResetStrategy() {
    return OffsetResetStrategy.NONE;
  }
}
