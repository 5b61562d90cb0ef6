package io.tollgate.rating.gate;

import io.tollgate.source.ForwardingReader;
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
public final class GatedReader<T, SplitT extends SourceSplit> extends ForwardingReader<T, SplitT> {
  private final ReaderGate gate;

  /** Puts a gate before a reader. */
  public GatedReader(SourceReader<T, SplitT> reader, ReaderGate gate) {
    super(reader);
    this.gate = gate;
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    return gate.isOpen() ? super.pollNext(output) : InputStatus.NOTHING_AVAILABLE;
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return gate.isOpen() ? super.isAvailable() : gate.whenOpen();
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (event instanceof GateLease lease) {
      gate.hear(lease);
    } else {
      super.handleSourceEvents(event);
    }
  }
}
