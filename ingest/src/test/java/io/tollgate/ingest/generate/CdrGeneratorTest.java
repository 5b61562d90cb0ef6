package io.tollgate.ingest.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.ingest.Judge;
import io.tollgate.ingest.batch.FileIngest;
import io.tollgate.ingest.batch.FileReport;
import io.tollgate.ingest.batch.IngestOptions;
import io.tollgate.ingest.batch.KnownBatches;
import io.tollgate.ingest.batch.NoOutbox;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.format.Format;
import io.tollgate.ingest.format.SourceOptions;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CdrGeneratorTest {
  private static final GeneratorSettings MIXED =
      new GeneratorSettings(
          20_000,
          50,
          50_000,
          20_000,
          10_000,
          10_000,
          30_000,
          120,
          2,
          500_000,
          GeneratorSettings.DEFAULT_START,
          Duration.ofDays(2),
          42);

  @TempDir private Path folder;

  @Test
  void shouldMakeTheSameLoadForTheSameSeedInAnyOrder() {
    CdrGenerator first = new CdrGenerator(MIXED);
    CdrGenerator second = new CdrGenerator(MIXED);
    List<GeneratedRecord> forward = first.stream().limit(2000).toList();

    for (int i = 1999; i >= 0; i--) {
      assertThat(second.record(i)).isEqualTo(forward.get(i));
    }
    GeneratorSettings other = GeneratorSettings.clean(10, 5, 43);
    assertThat(new CdrGenerator(other).record(3))
        .isNotEqualTo(new CdrGenerator(GeneratorSettings.clean(10, 5, 44)).record(3));
  }

  /** Judges every record by the rules of the domain, as the job will, and compares the counts. */
  @Test
  void shouldMakeEachRecordSoThatItsOutcomeIsTheExpectedOne() {
    CdrGenerator generator = new CdrGenerator(MIXED);
    LoadSummary summary = LoadSummary.toKafka(MIXED);
    Judge judge = new Judge();

    new OutboxLoad(generator, "load", 1000).send(judge, Progress.NONE);
    generator.stream().forEach(summary::add);

    for (Outcome outcome : Outcome.values()) {
      assertThat(judge.count(outcome))
          .as(outcome.name())
          .isEqualTo(summary.expected(outcome))
          .isPositive();
    }
    for (Reason reason : List.of(Reason.UNREADABLE, Reason.UNKNOWN_SCHEMA, Reason.INVALID)) {
      assertThat(judge.count(reason))
          .as(reason.name())
          .isEqualTo(summary.expected(reason))
          .isPositive();
    }
    assertThat(judge.totals()).hasSize(20);
    assertThat(judge.totals().stream().mapToLong(ControlTotal::records).sum()).isEqualTo(20_000);
  }

  @Test
  void shouldKeepTheSharesThatWereAskedFor() {
    LoadSummary summary = LoadSummary.toKafka(MIXED);
    Map<String, Long> byAccount = new HashMap<>();
    new CdrGenerator(MIXED)
        .stream()
            .forEach(
                generated -> {
                  summary.add(generated);
                  byAccount.merge(generated.cdr().accountId(), 1L, Long::sum);
                });

    assertThat(summary.expected(Outcome.DUPLICATE)).isBetween(900L, 1100L);
    assertThat(summary.expected(Outcome.CONFLICT)).isBetween(330L, 470L);
    assertThat(summary.expected(Outcome.SUSPENDED)).isBetween(150L, 250L);
    assertThat(summary.expected(Outcome.REJECTED)).isBetween(520L, 680L);
    assertThat(summary.late()).isBetween(150L, 260L);
    assertThat(byAccount.get("load-000000") + byAccount.get("load-000001"))
        .isBetween(9_000L, 11_500L);
  }

  @Test
  void shouldShuffleStartsNoFurtherThanAsked() {
    GeneratorSettings settings =
        new GeneratorSettings(
            5000,
            10,
            0,
            0,
            0,
            0,
            0,
            60,
            0,
            0,
            GeneratorSettings.DEFAULT_START,
            Duration.ofHours(1),
            1);
    long latest = Long.MIN_VALUE;
    boolean shuffled = false;
    for (GeneratedRecord generated : new CdrGenerator(settings).stream().toList()) {
      long start = generated.cdr().startMillis();
      shuffled |= start < latest;
      latest = Math.max(latest, start);
      assertThat(latest - start).isLessThanOrEqualTo(62_000);
    }
    assertThat(shuffled).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = Format.class,
      names = {"TOLLGATE_JSON", "ASTERISK"})
  void shouldWriteFilesThatIngestReadsAsExpected(Format format) throws IOException {
    CdrGenerator generator = new CdrGenerator(MIXED);

    LoadSummary summary = new FileLoad(generator, format).write(folder, 2);

    long records = 0;
    long rejected = 0;
    for (String name : List.of("load-2a-0000", "load-2a-0001")) {
      String ending = format == Format.ASTERISK ? ".csv" : ".jsonl";
      FileReport report =
          new FileIngest(
                  SourceOptions.of("load", format.id(), "UTC").toProfile(),
                  IngestOptions.DEFAULT,
                  new KnownBatches(),
                  new NoOutbox(),
                  Progress.NONE)
              .ingest(folder.resolve(name + ending));
      records += report.records();
      rejected += report.rejected();
    }
    assertThat(records).isEqualTo(20_000);
    assertThat(rejected).isEqualTo(summary.expected(Reason.BAD_LINE));
    assertThat(folder.resolve("summary.json")).hasContent(summary.toJson());
  }

  @Test
  void shouldNameEveryFaultOfSettingsAtOnce() {
    assertThatThrownBy(
            () ->
                new GeneratorSettings(
                    0, 0, 600_000, 600_000, -1, 0, 0, 0, 0, 0, Instant.EPOCH, Duration.ZERO, 1))
        .hasMessageContaining("records: 0 (expected: 1 to")
        .hasMessageContaining("accounts: 0")
        .hasMessageContaining("suspended: -1")
        .hasMessageContaining("start: 1970-01-01T00:00:00Z")
        .hasMessageContaining("at most all");
  }
}
