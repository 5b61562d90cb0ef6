package io.tollgate.ingest.format;

import java.util.ArrayList;
import java.util.List;

/** Chooses the parser of a file, and notices a file that is of another format. */
public final class RecordParsers {
  /** How many frames of a file are looked at. */
  public static final int HEAD_FRAMES = 25;

  private RecordParsers() {}

  /**
   * Returns the parser of a file.
   *
   * @param profile source of the file
   * @param head its first frames, {@link #HEAD_FRAMES} or all
   * @param legs what the rows of the file say about each other
   * @throws WrongFormatException if not one of the records in {@code head} has the outer form of
   *     the source's format
   */
  public static RecordParser open(SourceProfile profile, List<Frame> head, FreeSwitchLegs legs)
      throws WrongFormatException {
    RecordParser parser = create(profile, head, legs);
    List<Frame> records = head.stream().filter(RecordParsers::isRecord).toList();
    List<String> firstFaults = new ArrayList<>();
    for (Frame frame : records) {
      List<String> faults = parser.shapeFaults(frame);
      if (faults.isEmpty()) {
        return parser;
      }
      if (firstFaults.isEmpty()) {
        firstFaults.addAll(faults);
      }
    }
    if (records.isEmpty()) {
      return parser;
    }
    throw new WrongFormatException(
        "line "
            + records.get(0).line()
            + ": "
            + String.join("; ", firstFaults)
            + suggestion(profile, head));
  }

  static RecordParser create(SourceProfile profile, List<Frame> head, FreeSwitchLegs legs)
      throws WrongFormatException {
    return switch (profile.format()) {
      case ASTERISK -> new AsteriskParser(profile);
      case FREESWITCH_CSV -> new FreeSwitchCsvParser(profile, legs);
      case FREESWITCH_JSON -> new FreeSwitchJsonParser(profile);
      case CUCM -> CucmParser.of(profile, head);
      case TOLLGATE_JSON -> new TollgateJsonParser();
    };
  }

  private static boolean isRecord(Frame frame) {
    return switch (frame.kind()) {
      case RECORD, TORN, TOO_LONG -> true;
      case BLANK, MARK, PENDING -> false;
    };
  }

  private static String suggestion(SourceProfile profile, List<Frame> head) {
    for (Format other : Format.values()) {
      if (other != profile.format() && looksLike(other, profile, head)) {
        return "; it looks like --format " + other.id();
      }
    }
    return "";
  }

  private static boolean looksLike(Format other, SourceProfile profile, List<Frame> head) {
    SourceProfile usual =
        new SourceProfile(
            profile.source(),
            other,
            profile.switchId(),
            profile.zone(),
            profile.country(),
            null,
            profile.legs(),
            profile.identity(),
            List.of());
    try {
      RecordParser parser =
          create(usual, head.stream().map(RecordParsers::asRecord).toList(), FreeSwitchLegs.none());
      return head.stream()
          .filter(RecordParsers::isRecord)
          .anyMatch(frame -> parser.shapeFaults(asRecord(frame)).isEmpty());
    } catch (WrongFormatException e) {
      return false;
    }
  }

  /** A record of another format looks torn to the framer of this one. */
  private static Frame asRecord(Frame frame) {
    return new Frame(
        frame.from(), frame.length(), frame.line(), Frame.Kind.RECORD, frame.content());
  }
}
