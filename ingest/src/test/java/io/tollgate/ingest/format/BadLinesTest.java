package io.tollgate.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BadLinesTest {
  private static final String NO_ID =
      """
      "acme","023125001","00447700900123","out","Ann <023125001>","SIP/1","SIP/2","Dial","x",\
      "2026-10-06 10:00:00","2026-10-06 10:00:02","2026-10-06 10:01:02",62,60,"ANSWERED","3"\
      """;

  @Test
  void readsALineAgainAfterTheSourceWasMended() {
    byte[] line = NO_ID.getBytes(StandardCharsets.UTF_8);
    assertThat(BadLines.readAgain(source("native"), "", line)).isInstanceOf(Parsed.BadLine.class);
    assertThat(BadLines.readAgain(source("content"), "", line))
        .isInstanceOfSatisfying(
            Parsed.Call.class, call -> assertThat(call.cdr().usage()).isEqualTo(60_000));
  }

  @Test
  void namesWhatIsStillWrong() {
    byte[] line = "no,such,line".getBytes(StandardCharsets.UTF_8);
    assertThat(BadLines.readAgain(source("native"), "", line))
        .isInstanceOfSatisfying(
            Parsed.BadLine.class, bad -> assertThat(bad.reason()).contains("columns: 3"));
  }

  @Test
  void needsTheColumnsOfAFormatThatNamesThem() {
    SourceProfile cucm = SourceOptions.of("cucm-1", "cucm", null).toProfile();
    assertThat(BadLines.readAgain(cucm, "", new byte[] {'1'})).isInstanceOf(Parsed.BadLine.class);
  }

  private static SourceProfile source(String identity) {
    return new SourceOptions(
            "pbx", "asterisk", "pbx", "Europe/Berlin", "DE", null, null, identity, null)
        .toProfile();
  }
}
