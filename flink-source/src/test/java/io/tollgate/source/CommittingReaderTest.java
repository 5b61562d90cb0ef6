package io.tollgate.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class CommittingReaderTest {
  private static final TopicPartition ZERO = new TopicPartition("cdr", 0);
  private static final TopicPartition ONE = new TopicPartition("cdr", 1);

  private final Positions positions = new Positions();
  private final Commits commits = new Commits();
  private final CommittingReader<String> reader =
      new CommittingReader<>(positions, commits, new UnregisteredMetricsGroup());

  @Test
  void commitsWhatACompleteCheckpointHoldsAndNothingLater() throws Exception {
    positions.at(ZERO, 5);
    reader.snapshotState(1);
    positions.at(ZERO, 9);
    reader.snapshotState(2);
    assertThat(commits.sent).isEmpty();

    reader.notifyCheckpointComplete(1);
    assertThat(commits.sent).containsExactly(Map.of(ZERO, 5L));
  }

  @Test
  void commitsWhileTheReaderIsNeverPolled() throws Exception {
    positions.at(ZERO, 5);
    for (long checkpoint = 1; checkpoint <= 3; checkpoint++) {
      reader.snapshotState(checkpoint);
      reader.notifyCheckpointComplete(checkpoint);
      commits.answer();
    }
    assertThat(commits.sent).hasSize(3);
    assertThat(positions.polls).isZero();
  }

  @Test
  void aNewerCheckpointStandsForThoseThatNobodyTold() throws Exception {
    positions.at(ZERO, 5);
    reader.snapshotState(1);
    positions.at(ZERO, 6);
    reader.snapshotState(2);
    reader.notifyCheckpointComplete(2);
    commits.answer();
    reader.notifyCheckpointComplete(1);
    assertThat(commits.sent).containsExactly(Map.of(ZERO, 6L));
  }

  @Test
  void leavesOutPositionsThatAreNotKnownYet() throws Exception {
    positions.at(ZERO, 5);
    positions.at(ONE, KafkaPartitionSplit.EARLIEST_OFFSET);
    reader.snapshotState(1);
    reader.notifyCheckpointComplete(1);
    assertThat(commits.sent).containsExactly(Map.of(ZERO, 5L));
  }

  @Test
  void oneCommitIsUnderWayAndTheNewestPositionsFollowIt() throws Exception {
    for (long checkpoint = 1; checkpoint <= 4; checkpoint++) {
      positions.at(ZERO, checkpoint);
      reader.snapshotState(checkpoint);
      reader.notifyCheckpointComplete(checkpoint);
    }
    assertThat(commits.sent).containsExactly(Map.of(ZERO, 1L));
    commits.answer();
    assertThat(commits.sent).containsExactly(Map.of(ZERO, 1L), Map.of(ZERO, 4L));
    commits.answer();
    assertThat(commits.sent).hasSize(2);
  }

  @Test
  void aFailedCommitIsReplacedByTheNextOne() throws Exception {
    positions.at(ZERO, 1);
    reader.snapshotState(1);
    reader.notifyCheckpointComplete(1);
    commits.fail();
    assertThat(commits.sent).hasSize(1);

    positions.at(ZERO, 2);
    reader.snapshotState(2);
    reader.notifyCheckpointComplete(2);
    assertThat(commits.sent).containsExactly(Map.of(ZERO, 1L), Map.of(ZERO, 2L));
  }

  @Test
  void closesTheClientEvenIfTheReaderDoesNotClose() {
    positions.closing = new IllegalStateException("stuck");
    assertThatThrownBy(reader::close).isSameAs(positions.closing);
    assertThat(commits.closed).isTrue();
  }

  /** Answers when told to. */
  private static final class Commits implements CommittingReader.Commits {
    private final List<Map<TopicPartition, Long>> sent = new ArrayList<>();
    private CompletableFuture<Void> answer = new CompletableFuture<>();
    private boolean closed;

    @Override
    public CompletionStage<Void> commit(Map<TopicPartition, Long> positions) {
      sent.add(positions);
      answer = new CompletableFuture<>();
      return answer;
    }

    void answer() {
      answer.complete(null);
    }

    void fail() {
      answer.completeExceptionally(new IllegalStateException("Kafka is away"));
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** Has positions and no records. */
  private static final class Positions implements SourceReader<String, KafkaPartitionSplit> {
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private int polls;
    private RuntimeException closing;

    void at(TopicPartition partition, long offset) {
      next.put(partition, offset);
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
      List<KafkaPartitionSplit> splits = new ArrayList<>();
      next.forEach((partition, offset) -> splits.add(new KafkaPartitionSplit(partition, offset)));
      return splits;
    }

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<String> output) {
      polls++;
      return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return new CompletableFuture<>();
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {}

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {
      if (closing != null) {
        throw closing;
      }
    }
  }
}
