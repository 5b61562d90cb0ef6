package io.tollgate.rating.dedup;

import io.tollgate.domain.cdr.Cdr;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Asks the ledger for an event that keyed state cannot vouch for. Safe for one thread. */
public interface EventLookup extends AutoCloseable {

  /**
   * Looks for the identity of {@code cdr}: at its own hour, and at the hours that a wrong time zone
   * could have moved it to. Repeated until the ledger answers.
   */
  CompletionStage<Optional<StoredEvent>> find(Cdr cdr);

  @Override
  void close();

  /**
   * What the ledger holds of an event.
   *
   * @param fingerprint content that was charged
   * @param startMillis its start, UTC milliseconds
   * @param source source of the record that was charged
   * @param batch its batch
   * @param batchSeq its number in the batch
   */
  record StoredEvent(
      long fingerprint, long startMillis, String source, String batch, long batchSeq) {}
}
