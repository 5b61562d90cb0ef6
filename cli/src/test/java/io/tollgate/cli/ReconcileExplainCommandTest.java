package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ReconcileExplainCommandTest {
  private static final String NOTHING_RUNS =
      """
      kafka: {bootstrap: '127.0.0.1:1'}
      cassandra: {contact_points: '127.0.0.1:1'}
      postgres: {url: 'jdbc:postgresql://127.0.0.1:1/none'}
      """;

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "2026-03-01, '', hour: 2026-03-01 (expected: a full hour in UTC such as 2026-03-01T09Z)",
    "2026-03-01T09, '', hour: 2026-03-01T09 (expected:",
    "2026-03-01T25Z, '', hour: 2026-03-01T25Z (expected:",
    "2026-13-01T00Z, '', hour: 2026-13-01T00Z (expected:",
    "2026-03-01T09:30:00Z, '', (expected: a full hour",
    "' ', '', BATCH|HOUR: blank",
    "b, --limit=0, --limit: 0 (expected: 1 or more)",
    "b, --records=0, --records: 0 (expected: 1 to 10000)",
    "b, --seq=5-3, --seq: batch-seqs: 5-3 (expected: numbers and ranges such as 3-5",
    "b, --timeout=0s, --timeout: PT0S (expected: 1s to 1d)",
    "2026-03-01T09Z, --seq=3, '--seq: 3 (expected: with a batch, not with an hour)'",
  })
  void shouldTellWrongUsage(String what, String option, String message) {
    List<String> arguments = new ArrayList<>(List.of("reconcile", "explain", what));
    if (!option.isEmpty()) {
      arguments.add(option);
    }

    assertThat(execute(arguments.toArray(String[]::new))).isEqualTo(2);

    assertThat(err.toString()).contains(message);
  }

  @Test
  void shouldSayWhatCouldNotBeAskedWhenNothingRuns() throws IOException {
    Path config = folder.resolve("t.yaml");
    Files.writeString(config, NOTHING_RUNS);

    int exitCode = execute("reconcile", "explain", "b", "--json", "--config", config.toString());

    JsonNode answer = new ObjectMapper().readTree(out.toString());
    assertThat(exitCode).isEqualTo(1);
    assertThat(answer.get("unavailable")).hasSize(3);
    assertThat(answer.get("unavailable").toString())
        .contains("PostgreSQL at", "of the differences only those that halted", "Kafka at")
        .contains("The ledger (its rows are not known): Cassandra does not answer");
  }

  private int execute(String... arguments) {
    CommandLine commandLine = Tollgate.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}
