package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tollgate.cli.ReconcileStatus.Verdict;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.reconcile.ReconcileResult.Cycle;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import io.tollgate.ledger.gate.Heartbeat.Beat;
import io.tollgate.settlement.HourState;
import io.tollgate.settlement.ResultReader.BatchRow;
import io.tollgate.settlement.ResultReader.DifferenceRow;
import io.tollgate.settlement.ResultReader.HaltRow;
import io.tollgate.settlement.ResultReader.HourRow;
import io.tollgate.settlement.ResultReader.Overview;
import io.tollgate.settlement.ResultReader.SourceRow;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReconcileStatusTest {
  private static final long NOW = 1_782_000_000_000L;
  private static final Duration INTERVAL = Duration.ofSeconds(60);
  private static final Cycle CYCLE =
      new Cycle(29_700_000, NOW - 62_000, NOW - 60_000, 16, 1_234, 7, 1);

  static Stream<Arguments> verdicts() {
    Overview clean = new Overview(3, 0, 0, 4);
    return Stream.of(
        arguments(List.of(), new Overview(0, 0, 1, 0), NOW, Verdict.NO_DATA, 5),
        arguments(List.of(CYCLE), new Overview(0, 0, 1, 0), NOW, Verdict.MISMATCH, 4),
        arguments(List.of(CYCLE), new Overview(0, 1, 0, 0), NOW * 2, Verdict.MISMATCH, 4),
        arguments(List.of(CYCLE), clean, NOW + 120_001, Verdict.BEHIND, 3),
        arguments(List.of(CYCLE), clean, NOW + 120_000, Verdict.BALANCED, 0));
  }

  @ParameterizedTest
  @MethodSource("verdicts")
  void shouldSayTheOneThingToKnowFirst(
      List<Cycle> cycles, Overview overview, long nowMillis, Verdict verdict, int exitCode) {
    assertThat(Verdict.of(cycles, overview, nowMillis, INTERVAL)).isEqualTo(verdict);
    assertThat(verdict.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void shouldShowFirstWhatIsWrongAndWhatEverythingWaitsFor() {
    StringWriter text = new StringWriter();

    new ReconcileTables(new PrintWriter(text), NOW).print(status(), "");

    assertThat(text.toString().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .containsSubsequence(
            "MISMATCH: differences are confirmed; see below",
            "newest cycle: 60 s ago",
            "differences",
            "CONFIRMED MISSING_ROW: source pbx-1, batch b1, hour 2026-06-21T00Z, 1 record (3)",
            "expected 1 row",
            "found none",
            "example acme:pbx-1:1",
            "id d1, halt h1, first seen 2 h ago, last 60 s ago",
            "halts",
            "HALT h1, 2 h ago, 1 of 2 resolved, last by ann: a row is missing",
            "halt h0, 60 s ago, 1 of 1 resolved, last by bob: by hand",
            "last cycles",
            "sources",
            "pbx-1 OPEN 1 60 s ago a control total",
            "open batches (1 of 3)",
            "pbx-1 b1 MISMATCH rows",
            "hours (1 of 4)",
            "2026-06-21T00Z pbx-1 MISMATCH yes difference d1");
  }

  @Test
  void shouldSayTheSameToPrograms() {
    assertThat(ReconcileJson.status(status()).toString())
        .contains(
            "\"verdict\":\"MISMATCH\"",
            "\"exitCode\":4",
            "\"ageMillis\":60000",
            "\"halts\":[{\"id\":\"h1\",\"open\":true",
            "\"kind\":\"MISSING_ROW\"",
            "\"hour\":\"2026-06-21T00Z\"",
            "\"waitingFor\":\"difference d1\"");
  }

  @Test
  void shouldSayFromTheLedgerWhetherCyclesGoOnWhenTheDatabaseDoesNot() {
    Instant beat = Instant.ofEpochMilli(NOW - 60_000);

    assertThat(new LedgerPulse(new Beat(17, beat), 0, "").text(NOW, INTERVAL))
        .isEqualTo(
            "cycles go on: cycle number 17 was complete at "
                + beat
                + ". What they find is kept and recorded when the database takes it; nothing is"
                + " settled meanwhile");
    assertThat(new LedgerPulse(new Beat(17, beat), 2, "").text(NOW + 120_001, INTERVAL))
        .startsWith("cycles do not go on: cycle number 17 was complete at " + beat)
        .endsWith("2 halts are open, see halt status");
    assertThat(new LedgerPulse(new Beat(17, beat), 1, "").text(NOW, INTERVAL))
        .endsWith("one halt is open, see halt status");
    assertThat(new LedgerPulse(null, 0, "").text(NOW, INTERVAL))
        .isEqualTo("no cycle was ever complete; start the reconcile job");
    assertThat(new LedgerPulse(null, -1, "Cassandra does not answer").text(NOW, INTERVAL))
        .isEqualTo("whether cycles go on is not known either: Cassandra does not answer");
  }

  private static ReconcileStatus status() {
    return new ReconcileStatus(
        NOW,
        Verdict.MISMATCH,
        new Overview(3, 0, 1, 4),
        List.of(CYCLE),
        List.of(
            new DifferenceRow(
                "d1",
                "MISSING_ROW",
                "pbx-1",
                "b1",
                495_000,
                0,
                "3",
                1,
                "1 row",
                "none",
                Found.Status.CONFIRMED,
                "h1",
                "acme:pbx-1:1",
                NOW - 7_200_000,
                NOW - 60_000)),
        List.of(
            new HaltRow("h1", NOW - 7_200_000, "a row is missing", 2, 1, "ann"),
            new HaltRow("h0", NOW - 60_000, "by hand", 1, 1, "bob")),
        List.of(
            new SourceRow(
                "pbx-1", "north", "f", NOW - 60_000, 1, "a control total", State.OPEN, NOW)),
        List.of(
            new BatchRow(
                "pbx-1",
                "b1",
                "f",
                State.MISMATCH,
                "rows",
                10,
                Map.of(Outcome.RATED, 9L),
                Map.of(),
                NOW)),
        List.of(
            new HourRow(
                495_000, "pbx-1", HourState.MISMATCH, "difference d1", NOW, OptionalLong.of(NOW))));
  }
}
