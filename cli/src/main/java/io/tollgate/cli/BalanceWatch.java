package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.settlement.ResultReader;
import io.tollgate.settlement.ResultReader.BatchRow;
import io.tollgate.settlement.ResultReader.DifferenceRow;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Waits until reconciliation has found every batch of a known number balanced. */
final class BalanceWatch {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
  private static final int SHOWN = 20;

  private final TollgateConfig config;
  private final int batches;
  private State state = new State(0, List.of(), List.of());

  /** What was found last. */
  private record State(long balanced, List<BatchRow> open, List<DifferenceRow> differences) {}

  BalanceWatch(TollgateConfig config, int batches) {
    this.config = config;
    this.batches = batches;
  }

  /** Waits, and tells how far it is; gives up when patience ends. */
  void await(Duration patience, Consumer<String> progress) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + patience.toNanos();
    long said = -1;
    while (true) {
      state = PostgresOfConfig.with(config, connection -> look(new ResultReader(connection)));
      if (state.balanced() != said) {
        said = state.balanced();
        progress.accept("  " + said + " of " + batches + " batches are reconciled");
      }
      if (isBalanced() || System.nanoTime() - deadlineNanos > 0) {
        return;
      }
      Thread.sleep(LOOK_EVERY.toMillis());
    }
  }

  private static State look(ResultReader reader) throws java.sql.SQLException {
    return new State(
        reader.balancedBatches(), reader.openBatches(SHOWN), reader.openDifferences(SHOWN));
  }

  /** Returns whether every batch balances and nothing differs. */
  boolean isBalanced() {
    return state.balanced() >= batches && state.open().isEmpty() && state.differences().isEmpty();
  }

  /** Prints what was found last. */
  void print(PrintWriter out) {
    if (isBalanced()) {
      out.println(
          "Reconciled: "
              + batches
              + " batches balance, in counts and in money. See ./tollgate reconcile status.");
    } else {
      out.println("NOT RECONCILED: " + state.balanced() + " of " + batches + " batches balance");
      state
          .open()
          .forEach(
              batch ->
                  out.println(
                      "  " + batch.source() + " " + batch.batch() + ": " + batch.waitingFor()));
      state.differences().forEach(difference -> out.println("  " + difference));
    }
    out.flush();
  }
}
