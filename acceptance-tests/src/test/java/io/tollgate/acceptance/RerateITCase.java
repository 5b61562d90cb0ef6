package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.domain.tariff.TariffHistory;
import io.tollgate.localstack.CommandResult;
import io.tollgate.localstack.Server;
import io.tollgate.wire.tariff.TariffTopic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Corrections of what was charged long ago: after a rerate the ledger says what the history says,
 * row by row, whatever happened meanwhile, and everything settles without a halt.
 */
class RerateITCase {
  /** All hours of the load, late records among them. */
  private static final String HOURS = "2026-09-27T00Z..2026-10-06T00Z";

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Installation installation;

  @AfterEach
  void cancelJobs() throws Exception {
    threads.shutdownNow();
    if (installation != null) {
      installation.cancelAll();
    }
  }

  @Test
  void writesWhatCorrectionsMakeOfOldCharges() throws Exception {
    installation =
        new Installation(
            STACK.stack(),
            STACK.folder(),
            "rerates",
            Reconciliation.SETTINGS.replace("reconcile:\n", "reconcile:\n  settle_after: 5s\n"));
    // Of four slots one is for each job, and one for each of two rerates.
    installation.parallelism(1);
    Reconciliation reconciliation = new Reconciliation(installation, STACK.stack());
    Settling settling = new Settling(installation, reconciliation);
    installation.submit(List.of(), "--fresh");
    installation.submitReconcile(List.of());
    reconciliation.sendLoad(1, "first");
    reconciliation.awaitBalanced(10);
    settling.awaitOwedSettled();

    String savepoint =
        installation
            .tollgate("savepoint", "take", "--job", "reconcile", "--reason", "a test")
            .strip();
    assertThat(installation.tollgate("savepoint", "inspect", savepoint))
        .contains("compare-batches", "not of the rating job");

    assertThat(refusal("--hours", HOURS)).contains("There is no correction");
    Path tariffs = Tariffs.copy(STACK.folder().resolve("rerate-tariffs"));
    Tariffs.raise(tariffs);
    installation.tollgate(
        "tariff", "publish", "--correction", "--reason", "a test", tariffs.toString());
    assertThat(refusal("--hours", HOURS, "--correction", "2"))
        .contains("correction: 2 (expected: 1 to 1, the last one)");
    assertThat(refusal("--hours", "yesterday")).contains("hour: yesterday (expected: an hour");

    assertThat(rerate("--dry-run")).contains("would be written", "by destination", "Berlin");
    assertThat(revisions()).isZero();

    assertThat(installation.tollgate("tariff", "history")).contains("wait for a rerate: ");

    // Two at once, one of which is interrupted, while more of the load comes.
    Future<String> one = threads.submit(() -> rerate());
    Future<String> other = threads.submit(() -> rerate());
    await("a rerate is running")
        .atMost(Reconciliation.PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              if (one.isDone()) {
                one.get(); // throws why, if it has failed
              }
              return installation.jobs().all().stream().anyMatch(RerateITCase::isRunningRerate);
            });
    crash(STACK.stack().taskManager(1));
    reconciliation.sendLoad(2, "second");
    assertThat(one.get()).contains("by account");
    assertThat(other.get()).contains("by account");
    reconciliation.awaitBalanced(20);
    assertOwedIsWhatTheHistorySays();
    assertThat(revisions()).isPositive();

    assertThat(rerate()).contains("; 0 revisions were missing");
    assertThat(installation.tollgate("tariff", "history")).contains("of which ");
    assertThat(installation.tollgate("rerate", "list")).contains("a test", "(dry run)", "done at");

    Charge voided = installation.ledger().get(0);
    assertThat(
            installation.tollgate(
                "void",
                voided.cdr().accountId(),
                voided.cdr().eventId(),
                "--hour",
                UsageHours.text(voided.usageHour()),
                "--reason",
                "a test"))
        .contains("Voided by correction 2");
    assertOwedIsWhatTheHistorySays();
    settling.awaitOwedSettled();
    assertThat(reconciliation.openHalts()).isEmpty();
  }

  private String rerate(String... more) {
    List<String> line = new ArrayList<>(List.of("rerate", "--hours", HOURS, "--reason", "a test"));
    line.addAll(List.of(more));
    return installation.tollgate(line.toArray(String[]::new));
  }

  private String refusal(String... arguments) {
    List<String> line = new ArrayList<>(List.of("rerate", "--reason", "a test"));
    line.addAll(List.of(arguments));
    CommandResult result = installation.tryTollgate(line.toArray(String[]::new));
    assertThat(result.exitCode()).as(result.output()).isNotZero();
    return result.output();
  }

  private static boolean isRunningRerate(FlinkJobs.Job job) {
    return job.name().equals("tollgate-rerate") && !job.state().equals("FINISHED");
  }

  private static void crash(Server server) {
    server.kill();
    server.start();
  }

  private long revisions() {
    return installation.ledger().stream().filter(row -> row.revision() > 0).count();
  }

  /** Each charge has exactly the revisions that the history gives it. */
  private void assertOwedIsWhatTheHistorySays() {
    TariffHistory history =
        new TariffTopic(
                installation.config().kafka().clientProperties(),
                installation.config().kafka().topics().tariffs())
            .read()
            .history();
    Map<String, List<Charge>> rowsByKey =
        installation.ledger().stream()
            .collect(
                Collectors.groupingBy(row -> row.cdr().accountId() + " " + row.cdr().eventId()));
    rowsByKey.forEach(
        (key, rows) ->
            assertThat(
                    rows.stream()
                        .filter(row -> row.revision() > 0)
                        .map(row -> total(row.revision(), row.rating())))
                .as(key)
                .containsExactlyInAnyOrderElementsOf(
                    history.revisions(rows.get(0).cdr()).stream()
                        .map(revision -> total(revision.number(), revision.total()))
                        .toList()));
  }

  private static String total(long number, Rating.Priced total) {
    return number + ": " + total.amount().toPlainString() + " " + total.currency();
  }
}
