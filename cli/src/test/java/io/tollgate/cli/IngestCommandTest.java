package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class IngestCommandTest {
  private static final String SAMPLES = Path.of("..", "samples").toString();

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldReadASampleByTheSourceOfTheConfiguration() {
    int exitCode =
        execute(
            "ingest",
            "--dry-run",
            "--complete",
            "--config",
            SAMPLES + "/sources.yaml",
            "--source",
            "pbx-berlin",
            SAMPLES + "/asterisk/Master.csv",
            folder.resolve("absent.csv").toString(),
            SAMPLES + "/asterisk/collector-2/Master.csv");

    assertThat(exitCode).isEqualTo(1);
    assertThat(out.toString())
        .contains("dry run, nothing sent")
        .containsPattern("Master\\.csv +47 +16 +0 +3 +0 B")
        .contains("refused: not found")
        .containsPattern("\nall +53 +16 ")
        .contains("rejected Master.csv:32: billsec: '-61' (expected: a whole number of seconds")
        .contains("and 11 more")
        .contains("no record: blank, 3 x,");
  }

  @Test
  void shouldPrintJsonForPrograms() throws IOException {
    int exitCode =
        execute(
            "ingest",
            "--dry-run",
            "--json",
            "--complete",
            "--format",
            "asterisk",
            "--zone",
            "UTC",
            "--source",
            "pbx",
            SAMPLES + "/asterisk/collector-2/Master.csv");

    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertThat(exitCode).isZero();
    assertThat(result.at("/files/0/records").asLong()).isEqualTo(6);
    assertThat(result.at("/files/0/usage/VOICE").asLong()).isPositive();
  }

  @Test
  void shouldTellWrongUsage() {
    assertThat(execute("ingest", "x.csv")).isEqualTo(2);
    assertThat(execute("ingest", "--source", "a b", "--format", "asterix", "x.csv")).isEqualTo(2);
    assertThat(err.toString())
        .contains("source: 'a b' (expected:")
        .contains("format: 'asterix' (expected: one of asterisk, ");
    assertThat(execute("ingest", "--source", "a", "--batch-bytes", "8 parsecs", "x")).isEqualTo(2);
    assertThat(err.toString()).contains("'8 parsecs' (expected: bytes, or a number and KiB");
    assertThat(execute("ingest", "--source", "a", "--format", "cucm", "--timeout", "0s", "x"))
        .isEqualTo(2);
  }

  @Test
  void shouldSayWhereKafkaWasLookedFor() throws IOException {
    Path config = folder.resolve("t.yaml");
    Files.writeString(config, "kafka: {bootstrap: '127.0.0.1:1'}\n");

    int exitCode =
        execute(
            "ingest",
            "--config",
            config.toString(),
            "--source",
            "gateway",
            "--format",
            "tollgate-json",
            SAMPLES + "/tollgate-json/cdrs.jsonl");

    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString())
        .contains("kafka: no answer from 127.0.0.1:1 within 20 s")
        .contains("./tollgate up");
  }

  @Test
  void shouldGenerateFilesThatIngestTakes() throws IOException {
    int generated =
        execute(
            "generate",
            "--records",
            "2000",
            "--duplicates",
            "5%",
            "--bad",
            "0.5",
            "--conflicts",
            "1",
            "--hot-accounts",
            "1:50",
            "--seed",
            "9",
            "--json",
            "--out",
            folder.toString());
    JsonNode summary = new ObjectMapper().readTree(out.toString());
    int ingested =
        execute(
            "ingest",
            "--dry-run",
            "--source",
            "load",
            "--format",
            "tollgate-json",
            folder.resolve("load-9-0000.jsonl").toString());

    assertThat(generated).isZero();
    assertThat(summary.at("/records").asLong()).isEqualTo(2000);
    assertThat(summary.at("/outcomes/DUPLICATE").asLong()).isBetween(60L, 140L);
    assertThat(ingested).isEqualTo(1);
    assertThat(out.toString())
        .containsPattern("2,000 +" + summary.at("/reasons/BAD_LINE").asLong() + " ");
    assertThat(execute("generate", "--records", "2")).isEqualTo(2);
    assertThat(
            execute(
                "generate", "--records", "0", "--hot-accounts", "x", "--out", folder.toString()))
        .isEqualTo(2);
  }

  private int execute(String... arguments) {
    CommandLine commandLine = Tollgate.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}
