package io.tollgate.rating.gate;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/**
 * A reader that emits only while its gate is open. A closed one reports that nothing is available,
 * with a future that a lease completes: the task sleeps, yet takes barriers, events and
 * notifications. What it has fetched stays with it and is not part of any position, so offsets are
 * committed up to what was emitted and no further.
 */
@SuppressWarnings("try") // Flink's interface lets close() throw anything
public final class GatedReader<T, SplitT extends SourceSplit> implements SourceReader<T, SplitT> {
  private final SourceReader<T, SplitT> reader;
  private final ReaderGate gate;

  /** Puts a gate before a reader. */
  public GatedReader(SourceReader<T, SplitT> reader, ReaderGate gate) {
    this.reader = reader;
    this.gate = gate;
  }

  @Override
  public void start() {
    reader.start();
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    return gate.isOpen() ? reader.pollNext(output) : InputStatus.NOTHING_AVAILABLE;
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return gate.isOpen() ? reader.isAvailable() : gate.whenOpen();
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (event instanceof GateLease lease) {
      gate.hear(lease);
    } else {
      reader.handleSourceEvents(event);
    }
  }

  @Override
  public List<SplitT> snapshotState(long checkpointId) {
    return reader.snapshotState(checkpointId);
  }

  @Override
  public void addSplits(List<SplitT> splits) {
    reader.addSplits(splits);
  }

  @Override
  public void notifyNoMoreSplits() {
    reader.notifyNoMoreSplits();
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    reader.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    reader.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void pauseOrResumeSplits(Collection<String> toPause, Collection<String> toResume) {
    reader.pauseOrResumeSplits(toPause, toResume);
  }

  @Override
  public void close() throws Exception {
    reader.close();
  }
}
