package io.tollgate.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.Cdr;
import java.util.List;
import org.junit.jupiter.api.Test;

class CucmParserTest {
  static final String HEADERS =
      "\"cdrRecordType\",\"globalCallID_callManagerId\",\"globalCallID_callId\","
          + "\"origLegCallIdentifier\",\"dateTimeOrigination\",\"callingPartyNumber\","
          + "\"origCause_value\",\"destLegIdentifier\",\"originalCalledPartyNumber\","
          + "\"finalCalledPartyNumber\",\"destCause_value\",\"dateTimeConnect\","
          + "\"dateTimeDisconnect\",\"pkid\",\"duration\"\n"
          + "INTEGER,INTEGER,INTEGER,INTEGER,INTEGER,VARCHAR(50),INTEGER,INTEGER,VARCHAR(50),"
          + "VARCHAR(50),INTEGER,INTEGER,INTEGER,UNIQUEIDENTIFIER,INTEGER\n";
  private static final String ROW =
      "1,2,1047,29654321,1791187200,\"03023125001\",0,29654322,\"1000\",\"00447700900123\",16,"
          + "1791187205,1791187265,\"a3f0-1\",60\n";
  private static final SourceProfile PROFILE =
      Frames.profile("cucm", "country", "DE", "switch", "cluster1");

  @Test
  void shouldReadColumnsByNameAndNameBothHeaders() {
    List<Parsed> parsed = Frames.parse(PROFILE, HEADERS + ROW);
    Cdr cdr = ((Parsed.Call) parsed.get(2)).cdr();

    assertThat(parsed.subList(0, 2)).containsOnly(new Parsed.NonRecord(RecordParser.HEADER));
    assertThat(cdr.eventId()).isEqualTo("cluster1/a3f0-1");
    assertThat(cdr.accountId()).isEqualTo("03023125001");
    assertThat(cdr.called()).isEqualTo("+447700900123");
    assertThat(cdr.usage()).isEqualTo(60_000);
    assertThat(cdr.startMillis()).isEqualTo(1_791_187_205_000L);
    assertThat(cdr.cause()).isEqualTo("16");
    assertThat(cdr.attributes()).containsEntry("dialled", "1000");
  }

  @Test
  void shouldTakeAConnectAtZeroForUnanswered() {
    String row = ROW.replace("1791187205", "0").replace(",60\n", ",0\n");
    Cdr cdr = ((Parsed.Call) Frames.parse(PROFILE, HEADERS + row).get(2)).cdr();

    assertThat(cdr.usage()).isZero();
    assertThat(cdr.startMillis()).isEqualTo(1_791_187_200_000L);
  }

  @Test
  void shouldUseTheCallAndItsLegsWherePkidIsEmpty() {
    String row = ROW.replace("a3f0-1", "");
    Cdr cdr = ((Parsed.Call) Frames.parse(PROFILE, HEADERS + row).get(2)).cdr();

    assertThat(cdr.eventId()).isEqualTo("cluster1/2-1047-29654321-29654322");
  }

  @Test
  void shouldTakeRepeatedHeadersOfJoinedFilesForHeaders() {
    assertThat(Frames.parse(PROFILE, HEADERS + ROW + HEADERS + ROW))
        .filteredOn(Parsed.NonRecord.class::isInstance)
        .hasSize(4);
  }

  @Test
  void shouldRefuseACmrFile() {
    String cmr =
        "\"cdrRecordType\",\"globalCallID_callId\",\"numberPacketsSent\"\nINTEGER,INTEGER\n";

    assertThatThrownBy(() -> open(cmr))
        .isInstanceOf(WrongFormatException.class)
        .hasMessageContaining("CMR file");
  }

  @Test
  void shouldNameEveryColumnThatIsMissing() {
    assertThatThrownBy(
            () -> open(HEADERS.replace("\"pkid\"", "\"key\"").replace("\"duration\"", "\"d\"")))
        .hasMessageContaining("column pkid: absent")
        .hasMessageContaining("column duration: absent");
  }

  @Test
  void shouldRefuseAFileWithoutHeaders() {
    assertThatThrownBy(() -> open(ROW)).hasMessageContaining("the column names of CUCM");
  }

  private static void open(String text) throws WrongFormatException {
    RecordParsers.open(PROFILE, Frames.of(Format.CUCM, text), FreeSwitchLegs.none());
  }
}
