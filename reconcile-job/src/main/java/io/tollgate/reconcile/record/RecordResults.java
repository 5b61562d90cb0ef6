package io.tollgate.reconcile.record;

import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.reconcile.compare.CompareSettings;
import io.tollgate.reconcile.halt.HaltDecision;
import io.tollgate.reconcile.halt.HaltDesk;
import io.tollgate.reconcile.halt.HaltPolicy;
import io.tollgate.reconcile.message.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Records results in the database, and keeps in state what could not be recorded yet: a database
 * that is down delays what people see, and stops no cycle. Of each key only the newest result
 * waits, so what is kept is bounded by what there is to know, not by how long the database is away.
 *
 * <p>Settles once a cycle, when everything is recorded. What settlement finds to be other than it
 * was settled halts charging like any other difference.
 */
public final class RecordResults extends KeyedProcessFunction<Byte, Finding, Void> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "record-results";

  private static final int AT_A_TIME = 1_000;
  private static final long EVERY_MILLIS = 1_000;
  private static final long PAUSE_AFTER_FAILURE_MILLIS = 5_000;

  private final CompareSettings settings;
  private final ResultStore.Factory stores;
  private final HaltDesk.Desks desks;
  private final HaltPolicy policy;
  private transient @Nullable ResultStore store;
  private transient @Nullable HaltDesk desk;
  private transient MapState<String, Finding> waiting;
  private transient long waitingSinceMillis;
  private transient long nextSettlementMillis;
  private transient Counter linesSettled;

  /** How many results wait; -1 until they are counted, after a start. */
  private transient long waitingCount;

  /** Creates the function. */
  public RecordResults(
      CompareSettings settings,
      HaltPolicy policy,
      ResultStore.Factory stores,
      HaltDesk.Desks desks) {
    this.policy = policy;
    this.settings = settings;
    this.stores = stores;
    this.desks = desks;
  }

  @Override
  public void open(OpenContext context) {
    store = stores.open();
    desk = desks.open();
    waiting =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "waiting", Types.STRING, TypeInformation.of(Finding.class)));
    waitingCount = -1;
    linesSettled = getRuntimeContext().getMetricGroup().counter("linesSettled");
    getRuntimeContext()
        .getMetricGroup()
        .gauge("resultsWaiting", (Gauge<Long>) () -> Math.max(0, waitingCount));
    getRuntimeContext()
        .getMetricGroup()
        .gauge(
            "resultsWaitingForMillis",
            (Gauge<Long>)
                () ->
                    waitingSinceMillis == 0 ? 0L : System.currentTimeMillis() - waitingSinceMillis);
  }

  @Override
  public void processElement(Finding finding, Context context, Collector<Void> out)
      throws Exception {
    keep(finding);
    long nowMillis = context.timerService().currentProcessingTime();
    context
        .timerService()
        .registerProcessingTimeTimer((nowMillis / EVERY_MILLIS + 1) * EVERY_MILLIS);
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<Void> out)
      throws Exception {
    ResultStore opened = store;
    if (opened == null) {
      throw new IllegalStateException("not opened");
    }
    countAfterAStart();
    while (true) {
      Map<String, ReconcileResult> next = new HashMap<>();
      for (Map.Entry<String, Finding> each : waiting.entries()) {
        next.put(each.getKey(), each.getValue().result());
        if (next.size() == AT_A_TIME) {
          break;
        }
      }
      long nowMillis = context.timerService().currentProcessingTime();
      if (next.isEmpty()) {
        waitingSinceMillis = 0;
        if (nowMillis >= nextSettlementMillis) {
          nextSettlementMillis = settings.nextCycleMillis(nowMillis);
          if (settle(opened)) {
            context.timerService().registerProcessingTimeTimer(nowMillis + EVERY_MILLIS);
          }
        }
        return;
      }
      if (!opened.record(List.copyOf(next.values()))) {
        if (waitingSinceMillis == 0) {
          waitingSinceMillis = nowMillis;
        }
        context.timerService().registerProcessingTimeTimer(nowMillis + PAUSE_AFTER_FAILURE_MILLIS);
        return;
      }
      for (String key : new ArrayList<>(next.keySet())) {
        waiting.remove(key);
      }
      waitingCount -= next.size();
    }
  }

  private void keep(Finding finding) throws Exception {
    String key = key(finding.result());
    countAfterAStart();
    if (!waiting.contains(key)) {
      waitingCount++;
    }
    waiting.put(key, finding);
  }

  private void countAfterAStart() throws Exception {
    if (waitingCount >= 0) {
      return;
    }
    long count = 0;
    for (String each : waiting.keys()) {
      count += each.isEmpty() ? 0 : 1;
    }
    waitingCount = count;
  }

  /** Settles; returns whether something was found that is to be recorded. */
  private boolean settle(ResultStore opened) throws Exception {
    HaltDesk openedDesk = desk;
    if (openedDesk == null) {
      throw new IllegalStateException("not opened");
    }
    ResultStore.Settled settled = opened.settle(openedDesk.isHalted());
    linesSettled.inc(settled.lines());
    for (Found each : settled.found()) {
      keep(Finding.of(HaltDecision.of(each, openedDesk, policy)));
    }
    return !settled.found().isEmpty();
  }

  /** Results of the same key replace each other. */
  static String key(ReconcileResult result) {
    if (result instanceof ReconcileResult.Cycle cycle) {
      return "cycle\n" + cycle.cycle();
    } else if (result instanceof ReconcileResult.Batch batch) {
      return "batch\n" + batch.source() + "\n" + batch.batch();
    } else if (result instanceof ReconcileResult.Partition partition) {
      return "partition\n"
          + partition.usageHour()
          + "\n"
          + partition.bucket()
          + "\n"
          + partition.source();
    } else if (result instanceof ReconcileResult.Found found) {
      return "difference\n" + found.difference().id();
    } else if (result instanceof ReconcileResult.Source source) {
      return "source\n" + source.source();
    } else if (result instanceof ReconcileResult.Halt halt) {
      return "halt\n" + halt.haltId();
    }
    return "acknowledgement\n" + ((ReconcileResult.Acknowledgement) result).haltId();
  }

  @Override
  public void close() {
    ResultStore opened = store;
    if (opened != null) {
      opened.close();
    }
    HaltDesk openedDesk = desk;
    if (openedDesk != null) {
      openedDesk.close();
    }
  }
}
