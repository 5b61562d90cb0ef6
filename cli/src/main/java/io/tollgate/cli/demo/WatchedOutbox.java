package io.tollgate.cli.demo;

import io.tollgate.ingest.batch.Outbox;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Passes batches on and tells the reference what was sent. */
public final class WatchedOutbox implements Outbox {
  private final Outbox outbox;
  private final ReferenceRating reference;
  private final InstantSource clock;
  private final List<ControlTotal> totals = new ArrayList<>();
  private String source = "";
  private String batch = "";

  /** Creates the outbox. */
  public WatchedOutbox(Outbox outbox, ReferenceRating reference, InstantSource clock) {
    this.outbox = outbox;
    this.reference = reference;
    this.clock = clock;
  }

  /** Returns the control totals of the batches that were closed. */
  public List<ControlTotal> totals() {
    return List.copyOf(totals);
  }

  @Override
  public void announce(BatchAnnounced announced) {
    outbox.announce(announced);
    source = announced.source();
    batch = announced.batch();
  }

  @Override
  public void send(OutgoingRecord outgoing) {
    outbox.send(outgoing);
    reference.add(source, batch, outgoing, clock.millis());
  }

  @Override
  public Map<Integer, Long> awaitAcknowledged() {
    return outbox.awaitAcknowledged();
  }

  @Override
  public void close(ControlTotal total) {
    outbox.close(total);
    totals.add(total);
  }

  @Override
  public void close() {
    outbox.close();
  }
}
