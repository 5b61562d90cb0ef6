package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.cli.demo.ReceiptWatch;
import io.tollgate.cli.demo.Verdict;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.LoadSummary;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.localstack.LocalStack;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.ReceiptTally;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * 200,000 generated CDRs with duplicates, conflicts, late, unpriced and bad ones, while servers
 * die: at the end the ledger equals the rating in memory row by row, outcomes add up to records
 * sent, and the receipts cover every batch-seq.
 */
class FaultsITCase {
  private static final int RECORDS = 200_000;
  private static final int BATCH_RECORDS = 10_000;
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private Installation installation;

  @AfterEach
  void cancelJobs() throws Exception {
    if (installation != null) {
      installation.cancelAll();
    }
  }

  @Test
  void chargesEveryDistinctCdrOnceWhileServersDie() throws Exception {
    LocalStack stack = STACK.stack();
    stack.taskManager(2).stop();
    stack.taskManager(2).start(clockTenMinutesAhead());
    installation = new Installation(stack, STACK.folder(), "faults");
    String first = installation.submit(List.of(), "--fresh");
    installation.awaitState(first, "RUNNING");

    LoadSummary summary;
    List<ControlTotal> totals;
    try (WatchedOutbox outbox = installation.outbox()) {
      CdrGenerator generator =
          new CdrGenerator(
              GeneratorSettings.clean(RECORDS, 5_000, 42)
                  .withShares(20_000, 5_000, 10_000, 10_000, 5_000));
      summary = new OutboxLoad(generator, "load", BATCH_RECORDS).send(outbox, Progress.NONE);
      totals = outbox.totals();
    }
    awaitSomeOutcomes(totals, RECORDS / 10);
    stack.taskManager(1).kill();
    stack.taskManager(1).start();
    installation.awaitState(first, "RUNNING");

    stack.cassandra().stop();
    // The time is the fault: how long the ledger is away.
    Thread.sleep(Duration.ofSeconds(30).toMillis());
    stack.cassandra().start();
    awaitSomeOutcomes(totals, RECORDS / 4);

    stack.kafka().restart();
    awaitSomeOutcomes(totals, RECORDS / 3);

    installation.cancel(first);
    String second = installation.submit(List.of(), "--fresh");
    installation.awaitState(second, "RUNNING");

    ReceiptTally receipts = installation.awaitOutcomes(totals, PATIENCE);
    installation.awaitCheckpoints(second, 1);
    Verdict verdict = installation.verdict(totals, receipts);
    assertThat(verdict.differences()).isEmpty();
    assertThat(verdict.rows()).isEqualTo(summary.expected(Outcome.RATED));
    assertThat(outcomes(receipts)).isEqualTo(expected(summary));
  }

  /**
   * Shifts a clock where Debian's package faketime is installed; elsewhere the rule of the
   * architecture that charging reads no wall clock stands alone.
   */
  private static Map<String, String> clockTenMinutesAhead() {
    Path library = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1");
    return Files.exists(library)
        ? Map.of("LD_PRELOAD", library.toString(), "FAKETIME", "+10m")
        : Map.of();
  }

  private void awaitSomeOutcomes(List<ControlTotal> totals, long count) {
    ReceiptWatch watch = new ReceiptWatch(installation.config());
    await("outcomes of " + count + " records")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .until(() -> ReceiptWatch.outcomes(watch.read(), totals) >= count);
  }

  private static Map<Outcome, Long> outcomes(ReceiptTally receipts) {
    Map<Outcome, Long> sums = new EnumMap<>(Outcome.class);
    receipts
        .batches()
        .forEach(
            batch ->
                batch
                    .byOutcome()
                    .forEach((outcome, count) -> sums.merge(outcome, count, Long::sum)));
    return sums;
  }

  private static Map<Outcome, Long> expected(LoadSummary summary) {
    Map<Outcome, Long> sums = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      if (summary.expected(outcome) > 0) {
        sums.put(outcome, summary.expected(outcome));
      }
    }
    return sums;
  }
}
