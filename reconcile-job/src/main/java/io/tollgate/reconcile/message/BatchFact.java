package io.tollgate.reconcile.message;

/**
 * Something that became known about a batch.
 *
 * @param source declared id of the source; empty for records without batch headers
 * @param batch id of the batch
 * @param kind what it is
 * @param payload what became known, encoded as the kind says
 */
@SuppressWarnings("ArrayRecordComponent") // bytes pass through; facts are never compared
public record BatchFact(String source, String batch, Kind kind, byte[] payload) {
  /** What a fact is. */
  public enum Kind {
    /** An announcement or a control total, as JSON. */
    CONTROL,
    /** A receipt of the rating job, in Avro. */
    RECEIPT,
    /** A record that lies on a side topic: {@link Evidence}. */
    EVIDENCE,
    /** Rows of the batch in one partition of the ledger: {@link Piece}. */
    PIECE
  }

  /** Returns the key under which everything about a batch meets. Ids hold no control characters. */
  public String key() {
    return source + "\n" + batch;
  }
}
