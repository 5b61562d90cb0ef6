package io.tollgate.wire;

import io.tollgate.wire.Receipt.HistoryReach;
import java.util.Map;
import java.util.TreeMap;

/**
 * Answers, from receipts, whether every charge is rated by some correction: a rerate may read an
 * hour only from then on, because whatever is written later has its revision already. Repeats and
 * reordering change nothing.
 */
public final class HistoryReaches {
  private final Map<Integer, long[]> correctionsByParallelism = new TreeMap<>();

  /** Adds what a subtask reported. */
  public void add(HistoryReach reach) {
    if (reach.subtask() < 0 || reach.subtask() >= reach.parallelism()) {
      throw new IllegalArgumentException(
          "subtask: " + reach.subtask() + " (expected: 0 to " + (reach.parallelism() - 1) + ")");
    }
    long[] corrections = correctionsByParallelism.computeIfAbsent(reach.parallelism(), long[]::new);
    corrections[reach.subtask()] = Math.max(corrections[reach.subtask()], reach.correction());
  }

  /**
   * Returns the last correction that every subtask of some parallelism has reported; 0 if none.
   * Subtasks of one parallelism are enough, also if the job was rescaled meanwhile: each start
   * reads the history to its end, so a subtask that never reported knows at least as much.
   */
  public long everySubtask() {
    long reached = 0;
    for (long[] corrections : correctionsByParallelism.values()) {
      long least = Long.MAX_VALUE;
      for (long correction : corrections) {
        least = Math.min(least, correction);
      }
      reached = Math.max(reached, least);
    }
    return reached;
  }
}
