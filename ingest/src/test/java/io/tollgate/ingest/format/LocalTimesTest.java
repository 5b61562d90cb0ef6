package io.tollgate.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In Berlin the hour from 2:00 stands twice on 2026-10-25: until 1:00 UTC and again after. */
class LocalTimesTest {
  private static final SourceProfile BERLIN =
      Frames.profile("asterisk", "zone", "Europe/Berlin", "columns", columns());

  @ParameterizedTest(name = "start {0}, end {1}, duration {2}, made {3}: {4}")
  @CsvSource({
    // Once in the zone.
    "01:59:00, 01:59:30,   30, '',        2026-10-24T23:59:00Z",
    "03:00:00, 03:00:30,   30, '',        2026-10-25T02:00:00Z",
    // The end stands once, so only one beginning lasts as long as the duration says.
    "02:59:00, 03:01:00,  120, '',        2026-10-25T01:59:00Z",
    "02:59:00, 03:01:00, 3720, '',        2026-10-25T00:59:00Z",
    // Both stand twice, but the clock was put back in between.
    "02:59:00, 02:01:00,  120, '',        2026-10-25T00:59:00Z",
    // Only the id of the switch tells.
    "02:30:00, 02:31:00,   60, 1792888200, 2026-10-25T00:30:00Z",
    "02:30:00, 02:31:00,   60, 1792891800, 2026-10-25T01:30:00Z",
    // Nothing tells, or the id is from another day: the first.
    "02:30:00, 02:31:00,   60, '',        2026-10-25T00:30:00Z",
    "02:30:00, 02:31:00,   60, 1792000000, 2026-10-25T00:30:00Z",
  })
  void shouldChooseTheInstantOfAStampByTheTable(
      String start, String end, long duration, String madeSeconds, String expected) {
    String id = madeSeconds.isEmpty() ? "call" : madeSeconds + ".17";
    String row =
        String.format(
            "acme,1,2,2026-10-25 %s,,2026-10-25 %s,%d,0,NO ANSWER,%s", start, end, duration, id);

    Parsed.Call call = (Parsed.Call) Frames.parse(BERLIN, row + "\n").get(0);

    assertThat(Instant.ofEpochMilli(call.cdr().startMillis())).isEqualTo(expected);
  }

  @Test
  void shouldFindTheAnswerBeforeTheEndByTheBillableSeconds() {
    String row =
        "acme,1,2,2026-10-25 02:58:00,2026-10-25 02:00:30,2026-10-25 02:01:00,180,30,ANSWERED,x";

    Parsed.Call call = (Parsed.Call) Frames.parse(BERLIN, row + "\n").get(0);

    assertThat(Instant.ofEpochMilli(call.cdr().startMillis())).isEqualTo("2026-10-25T01:00:30Z");
    assertThat(call.cdr().utcOffsetSeconds()).isEqualTo(3600);
  }

  @Test
  void shouldLeaveNoMarkOfTheChoiceInTheContent() {
    String local = "acme,1,2,2026-10-25 02:30:00,,2026-10-25 02:31:00,60,0,NO ANSWER,1792891800.1";
    String utc = "acme,1,2,2026-10-25 01:30:00,,2026-10-25 01:31:00,60,0,NO ANSWER,1792891800.1";
    SourceProfile inUtc = Frames.profile("asterisk", "zone", "UTC", "columns", columns());

    assertThat(content(BERLIN, local)).isEqualTo(content(inUtc, utc));
  }

  private static List<Object> content(SourceProfile profile, String row) {
    Parsed.Call call = (Parsed.Call) Frames.parse(profile, row + "\n").get(0);
    return List.of(
        call.cdr().eventId(),
        io.tollgate.domain.cdr.ContentFingerprint.of(call.cdr()),
        Map.copyOf(call.cdr().attributes()));
  }

  private static String columns() {
    return "accountcode,src,dst,start,answer,end,duration,billsec,disposition,uniqueid";
  }
}
