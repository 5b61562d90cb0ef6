package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.acceptance.Reconciliation.Expected;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.UsageHours;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing is settled twice, and what is settled does not change unnoticed. */
class SettledITCase {
  private static final int CALLS = 10;
  private static final String SETTINGS =
      Reconciliation.SETTINGS.replace("reconcile:\n", "reconcile:\n  settle_after: 1s\n");

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
  void settlesACallOnceThatTwoCollectorsDeliveredWithDifferentTimeZones() throws Exception {
    Settling settling = start("zones");
    installation.submitReconcile(List.of());
    reconciliation.sendBatch("pbx", CALLS, CALLS);
    settling.awaitSettled();
    BigDecimal right = settling.settledAmount();
    assertThat(right).isPositive();

    try (Sabotage sabotage = new Sabotage(installation, STACK.stack())) {
      Charge call = sabotage.charge(0);
      Charge again = settling.chargeAgain(call, "other-pbx", 3, sabotage);
      settling.found(
          Expected.of(
              DifferenceKind.REPEATED_IDENTITY,
              "void",
              call.cdr().accountId(),
              call.cdr().eventId(),
              "source pbx",
              "source other-pbx",
              UsageHours.text(call.usageHour()),
              UsageHours.text(again.usageHour())));
      assertThat(sabotage.owed(again)).isEqualByComparingTo("0");
      assertThat(sabotage.owed(call)).isEqualByComparingTo(call.rating().amount());
      assertThat(settling.settledAmount()).isEqualByComparingTo(right);

      Charge accepted = settling.chargeAgain(sabotage.charge(1), "third-pbx", -5, sabotage);
      settling.found(
          Expected.of(DifferenceKind.REPEATED_IDENTITY, "write-off", "source third-pbx"));
      assertThat(settling.settledAmount())
          .isEqualByComparingTo(right.add(accepted.rating().amount()));
    }
  }

  @Test
  void findsASettledRowThatChangedThoughEverythingElseAgrees() throws Exception {
    Settling settling = start("settled");
    String reconcile = installation.submitReconcile(List.of());
    reconciliation.sendBatch("pbx", CALLS, CALLS);
    settling.awaitSettled();
    BigDecimal right = settling.settledAmount();

    try (Sabotage sabotage = new Sabotage(installation, STACK.stack())) {
      Charge call = sabotage.charge(0);
      sabotage.replace(call, settling.withCalled(call, "+4930333"));
      settling.found(
          Expected.of(
              DifferenceKind.SETTLED_CHANGED,
              "rerate",
              call.cdr().accountId(),
              call.cdr().eventId(),
              "in the topic"));
      assertThat(sabotage.owed(call)).isEqualByComparingTo(call.rating().amount());
      assertThat(settling.settledAmount()).isEqualByComparingTo(right);

      // Without its state the job knows no rows, and the lines still say what was settled.
      installation.cancel(reconcile);
      Charge other = sabotage.charge(1);
      sabotage.replace(other, settling.withCalled(other, "+4930333"));
      installation.submitReconcile(List.of());
      settling.found(
          Expected.of(
              DifferenceKind.SETTLED_CHANGED,
              "write-off",
              UsageHours.text(other.usageHour()),
              CALLS + " charges"));
    }
  }

  private Settling start(String name) throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), name, SETTINGS);
    installation.submit(List.of(), "--fresh");
    reconciliation = new Reconciliation(installation, STACK.stack());
    return new Settling(installation, reconciliation);
  }
}
