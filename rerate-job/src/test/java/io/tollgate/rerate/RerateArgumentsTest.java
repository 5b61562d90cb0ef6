package io.tollgate.rerate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RerateArgumentsTest {
  @Test
  void takesAllArguments() {
    RerateArguments arguments =
        RerateArguments.parse(
            "--hours",
            "2026-10-05T13Z..2026-10-05T18Z",
            "--reason",
            "why",
            "--account",
            "a",
            "--account",
            "b",
            "--correction",
            "7",
            "--dry-run",
            "--by",
            "ann",
            "--run",
            "r",
            "--patience",
            "9",
            "--config",
            "t.yaml");
    assertThat(arguments.hours().lastHour() - arguments.hours().firstHour()).isEqualTo(5);
    assertThat(arguments.accounts()).containsExactly("a", "b");
    assertThat(arguments.correction()).hasValue(7);
    assertThat(arguments.dryRun()).isTrue();
    assertThat(arguments.by()).isEqualTo("ann");
    assertThat(arguments.run()).isEqualTo("r");
    assertThat(arguments.patience()).isEqualTo(Duration.ofSeconds(9));
    assertThat(arguments.config()).hasToString("t.yaml");
  }

  @Test
  void oneHourIsASpan() {
    RerateArguments arguments =
        RerateArguments.parse("--hours", "2026-10-05T13Z", "--reason", "why");
    assertThat(arguments.hours().firstHour()).isEqualTo(arguments.hours().lastHour());
    assertThat(arguments.correction()).isEmpty();
    assertThat(arguments.accounts()).isEmpty();
  }

  @Test
  void namesEveryArgumentThatIsWrong() {
    assertThatThrownBy(
            () ->
                RerateArguments.parse(
                    "--hours",
                    "2026-10-06T13Z..2026-10-05T13Z",
                    "--colour",
                    "--correction",
                    "zero",
                    "--account",
                    " ",
                    "--by"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "--hours: 2026-10-06T13Z..2026-10-05T13Z (expected: FIRST..LAST",
            "--colour: unknown argument",
            "--correction: zero (expected: a number from 1)",
            "--account: blank",
            "--by: value missing",
            "--reason: missing",
            "Usage: flink run rerate-job.jar");
    assertThatThrownBy(() -> RerateArguments.parse("--reason", "why", "--hours", "yesterday"))
        .hasMessageContaining("--hours: hour: yesterday (expected: an hour in UTC");
    assertThatThrownBy(RerateArguments::parse)
        .hasMessageContainingAll("--hours: missing", "--reason: missing");
  }

  @Test
  void helpNeedsNothingElse() {
    assertThat(RerateArguments.parse("--help").help()).isTrue();
  }
}
