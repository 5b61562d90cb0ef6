package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.cli.Provision;
import io.tollgate.cli.TariffPublication;
import io.tollgate.cli.demo.ReceiptWatch;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.ReceiptTally;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A suspended CDR is rated after its price was published, by the book that brought the price. */
class RedriveITCase {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int RECORDS = 2_000;

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private Installation installation;

  @AfterEach
  void cancelJobs() throws Exception {
    if (installation != null) {
      installation.cancelAll();
    }
  }

  @Test
  void ratesWhatWasSuspendedOnceItHasAPrice() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "redrive");
    String job = installation.submit(List.of(), "--fresh");
    installation.awaitState(job, "RUNNING");
    List<ControlTotal> totals;
    try (WatchedOutbox outbox = installation.outbox()) {
      new OutboxLoad(
              new CdrGenerator(
                  GeneratorSettings.clean(RECORDS, 50, 7).withShares(0, 0, 100_000, 0, 0)),
              "load",
              1_000)
          .send(outbox, Progress.NONE);
      totals = outbox.totals();
    }
    ReceiptTally before = installation.awaitOutcomes(totals, PATIENCE);
    long suspended = count(before, Outcome.SUSPENDED);
    assertThat(suspended).isPositive();

    Path tariffs = Tariffs.copy(STACK.folder().resolve("redrive-tariffs"));
    Tariffs.priceForAll(tariffs);
    TariffPublication.publish(installation.config(), tariffs);
    await("the job rates by the new book")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(2))
        .until(
            () -> {
              // A book is read within a second; a record that came too early is suspended again.
              installation.tollgate("redrive", "suspended");
              return count(new ReceiptWatch(installation.config()).read(), Outcome.SUSPENDED) == 0;
            });

    List<Charge> byNewBook = new ArrayList<>();
    long rows = 0;
    try (LedgerSession session = LedgerSession.open(Provision.connection(installation.config()))) {
      LedgerReader ledger =
          new LedgerReader(
              session, LedgerSchema.verify(session), ReadLimit.of(Duration.ofMinutes(1)));
      for (var all = ledger.all(); all.hasNext(); rows++) {
        Charge charge = all.next();
        if (charge.rating().tariffVersion() == 2) {
          byNewBook.add(charge);
        }
      }
    }
    assertThat(rows).isEqualTo(RECORDS);
    assertThat(byNewBook)
        .hasSize((int) suspended)
        .allMatch(charge -> charge.rating().prefix().endsWith("33199"));
  }

  private static long count(ReceiptTally receipts, Outcome outcome) {
    return receipts.batches().stream()
        .mapToLong(batch -> batch.byOutcome().getOrDefault(outcome, 0L))
        .sum();
  }
}
