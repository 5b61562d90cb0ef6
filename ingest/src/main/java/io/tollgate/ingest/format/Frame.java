package io.tollgate.ingest.format;

/**
 * A stretch of a file that belongs together: a record, or something between records. The frames of
 * a file follow each other without a gap, so that every byte belongs to exactly one.
 *
 * @param from first byte in the file
 * @param length number of bytes, line end included
 * @param line number of the line it begins on, from 1
 * @param kind what it is
 * @param content its bytes without the line end; of a {@link Kind#TOO_LONG} frame only the first
 *     {@link Framer#KEPT_BYTES}; empty for blanks, marks and what is pending
 */
@SuppressWarnings("ArrayRecordComponent") // Made once per record of a file; never compared.
public record Frame(long from, long length, long line, Kind kind, byte[] content) {

  /** What a frame is. */
  public enum Kind {
    /** A record, whole as far as its format's outer form goes. */
    RECORD,
    /** A record whose outer form is broken: quotes or braces not balanced, text between records. */
    TORN,
    /** A record longer than {@link Framer#MAX_RECORD_BYTES}. */
    TOO_LONG,
    /** Nothing but blanks. */
    BLANK,
    /** A byte order mark, or the end-of-file mark of old systems. */
    MARK,
    /** The end of a file that is still being written: a record without its end. */
    PENDING
  }

  /** Returns the byte after the last one. */
  public long to() {
    return from + length;
  }
}
