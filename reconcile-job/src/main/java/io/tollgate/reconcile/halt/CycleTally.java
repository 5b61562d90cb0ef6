package io.tollgate.reconcile.halt;

import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.reconcile.message.CycleShare;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells when a cycle is complete: when every subtask of every comparing operator has finished that
 * cycle or a later one. A subtask that is late skips cycles, so the slowest one sets the pace.
 */
final class CycleTally {
  private final Set<String> stages;
  private final Map<String, Map<Integer, CycleShare>> newest = new HashMap<>();
  private long complete = Long.MIN_VALUE;
  private long startedMillis = Long.MAX_VALUE;
  private long partitionsRead;
  private long rowsRead;
  private long batchesJudged;

  /** Creates a tally of these operators. */
  CycleTally(Set<String> stages) {
    this.stages = stages;
  }

  /** Takes in a share; returns the cycle that is complete with it, if one is. */
  Optional<ReconcileResult.Cycle> add(CycleShare share, long nowMillis) {
    newest.computeIfAbsent(share.stage(), stage -> new HashMap<>()).put(share.subtask(), share);
    startedMillis = Math.min(startedMillis, share.startedMillis());
    partitionsRead += share.partitionsRead();
    rowsRead += share.rowsRead();
    batchesJudged += share.batchesJudged();
    long slowest = Long.MAX_VALUE;
    long differences = 0;
    for (String stage : stages) {
      Map<Integer, CycleShare> shares = newest.getOrDefault(stage, Map.of());
      for (CycleShare each : shares.values()) {
        slowest = Math.min(slowest, each.cycle());
        differences += each.differences();
        if (shares.size() < each.parallelism()) {
          return Optional.empty();
        }
      }
      if (shares.isEmpty()) {
        return Optional.empty();
      }
    }
    if (slowest <= complete) {
      return Optional.empty();
    }
    complete = slowest;
    ReconcileResult.Cycle cycle =
        new ReconcileResult.Cycle(
            slowest,
            startedMillis,
            nowMillis,
            partitionsRead,
            rowsRead,
            batchesJudged,
            differences);
    startedMillis = Long.MAX_VALUE;
    partitionsRead = 0;
    rowsRead = 0;
    batchesJudged = 0;
    return Optional.of(cycle);
  }
}
