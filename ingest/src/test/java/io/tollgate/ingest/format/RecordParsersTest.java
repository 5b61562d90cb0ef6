package io.tollgate.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordParsersTest {
  private static final String ASTERISK_ROW = AsteriskParserTest.row(Map.of()) + "\n";
  private static final String TOLLGATE_ROW =
      "{\"eventId\":\"pbx/1\",\"accountId\":\"acme\",\"usageType\":\"VOICE\","
          + "\"start\":\"2026-10-05T10:00:00+02:00\",\"usage\":1000}\n";

  @Test
  void shouldRefuseAFileOfAnotherFormatAndSayWhich() {
    assertThatThrownBy(() -> open(profile(Format.FREESWITCH_CSV), ASTERISK_ROW))
        .hasMessageContaining("line 1: columns: 17 (expected: 15")
        .hasMessageContaining("it looks like --format asterisk");
    assertThatThrownBy(() -> open(profile(Format.ASTERISK), TOLLGATE_ROW))
        .hasMessageContaining("it looks like --format tollgate-json");
    assertThatThrownBy(() -> open(profile(Format.FREESWITCH_JSON), ASTERISK_ROW))
        .hasMessageContaining("it looks like --format asterisk");
    assertThatThrownBy(() -> open(profile(Format.ASTERISK), "just words\n"))
        .isInstanceOf(WrongFormatException.class);
  }

  @Test
  void shouldTakeAFileWithOneGoodRecordAmongBadOnes() throws WrongFormatException {
    open(profile(Format.ASTERISK), "noise\n\"\"x\n" + ASTERISK_ROW);
  }

  @Test
  void shouldRefuseWhatBreaksTheRulesOfACdr() {
    String bad =
        TOLLGATE_ROW.replace("1000", "-5")
            + TOLLGATE_ROW.replace("1000", "1e3")
            + TOLLGATE_ROW.replace("\"acme\"", "\"\"")
            + TOLLGATE_ROW.replace("\"usage\"", "\"usge\"");
    List<Parsed> parsed = Frames.parse(profile(Format.TOLLGATE_JSON), TOLLGATE_ROW + bad);

    assertThat(parsed.subList(1, 5)).allMatch(Parsed.BadLine.class::isInstance);
    assertThat(parsed.get(0)).isInstanceOf(Parsed.Call.class);
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void shouldNeverThrowWhateverTheBytes(Format format) throws WrongFormatException {
    String good =
        switch (format) {
          case ASTERISK -> ASTERISK_ROW;
          case FREESWITCH_CSV ->
              "\"A\",\"1\",\"2\",\"c\",\"2026-10-05 10:00:00\",\"\",\"2026-10-05 10:00:01\",\"1\","
                  + "\"0\",\"NO_ANSWER\",\"u\",\"\",\"acme\",\"\",\"\"\n";
          case FREESWITCH_JSON ->
              "{\"variables\":{\"uuid\":\"u\",\"start_epoch\":\"1\"},\"callflow\":[{}]}\n";
          case CUCM -> CucmParserTest.HEADERS + "1,2,3,4,5,6,7,8,9,10,11,0,13,x,0\n";
          case TOLLGATE_JSON -> TOLLGATE_ROW;
        };
    RecordParser parser =
        RecordParsers.open(profile(format), Frames.of(format, good), FreeSwitchLegs.none());
    Random random = new Random(7);
    byte[] seed = good.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    for (int round = 0; round < 3000; round++) {
      byte[] bytes = seed.clone();
      int changes = 1 + random.nextInt(8);
      for (int i = 0; i < changes; i++) {
        bytes[random.nextInt(bytes.length)] =
            (byte)
                (random.nextBoolean()
                    ? random.nextInt(256)
                    : "\"{},\n0e-".charAt(random.nextInt(8)));
      }
      for (Frame frame : Frames.of(format, bytes, 0, bytes.length, true)) {
        assertThat(parser.parse(frame)).isNotNull();
        assertThat(parser.shapeFaults(frame)).isNotNull();
      }
    }
  }

  private static void open(SourceProfile profile, String text) throws WrongFormatException {
    RecordParsers.open(profile, Frames.of(profile.format(), text), FreeSwitchLegs.none());
  }

  private static SourceProfile profile(Format format) {
    return format.needsZone()
        ? Frames.profile(format.id(), "zone", "Europe/Berlin")
        : Frames.profile(format.id());
  }
}
