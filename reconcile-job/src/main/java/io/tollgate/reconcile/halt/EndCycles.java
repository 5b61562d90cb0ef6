package io.tollgate.reconcile.halt;

import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.reconcile.compare.CompareBatches;
import io.tollgate.reconcile.compare.ComparePartitions;
import io.tollgate.reconcile.compare.CompareSettings;
import io.tollgate.reconcile.message.CycleShare;
import io.tollgate.reconcile.message.Finding;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Records complete cycles with the halts as they are then, and beats for each, so that charging
 * goes on.
 */
public final class EndCycles extends ProcessFunction<CycleShare, Finding> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "end-cycles";

  private final CompareSettings settings;
  private final HaltDesk.Desks desks;
  private transient @Nullable HaltDesk desk;
  private transient CycleTally tally;
  private transient long lastFinishedMillis;
  private transient long lastDurationMillis;
  private transient long lastDifferences;
  private transient @Nullable HaltMirror mirror;

  /** Creates the function. */
  public EndCycles(CompareSettings settings, HaltDesk.Desks desks) {
    this.settings = settings;
    this.desks = desks;
  }

  @Override
  public void open(OpenContext context) {
    HaltDesk opened = desks.open();
    desk = opened;
    mirror = new HaltMirror(opened);
    tally = new CycleTally(Set.of(ComparePartitions.STAGE, CompareBatches.STAGE));
    lastFinishedMillis = System.currentTimeMillis();
    getRuntimeContext()
        .getMetricGroup()
        .gauge(
            "cycleAgeMillis", (Gauge<Long>) () -> System.currentTimeMillis() - lastFinishedMillis);
    getRuntimeContext()
        .getMetricGroup()
        .gauge("cycleDurationMillis", (Gauge<Long>) () -> lastDurationMillis);
    getRuntimeContext()
        .getMetricGroup()
        .gauge("openDifferences", (Gauge<Long>) () -> lastDifferences);
  }

  @Override
  public void processElement(CycleShare share, Context context, Collector<Finding> out) {
    long nowMillis = context.timerService().currentProcessingTime();
    Optional<ReconcileResult.Cycle> complete = tally.add(share, nowMillis);
    if (complete.isEmpty()) {
      return;
    }
    ReconcileResult.Cycle cycle = complete.get();
    HaltDesk opened = desk;
    HaltMirror halts = mirror;
    if (opened == null || halts == null) {
      throw new IllegalStateException("not opened");
    }
    opened.beat();
    lastDifferences = cycle.differences();
    lastFinishedMillis = nowMillis;
    lastDurationMillis = nowMillis - cycle.startedMillis();
    out.collect(
        Finding.of(
            new ReconcileResult.Cycle(
                settings.beginSeconds(cycle.cycle()),
                cycle.startedMillis(),
                cycle.finishedMillis(),
                cycle.partitionsRead(),
                cycle.rowsRead(),
                cycle.batchesJudged(),
                cycle.differences())));
    halts.look(nowMillis).forEach(result -> out.collect(Finding.of(result)));
  }

  @Override
  public void close() {
    HaltDesk opened = desk;
    if (opened != null) {
      opened.close();
    }
  }
}
