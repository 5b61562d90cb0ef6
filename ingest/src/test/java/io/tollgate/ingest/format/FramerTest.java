package io.tollgate.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FramerTest {
  private static final String[] SCRAPS = {
    "\"",
    "\"\"",
    ",",
    "\n",
    "\r\n",
    "a",
    "\"a\"",
    "\"a\nb\"",
    "{",
    "}",
    "{\"a\":1}",
    "\\",
    " ",
    "\u0000",
    "\u001a",
    "{\"x\":\"{\\\"\"}",
    "\n{",
    "1e3",
    "\u00e9"
  };

  static List<Object[]> cases() {
    List<Object[]> cases = new ArrayList<>();
    for (Format format : List.of(Format.ASTERISK, Format.FREESWITCH_JSON, Format.TOLLGATE_JSON)) {
      for (long seed = 0; seed < 100; seed++) {
        cases.add(new Object[] {format, seed});
      }
    }
    return cases;
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("cases")
  void shouldPutEveryByteIntoOneFrameWhateverTheBytes(Format format, long seed) {
    byte[] bytes = randomText(seed);

    for (boolean complete : new boolean[] {true, false}) {
      long at = 0;
      for (Frame frame : Frames.of(format, bytes, 0, bytes.length, complete)) {
        assertThat(frame.from()).isEqualTo(at);
        assertThat(frame.length()).isPositive();
        at = frame.to();
      }
      assertThat(at).isEqualTo(bytes.length);
    }
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("cases")
  void shouldNotChangeWholeFramesWhenTheFileGrows(Format format, long seed) {
    byte[] bytes = randomText(seed);
    List<String> grown = described(Frames.of(format, bytes, 0, bytes.length, false));

    for (int size = 1; size < bytes.length; size += 7) {
      List<Frame> earlier =
          Frames.of(format, bytes, 0, size, false).stream()
              .filter(frame -> frame.kind() != Frame.Kind.PENDING)
              .filter(frame -> frame.kind() != Frame.Kind.BLANK || format != Format.FREESWITCH_JSON)
              .toList();
      assertThat(grown).containsAll(described(earlier));
    }
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("cases")
  void shouldFindTheSameFramesInARangeThatEndsWithAFrame(Format format, long seed) {
    byte[] bytes = randomText(seed);
    List<Frame> all = Frames.of(format, bytes, 0, bytes.length, false);
    Random random = new Random(seed);
    int first = random.nextInt(all.size());
    int last = first + random.nextInt(all.size() - first);
    List<Frame> range =
        all.subList(first, last + 1).stream()
            .filter(frame -> frame.kind() != Frame.Kind.PENDING)
            .toList();
    if (range.isEmpty()) {
      return;
    }
    Frame end = range.get(range.size() - 1);

    List<Frame> again = Frames.of(format, bytes, (int) range.get(0).from(), (int) end.to(), true);

    assertThat(described(again)).isEqualTo(described(range));
  }

  @Test
  void shouldKeepLineEndsWithinQuotesInTheirRow() {
    List<Frame> frames = Frames.of(Format.ASTERISK, "\"a\nb\",\"c\"\"d\"\r\n\"e\"\n");

    assertThat(frames).extracting(Frame::length).containsExactly(14L, 4L);
    assertThat(text(frames.get(0))).isEqualTo("\"a\nb\",\"c\"\"d\"");
    assertThat(frames).extracting(Frame::line).containsExactly(1L, 3L);
  }

  @Test
  void shouldEndATornRowWithItsLineSoThatTheNextRowSurvives() {
    List<Frame> frames = Frames.of(Format.ASTERISK, "\"a\",\"cut of\n\"b\",\"c\"\n\"d\"\n");

    assertThat(frames)
        .extracting(Frame::kind)
        .containsExactly(Frame.Kind.TORN, Frame.Kind.RECORD, Frame.Kind.RECORD);
    assertThat(text(frames.get(1))).isEqualTo("\"b\",\"c\"");
  }

  @Test
  void shouldEndAnObjectThatWasCutOffWhereTheNextBegins() {
    List<Frame> frames =
        Frames.of(Format.FREESWITCH_JSON, "{\"a\": {\"b\": \"cu\n{\"a\":1}{\"b\":\"}\"}\n");

    assertThat(frames)
        .extracting(Frame::kind)
        .containsExactly(Frame.Kind.TORN, Frame.Kind.RECORD, Frame.Kind.RECORD, Frame.Kind.BLANK);
  }

  @Test
  void shouldTakeObjectsPrintedOverManyLinesAndEndToEnd() {
    List<Frame> frames =
        Frames.of(Format.FREESWITCH_JSON, "{\n\t\"a\":\t{\n\t\t\"b\":\t1\n\t}\n}{\"c\":2}");

    assertThat(frames)
        .extracting(Frame::kind)
        .containsExactly(Frame.Kind.RECORD, Frame.Kind.RECORD);
  }

  @Test
  void shouldLeaveALastRecordWithoutItsEndForNextTime() {
    byte[] bytes = "\"a\"\n\"b".getBytes(StandardCharsets.UTF_8);

    assertThat(Frames.of(Format.ASTERISK, bytes, 0, bytes.length, false))
        .extracting(Frame::kind)
        .containsExactly(Frame.Kind.RECORD, Frame.Kind.PENDING);
    assertThat(Frames.of(Format.ASTERISK, bytes, 0, bytes.length, true))
        .extracting(Frame::kind)
        .containsExactly(Frame.Kind.RECORD, Frame.Kind.TORN);
  }

  @Test
  void shouldNameMarksAndBlankLines() {
    List<Frame> frames = Frames.of(Format.ASTERISK, "\uFEFF\"a\"\n\n  \r\n\u001a\n");

    assertThat(frames)
        .extracting(Frame::kind)
        .containsExactly(
            Frame.Kind.MARK,
            Frame.Kind.RECORD,
            Frame.Kind.BLANK,
            Frame.Kind.BLANK,
            Frame.Kind.MARK);
  }

  @Test
  void shouldPassOverARecordThatIsTooLongAndKeepItsBeginning() {
    String tooLong = "x".repeat(3 * Framer.MAX_RECORD_BYTES);
    for (Format format : List.of(Format.ASTERISK, Format.TOLLGATE_JSON)) {
      List<Frame> frames = Frames.of(format, "a\n" + tooLong + "\nb\n");

      assertThat(frames)
          .extracting(Frame::kind)
          .containsExactly(Frame.Kind.RECORD, Frame.Kind.TOO_LONG, Frame.Kind.RECORD);
      assertThat(frames.get(1).length()).isEqualTo(tooLong.length() + 1L);
      assertThat(frames.get(1).content()).hasSize(Framer.KEPT_BYTES);
    }
  }

  @Test
  void shouldPassOverAnObjectThatIsTooLong() {
    String tooLong = "{\"a\":\"" + "x".repeat(2 * Framer.MAX_RECORD_BYTES);

    assertThat(Frames.of(Format.FREESWITCH_JSON, tooLong + "\n{\"b\":1}"))
        .extracting(Frame::kind)
        .containsExactly(Frame.Kind.TOO_LONG, Frame.Kind.RECORD);
  }

  private static List<String> described(List<Frame> frames) {
    return frames.stream()
        .map(frame -> frame.from() + "-" + frame.to() + " " + frame.kind() + " " + text(frame))
        .toList();
  }

  private static String text(Frame frame) {
    return new String(frame.content(), StandardCharsets.UTF_8);
  }

  private static byte[] randomText(long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    int scraps = 1 + random.nextInt(60);
    for (int i = 0; i < scraps; i++) {
      text.append(SCRAPS[random.nextInt(SCRAPS.length)]);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
