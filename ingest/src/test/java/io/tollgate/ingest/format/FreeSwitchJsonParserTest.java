package io.tollgate.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreeSwitchJsonParserTest {
  private static final String CALL =
      """
      {"core-uuid": "c-1", "channel_data": {"direction": "inbound"},
       "variables": {"uuid": "u-1", "accountcode": "acme%20ltd", "start_epoch": "1791187200",
         "answer_epoch": "1791187205", "end_epoch": "1791187272", "duration": "72",
         "billsec": "68", "billmsec": "67540", "hangup_cause": "NORMAL_CLEARING"},
       "app_log": {"applications": [{"app_name": "bridge"}]},
       "callflow": [
         {"dialplan": "XML", "caller_profile": {"caller_id_number": "03023125001",
           "destination_number": "+447700900123", "context": "public"}},
         {"dialplan": "XML", "caller_profile": {"caller_id_number": "03023125001",
           "destination_number": "1000", "context": "public"}}]}
      """;
  private static final SourceProfile PROFILE =
      Frames.profile("freeswitch-json", "country", "DE", "switch", "fs1");

  @Test
  void shouldReadMillisecondsTheLatestProfileAndEncodedVariables() {
    Cdr cdr = call(CALL);

    assertThat(cdr.eventId()).isEqualTo("fs1/u-1");
    assertThat(cdr.accountId()).isEqualTo("acme ltd");
    assertThat(cdr.usage()).isEqualTo(67_540);
    assertThat(cdr.startMillis()).isEqualTo(1_791_187_205_000L);
    assertThat(cdr.calling()).isEqualTo("+493023125001");
    assertThat(cdr.called()).isEqualTo("+447700900123");
  }

  @Test
  void shouldTakeAnAnswerAtZeroForUnanswered() {
    Cdr cdr =
        call(
            CALL.replace("\"1791187205\"", "\"0\"")
                .replace("\"68\"", "0")
                .replace("\"67540\"", "0")
                .replace("NORMAL_CLEARING", "NO_ANSWER"));

    assertThat(cdr.usage()).isZero();
    assertThat(cdr.startMillis()).isEqualTo(1_791_187_200_000L);
  }

  @Test
  void shouldTakeALegWithAnOriginatorForTheBLeg() {
    String b = CALL.replace("\"uuid\"", "\"originating_leg_uuid\": \"u-0\", \"uuid\"");
    String olderB =
        CALL.replace(
            "\"destination_number\": \"+44",
            "\"originator\": {\"originator_caller_profiles\": []}, \"destination_number\": \"+44");

    assertThat(Frames.parse(PROFILE, b).get(0))
        .isEqualTo(new Parsed.NonRecord(RecordParser.OTHER_LEG));
    assertThat(Frames.parse(PROFILE, olderB).get(0))
        .isEqualTo(new Parsed.NonRecord(RecordParser.OTHER_LEG));
  }

  @Test
  void shouldNameFaultsByPath() {
    String bad = CALL.replace("\"67540\"", "6.754e4").replace("acme%20ltd", "").replace("u-1", "");
    List<Parsed> parsed = Frames.parse(PROFILE, CALL + bad);

    assertThat(((Parsed.BadLine) parsed.get(2)).faults())
        .anyMatch(fault -> fault.startsWith("variables.billmsec: '6.754e4'"))
        .anyMatch(fault -> fault.startsWith("variables.accountcode: ''"))
        .anyMatch(fault -> fault.startsWith("id: ''"));
  }

  @Test
  void shouldSayWhereJsonIsBroken() {
    List<Parsed> parsed = Frames.parse(PROFILE, CALL + "{\"variables\": {]}}\nnoise\n");

    assertThat(((Parsed.BadLine) parsed.get(2)).reason()).startsWith("JSON: ");
    assertThat(((Parsed.BadLine) parsed.get(4)).reason()).startsWith("form: ");
  }

  private static Cdr call(String document) {
    return ((Parsed.Call) Frames.parse(PROFILE, document).get(0)).cdr();
  }
}
