package io.tollgate.ingest.batch;

/**
 * A range of a file that is one batch.
 *
 * @param id see {@link BatchId}
 * @param from first byte
 * @param to byte after the last one
 * @param line number of the line it begins on, from 1
 * @param state what is known of it
 */
public record PlannedBatch(String id, long from, long to, long line, State state) {

  /** What {@code cdr.control} knows of a batch. */
  public enum State {
    /** Nothing. */
    NEW,
    /** It was announced, and its sender ended before it could close it. */
    ANNOUNCED,
    /** It has a control total. */
    CLOSED
  }

  /** Returns the number of bytes. */
  public long length() {
    return to - from;
  }
}
