package io.tollgate.ingest.format;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Frames and parsed records of texts, for tests. */
final class Frames {
  private Frames() {}

  static List<Frame> of(Format format, byte[] bytes, int from, int to, boolean complete) {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    in.skip(from);
    Framer framer = Framer.open(format, in, from, 1, to, complete);
    List<Frame> frames = new ArrayList<>();
    try {
      for (Frame frame = framer.next(); frame != null; frame = framer.next()) {
        frames.add(frame);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return frames;
  }

  static List<Frame> of(Format format, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return of(format, bytes, 0, bytes.length, true);
  }

  static List<Parsed> parse(SourceProfile profile, String text) {
    List<Frame> frames = of(profile.format(), text);
    try {
      RecordParser parser = RecordParsers.open(profile, frames, legs(profile, text));
      return frames.stream().map(parser::parse).toList();
    } catch (WrongFormatException e) {
      throw new AssertionError(e);
    }
  }

  static FreeSwitchLegs legs(SourceProfile profile, String text) {
    if (!FreeSwitchLegs.areNeededFor(profile)) {
      return FreeSwitchLegs.none();
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      return FreeSwitchLegs.scan(
          profile,
          () ->
              Framer.open(
                  profile.format(), new ByteArrayInputStream(bytes), 0, 1, bytes.length, true),
          bytes.length,
          true);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static SourceProfile profile(String format, String... more) {
    SourceOptions options =
        new SourceOptions(
            "berlin",
            format,
            value("switch", more),
            value("zone", more),
            value("country", more),
            value("account", more),
            value("legs", more),
            value("identity", more),
            value("columns", more));
    return options.toProfile();
  }

  private static String value(String name, String... pairs) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(name)) {
        return pairs[i + 1];
      }
    }
    return null;
  }
}
