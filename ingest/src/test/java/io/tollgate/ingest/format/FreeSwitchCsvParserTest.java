package io.tollgate.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreeSwitchCsvParserTest {
  private static final String A =
      row(
          "2026-10-05 10:00:00",
          "2026-10-05 10:00:05",
          "2026-10-05 10:01:06",
          66,
          61,
          "u-a",
          "u-b");
  private static final String B =
      row("2026-10-05 10:00:01", "2026-10-05 10:00:05", "2026-10-05 10:01:06", 65, 61, "u-b", "");
  private static final String ALONE =
      row("2026-10-05 10:02:00", "2026-10-05 10:02:05", "2026-10-05 10:02:15", 15, 10, "u-c", "");

  @Test
  void shouldReadAnAnsweredCall() {
    Cdr cdr = ((Parsed.Call) parse("a", A + "\n").get(0)).cdr();

    assertThat(cdr.eventId()).isEqualTo("fs1/u-a");
    assertThat(cdr.called()).isEqualTo("+447700900123");
    assertThat(Instant.ofEpochMilli(cdr.startMillis())).isEqualTo("2026-10-05T08:00:05Z");
    assertThat(cdr.usage()).isEqualTo(61_000);
    assertThat(cdr.cause()).isEqualTo("NORMAL_CLEARING");
  }

  @Test
  void shouldChargeTheLegsOfThePolicyInWhicheverOrderTheyStand() {
    for (String file : List.of(A + "\n" + B + "\n" + ALONE, B + "\n" + A + "\n" + ALONE)) {
      assertThat(charged("a", file)).containsExactlyInAnyOrder("fs1/u-a", "fs1/u-c");
      assertThat(charged("b", file)).containsExactly("fs1/u-b");
      assertThat(charged("both", file)).containsExactlyInAnyOrder("fs1/u-a", "fs1/u-b", "fs1/u-c");
    }
  }

  @Test
  void shouldNameTheLegThatIsNotCharged() {
    assertThat(parse("a", B + "\n" + A + "\n").get(0))
        .isEqualTo(new Parsed.NonRecord(RecordParser.OTHER_LEG));
  }

  @Test
  void shouldLetARowWaitWhoseOtherLegMayStillCome() throws IOException {
    String file = A + "\n" + B + "\n" + ALONE + "\n";

    assertThat(scan(file, false).undecidedFrom()).isEqualTo(A.length() + 1L + B.length() + 1);
    assertThat(scan(file, true).undecidedFrom()).isEqualTo(file.length());
    String later = row("2026-10-05 11:00:00", "", "2026-10-05 11:01:06", 66, 0, "u-x", "u-y");
    assertThat(scan(file + later + "\n", false).undecidedFrom())
        .isEqualTo(file.length() + later.length() + 1L);
  }

  @Test
  void shouldRefuseAQuoteThatIsNotDoubled() {
    String torn = A.replace("\"Ann\"", "\"Ann \"A\" Lee\"");

    assertThat(((Parsed.BadLine) parse("a", A + "\n" + torn + "\n").get(1)).reason())
        .startsWith("form: quotes");
  }

  private static List<String> charged(String legs, String file) {
    return parse(legs, file).stream()
        .filter(Parsed.Call.class::isInstance)
        .map(parsed -> ((Parsed.Call) parsed).cdr().eventId())
        .toList();
  }

  private static List<Parsed> parse(String legs, String file) {
    return Frames.parse(profile(legs), file);
  }

  private static SourceProfile profile(String legs) {
    return Frames.profile(
        "freeswitch-csv", "zone", "Europe/Berlin", "country", "DE", "switch", "fs1", "legs", legs);
  }

  private static FreeSwitchLegs scan(String file, boolean complete) throws IOException {
    byte[] bytes = file.getBytes(StandardCharsets.UTF_8);
    return FreeSwitchLegs.scan(
        profile("a"),
        () ->
            Framer.open(
                Format.FREESWITCH_CSV,
                new ByteArrayInputStream(bytes),
                0,
                1,
                bytes.length,
                complete),
        bytes.length,
        complete);
  }

  private static String row(
      String start, String answer, String end, long duration, long billsec, String uuid, String b) {
    return String.format(
        "\"Ann\",\"03023125001\",\"00447700900123\",\"default\",\"%s\",\"%s\",\"%s\",\"%d\",\"%d\","
            + "\"NORMAL_CLEARING\",\"%s\",\"%s\",\"acme\",\"PCMA\",\"PCMA\"",
        start, answer, end, duration, billsec, uuid, b);
  }
}
