package io.tollgate.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AsteriskParserTest {
  private static final SourceProfile BERLIN =
      Frames.profile("asterisk", "zone", "Europe/Berlin", "country", "DE", "switch", "pbx1");

  @Test
  void shouldReadAnAnsweredCall() {
    Cdr cdr = call(BERLIN, row(Map.of()));

    assertThat(cdr.eventId()).isEqualTo("pbx1/1791172800.42:PJSIP/a-1:PJSIP/b-2");
    assertThat(cdr.accountId()).isEqualTo("acme");
    assertThat(cdr.calling()).isEqualTo("+493023125001");
    assertThat(cdr.callingOriginal()).isEqualTo("03023125001");
    assertThat(cdr.called()).isEqualTo("+447700900123");
    assertThat(Instant.ofEpochMilli(cdr.startMillis())).isEqualTo("2026-10-05T08:00:05Z");
    assertThat(cdr.utcOffsetSeconds()).isEqualTo(7200);
    assertThat(cdr.usage()).isEqualTo(61_000);
    assertThat(cdr.cause()).isEqualTo("ANSWERED");
    assertThat(cdr.attributes()).containsEntry("context", "outbound");
  }

  @Test
  void shouldTakeZeroUsageAndTheTimeOfPlacingForAnUnansweredCall() {
    Cdr cdr = call(BERLIN, row(Map.of("answer", "", "billsec", "0", "disposition", "NO ANSWER")));

    assertThat(cdr.usage()).isZero();
    assertThat(Instant.ofEpochMilli(cdr.startMillis())).isEqualTo("2026-10-05T08:00:00Z");
  }

  @Test
  void shouldTellTwoChannelsOfOneUniqueidApart() {
    Cdr answered = call(BERLIN, row(Map.of()));
    Cdr other = call(BERLIN, row(Map.of("dstchannel", "PJSIP/c-3")));

    assertThat(other.eventId()).isNotEqualTo(answered.eventId());
  }

  @Test
  void shouldPreferLinkedidAndSequence() {
    String row = row(Map.of()) + ",\"7\",\"\",\"1791172800.41\",\"12\"";

    assertThat(call(BERLIN, row).eventId()).isEqualTo("pbx1/1791172800.41:12");
  }

  @Test
  void shouldTellALoneUserfieldFromALoneUniqueid() {
    String withUserField = row(Map.of("uniqueid", "room 12"));

    assertThat(faults(BERLIN, withUserField)).anyMatch(fault -> fault.startsWith("id: ''"));
  }

  @Test
  void shouldMakeTheIdFromTheContentOnlyWhereThereIsNone() {
    SourceProfile content =
        Frames.profile("asterisk", "zone", "Europe/Berlin", "identity", "content");
    String without = row(Map.of()).replaceFirst(",\"1791172800.42\"$", "");

    Parsed.Call first = (Parsed.Call) Frames.parse(content, without + "\n").get(0);
    Parsed.Call second =
        (Parsed.Call)
            Frames.parse(content, without.replace("\"61\",\"A", "\"60\",\"A") + "\n").get(0);

    assertThat(first.idFromContent()).isTrue();
    assertThat(first.cdr().eventId()).startsWith("berlin/content:");
    assertThat(second.cdr().eventId()).isNotEqualTo(first.cdr().eventId());
    assertThat(call(content, row(Map.of())).eventId()).startsWith("berlin/1791172800.42");
  }

  @Test
  void shouldReadDeclaredColumnsOfCdrCustom() {
    SourceProfile custom =
        Frames.profile(
            "asterisk",
            "zone",
            "UTC",
            "columns",
            "clid,src,dst,dcontext,channel,dstchannel,lastapp,lastdata,start,answer,end,duration,"
                + "billsec,disposition,amaflags,accountcode,uniqueid,userfield");
    String row =
        "\"\"\"Ann \"\"\"\"A\"\" Lee\"\" <1001>\",\"1001\",\"447700900123\",\"out\",\"SIP/1\",\"\","
            + "\"Dial\",\"SIP/x,30\",\"2026-10-05 10:00:00\",\"2026-10-05 10:00:05\","
            + "\"2026-10-05 10:01:05\",\"65\",\"60\",\"ANSWERED\",\"DOCUMENTATION\",\"acme\","
            + "\"1791194400.7\",\"\"";

    assertThat(call(custom, row).accountId()).isEqualTo("acme");
  }

  @ParameterizedTest(name = "{0} = {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "accountcode || accountcode: '' (expected: the account to charge)",
        "billsec | -5 | billsec: '-5' (expected: a whole number of seconds",
        "billsec | 6.1e1 | billsec: '6.1e1' (expected: a whole number",
        "billsec | 1E3 | billsec: '1E3'",
        "duration | 99999999999999999999 | duration: '99999999999999999999'",
        "billsec | 90 | billsec: '90' (expected: at most the duration, 66)",
        "disposition | BUSY | billsec: '61' (expected: 0 for BUSY)",
        "disposition | MAYBE | disposition: 'MAYBE' (expected: one of",
        "start | 2026-13-05 10:00:00 | start: '2026-13-05 10:00:00' (expected: a date and time",
        "start | 05.10.2026 10:00 | start: '05.10.2026 10:00'",
        "end | 2026-10-05 09:00:00 | end: '2026-10-05 09:00:00' (expected: at or after the start)",
        "answer | 2026-10-05 09:00:00 | answer: '2026-10-05 09:00:00' (expected: between",
        "answer || billsec: '61' (expected: 0, because answer is empty)",
        "start | 2026-03-29 02:30:00 | start: '2026-03-29 02:30:00' (expected: a time that exists"
            + " in Europe/Berlin; clocks went from 02:00 to 03:00)",
      })
  void shouldNameTheColumnTheValueAndTheRule(String column, String value, String expected) {
    String row = row(Map.of(column, value == null ? "" : value));

    assertThat(faults(BERLIN, row)).anyMatch(fault -> fault.startsWith(expected));
  }

  @Test
  void shouldNameAllFaultsOfARowAtOnce() {
    String row = row(Map.of("accountcode", "", "billsec", "-1", "start", "never"));

    assertThat(faults(BERLIN, row)).hasSize(3);
  }

  @Test
  void shouldRefuseIdsThatAreTooLongOrHoldControlCharacters() {
    assertThat(faults(BERLIN, row(Map.of("channel", "x".repeat(10_000)))))
        .singleElement()
        .asString()
        .startsWith("eventId: 'pbx1/");
    assertThat(faults(BERLIN, row(Map.of("accountcode", "ac\u0007me"))))
        .singleElement()
        .asString()
        .contains("\\u0007");
  }

  @Test
  void shouldRefuseARowThatIsCutOff() {
    List<Parsed> parsed = Frames.parse(BERLIN, row(Map.of()) + "\n\"acme\",\"1\"\n");

    assertThat(((Parsed.BadLine) parsed.get(1)).reason())
        .isEqualTo("columns: 2 (expected: 16 to 21, from accountcode on)");
  }

  private static Cdr call(SourceProfile profile, String row) {
    return ((Parsed.Call) Frames.parse(profile, row + "\n").get(0)).cdr();
  }

  /** A good row comes first, so that the file is taken for what it is. */
  private static List<String> faults(SourceProfile profile, String row) {
    Parsed parsed = Frames.parse(profile, row(Map.of()) + "\n" + row + "\n").get(1);
    return ((Parsed.BadLine) parsed).faults();
  }

  static String row(Map<String, String> changes) {
    String[][] columns = {
      {"accountcode", "acme"},
      {"src", "03023125001"},
      {"dst", "00447700900123"},
      {"dcontext", "outbound"},
      {"clid", "\"Ann\" <1001>"},
      {"channel", "PJSIP/a-1"},
      {"dstchannel", "PJSIP/b-2"},
      {"lastapp", "Dial"},
      {"lastdata", "PJSIP/x,30"},
      {"start", "2026-10-05 10:00:00"},
      {"answer", "2026-10-05 10:00:05"},
      {"end", "2026-10-05 10:01:06"},
      {"duration", "66"},
      {"billsec", "61"},
      {"disposition", "ANSWERED"},
      {"amaflags", "DOCUMENTATION"},
      {"uniqueid", "1791172800.42"},
    };
    StringBuilder row = new StringBuilder();
    for (String[] column : columns) {
      String value = changes.getOrDefault(column[0], column[1]);
      row.append(row.length() == 0 ? "" : ",");
      row.append('"').append(value.replace("\"", "\"\"")).append('"');
    }
    return row.toString();
  }
}
