package io.tollgate.acceptance;

import static io.tollgate.domain.reconcile.DifferenceKind.CHANGED_AMOUNT;
import static io.tollgate.domain.reconcile.DifferenceKind.CHANGED_CONTENT;
import static io.tollgate.domain.reconcile.DifferenceKind.CONTRADICTING_TOTALS;
import static io.tollgate.domain.reconcile.DifferenceKind.DOUBLE_CHARGE;
import static io.tollgate.domain.reconcile.DifferenceKind.DUPLICATE_WITHOUT_ROW;
import static io.tollgate.domain.reconcile.DifferenceKind.MISSING_OUTCOME;
import static io.tollgate.domain.reconcile.DifferenceKind.MISSING_ROW;
import static io.tollgate.domain.reconcile.DifferenceKind.SURPLUS_OUTCOME;
import static io.tollgate.domain.reconcile.DifferenceKind.SURPLUS_ROW;
import static io.tollgate.domain.reconcile.DifferenceKind.UNREADABLE_CONTROL;
import static io.tollgate.domain.reconcile.DifferenceKind.USAGE_MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.acceptance.Reconciliation.Expected;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.localstack.CommandResult;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Everything that is done to the ledger or to the sources behind the back of rating is found,
 * named, and got out of. What must not halt is in {@link CalmITCase}.
 */
class ReconcileITCase {
  private static final BigDecimal ONE = BigDecimal.ONE;

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
  void findsWhatIsDoneBehindItsBack() throws Exception {
    installation =
        new Installation(STACK.stack(), STACK.folder(), "sabotage", Reconciliation.SETTINGS);
    reconciliation = new Reconciliation(installation, STACK.stack());
    installation.submit(List.of(), "--fresh");
    installation.submitReconcile(List.of());
    reconciliation.sendLoad(1, "clean");
    reconciliation.awaitBalanced();
    assertThat(reconciliation.openHalts()).isEmpty();

    try (Sabotage sabotage = new Sabotage(installation, STACK.stack())) {
      // Rows that were deleted, changed, or written by somebody else.
      Charge deleted = sabotage.charge(0);
      sabotage.delete(deleted);
      Charge dearer = sabotage.charge(1);
      sabotage.replace(dearer, Sabotage.withAmount(dearer, dearer.rating().amount().add(ONE)));
      Charge longer = sabotage.charge(2);
      sabotage.replace(longer, Sabotage.withUsage(longer, longer.cdr().usage() + 1_000));
      sabotage.insert(Sabotage.inBatch(sabotage.charge(3), "nobody/1", "nobody", 0));
      Charge once = sabotage.charge(4);
      sabotage.insert(Sabotage.ofAccount(once, once.cdr().accountId() + "-twin"));
      Charge early = sabotage.charge(5);
      sabotage.insert(Sabotage.hoursLater(early, 30));
      // The same record charged to two accounts whose rows lie side by side.
      Charge neighbour = sabotage.charge(6);
      Charge twin = sabotage.twinBeside(neighbour);
      sabotage.insert(twin);
      reconciliation.found(
          Expected.of(MISSING_ROW, "repair", deleted.cdr().accountId(), deleted.origin().batch()),
          Expected.of(CHANGED_AMOUNT, "rerate", dearer.cdr().accountId(), dearer.cdr().eventId()),
          Expected.of(CHANGED_CONTENT, "rerate", longer.cdr().accountId(), longer.cdr().eventId()),
          Expected.of(SURPLUS_ROW, "void", "nobody/1"),
          Expected.of(SURPLUS_ROW, "void", once.cdr().accountId() + "-twin"),
          Expected.of(SURPLUS_ROW, "void", early.cdr().eventId()),
          Expected.of(DOUBLE_CHARGE, "void", neighbour.origin().batch()));
      assertThat(sabotage.holds(deleted)).isTrue();
      // What is owed is right again, beside the rows that were changed.
      assertThat(sabotage.owed(dearer)).isEqualByComparingTo(dearer.rating().amount());
      assertThat(sabotage.owed(longer)).isEqualByComparingTo(longer.rating().amount());
      assertThat(sabotage.owed(twin)).isEqualByComparingTo("0");
      assertThat(sabotage.owed(neighbour)).isEqualByComparingTo(neighbour.rating().amount());

      // Control totals and receipts that are wrong.
      reconciliation.sendBatch("changing", 10, 10);
      reconciliation.awaitBalanced();
      sabotage.control(
          Reconciliation.total(
              Reconciliation.batch("changing", "changing.csv"), 12, 60_000 * 10, Map.of()));
      reconciliation.sendBatch("too-high", 10, 11);
      reconciliation.sendBatch("too-low", 10, 9);
      reconciliation.sendBatch("nonsense", 10, 1_000_000);
      reconciliation.sendBatch("wrong-usage", 10, 10, 12_345);
      sabotage.receipt(Sabotage.duplicateOfNothing("liar", "b"));
      sabotage.receipt(Sabotage.ratedWithoutRow("liar", "c", once.usageHour()));
      reconciliation.found(
          Expected.of(CONTRADICTING_TOTALS, "write-off", "changing"),
          Expected.of(MISSING_OUTCOME, "write-off", "too-high", "10"),
          Expected.of(SURPLUS_OUTCOME, "write-off", "too-low", "9"),
          Expected.of(MISSING_OUTCOME, "write-off", "nonsense", "10-999999"),
          Expected.of(USAGE_MISMATCH, "write-off", "wrong-usage"),
          Expected.of(DUPLICATE_WITHOUT_ROW, "write-off", "liar", "no-such-event"),
          Expected.of(MISSING_ROW, "write-off", "liar"));
      assertThat(explain("too-high"))
          .contains("control total: 11 records", "none for batch-seqs 10")
          .contains("the topic ends with batch-seq 9");

      sabotage.garbage();
      reconciliation.awaitDifference(UNREADABLE_CONTROL);
      assertThat(reconciliation.openHalts()).as("garbage is told, and halts nobody").isEmpty();
    }
  }

  @Test
  void stopsTheRatingJobOfItsInstallationWithASavepointFromWhichItGoesOn() throws Exception {
    installation =
        new Installation(
            STACK.stack(),
            STACK.folder(),
            "stopping",
            Reconciliation.SETTINGS.replace("stop_job: false", "stop_job: true"));
    reconciliation = new Reconciliation(installation, STACK.stack());
    installation.parallelism(1);
    Installation bystander = new Installation(STACK.stack(), STACK.folder(), "bystander");
    bystander.parallelism(1);
    String unconcerned = bystander.submit(List.of(), "--fresh");
    String rating = installation.submit(List.of(), "--fresh");
    installation.submitReconcile(List.of());
    reconciliation.sendLoad(1, "first");
    reconciliation.awaitBalanced(10);
    try (Sabotage sabotage = new Sabotage(installation, STACK.stack())) {
      Charge deleted = sabotage.charge(0);
      sabotage.delete(deleted);
      RecordedHalt halt = reconciliation.awaitHalt(MISSING_ROW, deleted.cdr().accountId());
      assertThat(explain(deleted.origin().batch()))
          .contains("batch-seq " + deleted.origin().batchSeq())
          .contains("at " + deleted.origin().partition() + ":" + deleted.origin().offset())
          .contains("event " + deleted.cdr().eventId())
          .contains("receipt   RATED, hour " + UsageHours.text(deleted.usageHour()))
          .contains("it was charged, and its row was removed or never written")
          .doesNotContain("could not be asked");
      assertThat(explain(UsageHours.text(deleted.usageHour())))
          .contains("differ", "its row was removed or never written");
      installation.awaitState(rating, "FINISHED");
      assertThat(bystander.jobs().state(unconcerned)).isEqualTo("RUNNING");
      String savepoint =
          await("the savepoint of halt " + halt.halt().id())
              .atMost(Reconciliation.PATIENCE)
              .ignoreExceptions()
              .until(
                  () -> reconciliation.openHalts().get(0).savepoints().get(0).path(), path -> true);

      CommandResult refused = installation.flinkRun(List.of("-s", savepoint));
      assertThat(refused.exitCode()).isNotZero();
      assertThat(refused.output()).contains(halt.halt().id(), "halt status");

      // A backlog grows while the row is repaired.
      reconciliation.sendLoad(2, "second");
      reconciliation.acknowledge(halt, "repair");
      assertThat(sabotage.holds(deleted)).isTrue();
      installation.submit(List.of("-s", savepoint));
      reconciliation.awaitBalanced(20);
    }
  }

  private String explain(String what) {
    return installation.tollgate("reconcile", "explain", what);
  }
}
