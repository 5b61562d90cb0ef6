package io.tollgate.ingest.format;

import java.util.List;

/** Reads the records of one file. Never throws, whatever the bytes. */
public interface RecordParser {
  /** Name of a non-record: a row of the leg that the source's policy does not charge. */
  String OTHER_LEG = "leg not charged by policy";

  /** Name of a non-record: a line with the names or types of columns. */
  String HEADER = "header";

  /** Name of a non-record: nothing but blanks. */
  String BLANK = "blank";

  /** Name of a non-record: a byte order mark or end-of-file mark. */
  String MARK = "mark";

  /** Returns what {@code frame} is. */
  Parsed parse(Frame frame);

  /** Returns the names of the columns, separated by commas; empty if the format has none. */
  String columns();

  /**
   * Returns what is wrong with the outer form of a record, empty if it has this format's: enough to
   * notice a file of another format before any of it is sent.
   */
  List<String> shapeFaults(Frame frame);

  /** Returns what a frame is that is no whole record, or reads the record. */
  static Parsed parseKind(Frame frame, RecordReader record) {
    return switch (frame.kind()) {
      case RECORD -> record.read(frame.content());
      case TORN ->
          new Parsed.BadLine(
              List.of("form: quotes or braces not balanced (expected: a whole record)"));
      case TOO_LONG ->
          new Parsed.BadLine(
              List.of(
                  "length: "
                      + frame.length()
                      + " bytes (expected: at most "
                      + Framer.MAX_RECORD_BYTES
                      + "; the first "
                      + Framer.KEPT_BYTES
                      + " are kept)"));
      case BLANK -> new Parsed.NonRecord(BLANK);
      case MARK -> new Parsed.NonRecord(MARK);
      case PENDING -> throw new IllegalArgumentException("a pending frame is never parsed");
    };
  }

  /** Reads a record that is whole. */
  interface RecordReader {
    /** Returns what the record is. */
    Parsed read(byte[] content);
  }
}
