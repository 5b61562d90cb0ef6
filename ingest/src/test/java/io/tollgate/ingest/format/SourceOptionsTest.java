package io.tollgate.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class SourceOptionsTest {
  @Test
  void shouldNameEveryFaultAtOnce() {
    SourceOptions options =
        new SourceOptions("a b", "asterix", "x/y", "Berlin", "Germany", null, "c", "maybe", "a,,a");

    assertThatThrownBy(options::toProfile)
        .hasMessageContaining("source: 'a b' (expected:")
        .hasMessageContaining("format: 'asterix' (expected: one of asterisk, freeswitch-csv")
        .hasMessageContaining("switch: 'x/y'")
        .hasMessageContaining("zone: 'Berlin'")
        .hasMessageContaining("did you mean Europe/Berlin?")
        .hasMessageContaining("country: 'Germany'")
        .hasMessageContaining("legs: 'c' (expected: one of a, b, both)")
        .hasMessageContaining("identity: 'maybe' (expected: one of native, content)")
        .hasMessageContaining("columns: 'a,,a'");
  }

  @Test
  void shouldAskForTheZoneOfLocalTimes() {
    assertThatThrownBy(() -> SourceOptions.of("pbx", "asterisk", null).toProfile())
        .hasMessageContaining("zone: not given (expected for format asterisk");
    assertThat(SourceOptions.of("pbx", "cucm", null).toProfile().zone()).isEqualTo(ZoneOffset.UTC);
  }

  @Test
  void shouldTakeTheSourceForTheSwitchAndTheCommandLineBeforeTheFile() {
    SourceOptions commandLine = SourceOptions.of("pbx", "asterisk", null);
    SourceOptions file =
        new SourceOptions(null, "cucm", null, "UTC", "DE", null, "both", null, null);

    SourceProfile profile = commandLine.orElse(file).toProfile();

    assertThat(profile.format()).isEqualTo(Format.ASTERISK);
    assertThat(profile.switchId()).isEqualTo("pbx");
    assertThat(profile.legs()).isEqualTo(LegPolicy.BOTH);
  }
}
