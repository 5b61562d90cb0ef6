package io.tollgate.ingest.format;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads a line again that could not be made into a CDR before, by what is known of its source now:
 * after its zone, country or account column was mended, or a fault of the parser.
 */
public final class BadLines {
  private BadLines() {}

  /**
   * Returns what the line is now.
   *
   * @param profile source of the line
   * @param columns names of the columns of its file, separated by commas; empty if it had none
   * @param line the bytes of the record
   */
  public static Parsed readAgain(SourceProfile profile, String columns, byte[] line) {
    List<Frame> head =
        columns.isEmpty() ? List.of() : List.of(record(columns.getBytes(StandardCharsets.UTF_8)));
    try {
      return RecordParsers.create(profile, head, FreeSwitchLegs.none()).parse(record(line));
    } catch (WrongFormatException e) {
      return new Parsed.BadLine(List.of(String.valueOf(e.getMessage())));
    }
  }

  private static Frame record(byte[] content) {
    return new Frame(0, content.length, 1, Frame.Kind.RECORD, content);
  }
}
