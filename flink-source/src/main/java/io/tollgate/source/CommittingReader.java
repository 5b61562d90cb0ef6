package io.tollgate.source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the positions of a checkpoint as soon as it is complete. One commit is under way at a
 * time, and the newest positions follow it, so that an older commit never overtakes a newer one. A
 * commit that fails is not repeated: the next checkpoint's replaces it.
 */
@SuppressWarnings("try") // Flink's interface lets close() throw anything
final class CommittingReader<T> extends ForwardingReader<T, KafkaPartitionSplit> {
  private static final Logger LOG = LoggerFactory.getLogger(CommittingReader.class);

  private final Commits commits;
  private final Counter succeeded;
  private final Counter failed;
  private final NavigableMap<Long, Map<TopicPartition, Long>> byCheckpoint = new TreeMap<>();

  /** Guarded by this: answers come on the client's thread. */
  private boolean underWay;

  private @Nullable Map<TopicPartition, Long> next;
  private boolean failing;

  /** Where positions are committed. */
  interface Commits extends AutoCloseable {
    CompletionStage<Void> commit(Map<TopicPartition, Long> positions);

    @Override
    void close();
  }

  CommittingReader(
      SourceReader<T, KafkaPartitionSplit> reader, Commits commits, MetricGroup metrics) {
    super(reader);
    this.commits = commits;
    this.succeeded = metrics.counter("commitsSucceeded");
    this.failed = metrics.counter("commitsFailed");
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    List<KafkaPartitionSplit> splits = super.snapshotState(checkpointId);
    Map<TopicPartition, Long> positions = new HashMap<>();
    for (KafkaPartitionSplit split : splits) {
      // Negative: a mark that stands for the beginning or the end, not resolved yet.
      if (split.getStartingOffset() >= 0) {
        positions.put(split.getTopicPartition(), split.getStartingOffset());
      }
    }
    byCheckpoint.put(checkpointId, positions);
    return splits;
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    Map<TopicPartition, Long> positions = byCheckpoint.get(checkpointId);
    byCheckpoint.headMap(checkpointId, true).clear();
    if (positions != null && !positions.isEmpty()) {
      commit(positions);
    }
  }

  private synchronized void commit(Map<TopicPartition, Long> positions) {
    next = positions;
    commitNext();
  }

  private synchronized void commitNext() {
    Map<TopicPartition, Long> positions = next;
    if (underWay || positions == null) {
      return;
    }
    next = null;
    underWay = true;
    commits.commit(positions).whenComplete((nothing, failure) -> answered(failure));
  }

  private synchronized void answered(@Nullable Throwable failure) {
    underWay = false;
    if (failure == null) {
      succeeded.inc();
      failing = false;
    } else {
      failed.inc();
      if (!failing) {
        failing = true;
        LOG.warn(
            "Positions could not be committed. The next checkpoint's will be; until then"
                + " reconciliation cannot tell what has been done, and waits. Check that Kafka is"
                + " reachable from the TaskManagers.",
            failure);
      }
    }
    commitNext();
  }

  @Override
  public void close() throws Exception {
    try {
      super.close();
    } finally {
      commits.close();
    }
  }
}
