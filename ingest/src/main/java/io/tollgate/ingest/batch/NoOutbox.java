package io.tollgate.ingest.batch;

import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.util.Map;

/** Sends nothing: a dry run reads and checks files only. */
public final class NoOutbox implements Outbox {
  @Override
  public void announce(BatchAnnounced batch) {}

  @Override
  public void send(OutgoingRecord outgoing) {}

  @Override
  public Map<Integer, Long> awaitAcknowledged() {
    return Map.of();
  }

  @Override
  public void close(ControlTotal total) {}

  @Override
  public void close() {}
}
