package io.tollgate.rating.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;
import org.junit.jupiter.api.Test;

class GatedReaderTest {
  private final Numbers numbers = new Numbers();
  private final Collected output = new Collected();
  private long nowNanos;
  private final GatedReader<Integer, Split> reader =
      new GatedReader<>(numbers, new ReaderGate(() -> nowNanos));

  @Test
  void emitsNothingBeforeALease() throws Exception {
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    assertThat(reader.isAvailable()).isNotDone();
    assertThat(output.emitted).isEmpty();
    assertThat(reader.snapshotState(1)).containsExactly(new Split(0));
  }

  @Test
  void emitsWhileItHoldsALeaseAndNothingIsLostOverTheGap() throws Exception {
    CompletableFuture<Void> available = reader.isAvailable();
    reader.handleSourceEvents(new GateLease(10));
    assertThat(available).isDone();
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.MORE_AVAILABLE);
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.MORE_AVAILABLE);

    nowNanos = 10_000_000;
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    assertThat(reader.isAvailable()).isNotDone();
    assertThat(reader.snapshotState(1)).containsExactly(new Split(2));

    reader.handleSourceEvents(new GateLease(10));
    reader.pollNext(output);
    assertThat(output.emitted).containsExactly(0, 1, 2);
  }

  @Test
  void waitsForTheReaderItselfWhileOpen() {
    reader.handleSourceEvents(new GateLease(10));
    assertThat(reader.isAvailable()).isSameAs(numbers.available);
  }

  @Test
  void passesOnOtherEventsSplitsAndNotificationsWhileClosed() throws Exception {
    SourceEvent other = new SourceEvent() {};
    reader.start();
    reader.handleSourceEvents(other);
    reader.addSplits(List.of(new Split(5)));
    reader.pauseOrResumeSplits(List.of("a"), List.of("b"));
    reader.notifyCheckpointComplete(7);
    reader.notifyCheckpointAborted(8);
    reader.notifyNoMoreSplits();
    reader.close();
    assertThat(numbers.calls)
        .containsExactly(
            "start",
            other,
            List.of(new Split(5)),
            List.of("a"),
            "complete 7",
            "aborted 8",
            "no more",
            "close");
  }

  private record Split(int next) implements SourceSplit {
    @Override
    public String splitId() {
      return "split";
    }
  }

  /** Always has one more number. */
  private static final class Numbers implements SourceReader<Integer, Split> {
    private final List<Object> calls = new ArrayList<>();
    private final CompletableFuture<Void> available = new CompletableFuture<>();
    private int next;

    @Override
    public void start() {
      calls.add("start");
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Integer> output) {
      output.collect(next++);
      return InputStatus.MORE_AVAILABLE;
    }

    @Override
    public List<Split> snapshotState(long checkpointId) {
      return List.of(new Split(next));
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return available;
    }

    @Override
    public void addSplits(List<Split> splits) {
      calls.add(splits);
    }

    @Override
    public void notifyNoMoreSplits() {
      calls.add("no more");
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
      calls.add(event);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      calls.add("complete " + checkpointId);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) {
      calls.add("aborted " + checkpointId);
    }

    @Override
    public void pauseOrResumeSplits(Collection<String> toPause, Collection<String> toResume) {
      calls.add(toPause);
    }

    @Override
    public void close() {
      calls.add("close");
    }
  }

  private static final class Collected implements ReaderOutput<Integer> {
    private final List<Integer> emitted = new ArrayList<>();

    @Override
    public void collect(Integer number) {
      emitted.add(number);
    }

    @Override
    public void collect(Integer number, long timestamp) {
      emitted.add(number);
    }

    @Override
    public void emitWatermark(Watermark watermark) {}

    @Override
    public void markIdle() {}

    @Override
    public void markActive() {}

    @Override
    public SourceOutput<Integer> createOutputForSplit(String splitId) {
      return this;
    }

    @Override
    public void releaseOutputForSplit(String splitId) {}
  }
}
