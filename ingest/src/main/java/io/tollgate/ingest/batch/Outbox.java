package io.tollgate.ingest.batch;

import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.util.Map;

/** Where batches go. Used by one thread, one batch at a time. */
public interface Outbox extends AutoCloseable {
  /**
   * Makes a batch known, before any of its records.
   *
   * @throws OutboxException if it was not acknowledged in time
   */
  void announce(BatchAnnounced batch);

  /**
   * Sends a record of the batch announced last; may return before it is acknowledged.
   *
   * @throws OutboxException if this or an earlier record was not acknowledged in time
   */
  void send(OutgoingRecord outgoing);

  /**
   * Waits until every record of the batch is acknowledged; returns the last offset by partition.
   *
   * @throws OutboxException if one was not acknowledged in time
   */
  Map<Integer, Long> awaitAcknowledged();

  /**
   * Closes a batch.
   *
   * @throws OutboxException if it was not acknowledged in time
   */
  void close(ControlTotal total);

  @Override
  void close();
}
