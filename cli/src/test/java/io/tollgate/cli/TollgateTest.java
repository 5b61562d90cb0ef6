package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.config.TollgateConfig;
import io.tollgate.localstack.Ports;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TollgateTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldExplainEveryCommand() {
    for (String command : Tollgate.commandLine().getSubcommands().keySet()) {
      assertThat(execute(command, "--help")).as(command).isZero();
    }
    assertThat(execute("--help")).isZero();
    assertThat(out.toString()).contains("up", "down", "status");
  }

  @Test
  void shouldTellWrongUsageFromWrongResults() {
    assertThat(execute()).isEqualTo(2);
    assertThat(execute("fly")).isEqualTo(2);
    assertThat(execute("up", "--task-managers", "many")).isEqualTo(2);
  }

  @Test
  void shouldSayThatNothingRuns() {
    assertThat(execute("down", "--data-dir", folder.toString())).isZero();
    assertThat(out.toString()).contains("Nothing runs in " + folder);

    assertThat(execute("status", "--data-dir", folder.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("kafka          stopped");
  }

  @Test
  void shouldTakeFolderAndPortsFromTheConfiguration() throws IOException {
    Path file = folder.resolve("mine.yaml");
    Files.writeString(file, "stack: {data: here, ports: {kafka: 20001}}\n");

    assertThat(execute("status", "--json", "--config", file.toString())).isEqualTo(1);

    assertThat(out.toString())
        .contains("127.0.0.1:20001")
        .contains("127.0.0.1:" + Ports.defaults().cassandra())
        .contains(folder.resolve("here").toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"savepoint", "replay", "rerate"})
  void shouldRefuseAListOfNothing(String command) {
    assertThat(execute(command, "list", "--limit", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("--limit: 0 (expected: 1 or more)");
  }

  @Test
  void shouldShowAFaultyValueWithoutAStackTrace() {
    assertThat(execute("up", "--task-managers", "0", "--data-dir", folder.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("task managers: 0 (expected: 1 to 20)")
        .doesNotContain("\tat ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "settle export --month 2026-13 | '2026-13' (expected: a month such as 2026-03",
        "settle export --month 26-03 | '26-03' (expected: a month",
        "settle export --month 2026-03 --out /nowhere/a.csv | --out: /nowhere/a.csv (expected:",
        "settle close --month 1999-12 --by ann | '1999-12' (expected: a month",
        "settle close --month 2099-01 --by ann | --month: 2099-01 (expected: a month that is over)",
        "settle close --month 2026-03 --by _ | ' ': blank (expected: words)",
        "ledger acme --month March | 'March' (expected: a month",
        "halt raise --reason _ | ' ': blank (expected: words)",
        "halt acknowledge h --resolve void --reason _ | ' ': blank (expected: words)",
        "halt acknowledge h --resolve undo --reason x | 'undo' (expected: repair, replay,",
        "halt raise --reason x --who _ | ' ': blank (expected: words)",
        "halt status --past -1 | --past: -1 (expected: 0 or more)",
        "reconcile status --limit 0 | --limit: 0 (expected: 1 or more)",
      })
  void shouldNameWhatIsWrongBeforeItAsksAnyServer(String line, String message) {
    String[] arguments = line.split(" ");
    Arrays.setAll(arguments, i -> arguments[i].equals("_") ? " " : arguments[i]);

    assertThat(execute(arguments)).isEqualTo(2);

    assertThat(err.toString()).contains(message).doesNotContain("Exception");
  }

  @Test
  void shouldHaveTheSameDefaultPortsAsTheConfiguration() {
    assertThat(StackOptions.ports(TollgateConfig.defaults().stack().ports()))
        .isEqualTo(Ports.defaults());
  }

  private int execute(String... arguments) {
    CommandLine commandLine = Tollgate.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}
