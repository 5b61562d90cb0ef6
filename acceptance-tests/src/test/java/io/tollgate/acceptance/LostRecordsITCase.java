package io.tollgate.acceptance;

import static io.tollgate.domain.reconcile.DifferenceKind.MISSING_FILE;
import static io.tollgate.domain.reconcile.DifferenceKind.MISSING_OUTCOME;
import static io.tollgate.domain.reconcile.DifferenceKind.MISSING_ROW;
import static io.tollgate.domain.reconcile.DifferenceKind.OVERDUE_TOTAL;
import static io.tollgate.domain.reconcile.DifferenceKind.SILENT_SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.acceptance.Reconciliation.Expected;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What never arrives, or is lost on the way to the ledger, halts and is named. */
class LostRecordsITCase {
  private static final int LOAD = 15_000;
  private static final int LOAD_BATCHES = 3;

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private Installation installation;
  private Reconciliation reconciliation;

  @AfterEach
  void cancelJobs() throws Exception {
    if (installation != null) {
      installation.cancelAll();
    }
  }

  @Test
  void missesWhatItsSourcesDoNotSend() throws Exception {
    install(
        "sources",
        """
        sources:
          numbered:
            format: tollgate-json
            sequence: numbered-(\\d+)\\.csv
            control_total_deadline: 6s
            on_missing: halt
          open:
            format: tollgate-json
            control_total_deadline: 6s
            on_missing: halt
          feed:
            format: tollgate-json
            cadence: 10s
            control_total_deadline: 6s
            on_missing: halt
        """);
    installation.submit(List.of(), "--fresh");
    installation.submitReconcile(List.of());

    reconciliation.sendFile("numbered", "numbered-1.csv");
    reconciliation.sendFile("numbered", "numbered-3.csv");
    reconciliation.sendFile("feed", "feed-1.csv");
    BatchAnnounced unclosed = Reconciliation.batch("open", "open-1.csv");
    Map<Integer, Long> offsets;
    try (WatchedOutbox outbox = installation.outbox()) {
      offsets = Reconciliation.sendCalls(outbox, unclosed, IntStream.range(0, 10));
    }
    reconciliation.halted(
        Expected.of(MISSING_FILE, "replay", "numbered", "2"),
        Expected.of(SILENT_SOURCE, "write-off", "feed", "feed-1.csv"),
        Expected.of(OVERDUE_TOTAL, "replay", "open"));

    // What was missing comes after all.
    reconciliation.sendFile("numbered", "numbered-2.csv");
    try (WatchedOutbox outbox = installation.outbox()) {
      outbox.close(Reconciliation.total(unclosed, 10, 60_000L * 10, offsets));
    }
    reconciliation.awaitBalanced(5);
  }

  @Test
  void missesWhatIsLostBetweenFileAndLedger() throws Exception {
    install("lost", "");
    String rating = installation.submitFaulty();
    installation.submitReconcile(List.of());
    List<ControlTotal> totals;
    try (WatchedOutbox outbox = installation.outbox()) {
      new OutboxLoad(
              new CdrGenerator(GeneratorSettings.clean(LOAD, 500, 1)), "load", LOAD / LOAD_BATCHES)
          .send(outbox, Progress.NONE);
      totals = outbox.totals();
    }
    repairUntilBalanced();
    assertThat(
            installation
                .verdict(totals, installation.awaitOutcomes(totals, Reconciliation.PATIENCE))
                .differences())
        .isEmpty();

    // One record of a batch never reaches the topic.
    BatchAnnounced dropping = Reconciliation.batch("dropping", "dropping.csv");
    try (WatchedOutbox outbox = installation.outbox()) {
      Map<Integer, Long> offsets =
          Reconciliation.sendCalls(
              outbox, dropping, IntStream.range(0, 10).filter(seq -> seq != 4));
      outbox.close(Reconciliation.total(dropping, 10, 60_000L * 10, offsets));
    }
    reconciliation.halted(Expected.of(MISSING_OUTCOME, "replay", "dropping", "4"));
    try (WatchedOutbox outbox = installation.outbox()) {
      Reconciliation.sendCalls(outbox, dropping, IntStream.range(0, 10));
    }
    reconciliation.awaitBalanced();

    // A whole file goes from the topic before the job has read it.
    installation.cancel(rating);
    reconciliation.sendFile("truncated", "truncated.csv");
    installation.truncateCdrs();
    installation.submit(List.of(), "--fresh");
    reconciliation.halted(Expected.of(MISSING_OUTCOME, "replay", "truncated", "0-9"));
    reconciliation.sendFile("truncated", "truncated.csv");
    reconciliation.awaitBalanced();
  }

  private void install(String name, String sources) throws Exception {
    installation =
        new Installation(STACK.stack(), STACK.folder(), name, Reconciliation.SETTINGS + sources);
    reconciliation = new Reconciliation(installation, STACK.stack());
  }

  /** The writer has left out rows, and only that: each is found, and written after all. */
  private void repairUntilBalanced() {
    AtomicInteger repaired = new AtomicInteger();
    await("rows that were left out are found, and everything balances")
        .atMost(Reconciliation.PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptionsMatching(Exception.class::isInstance)
        .untilAsserted(
            () -> {
              for (RecordedHalt halt : reconciliation.openHalts()) {
                assertThat(halt.halt().differences().get(0).kind()).isEqualTo(MISSING_ROW.name());
                reconciliation.acknowledge(halt, "repair");
                repaired.incrementAndGet();
              }
              assertThat(repaired).hasPositiveValue();
              reconciliation.assertBalanced(LOAD_BATCHES);
            });
  }
}
