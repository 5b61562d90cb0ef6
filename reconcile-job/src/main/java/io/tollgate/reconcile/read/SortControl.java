package io.tollgate.reconcile.read;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.reconcile.compare.ComparePartitions;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.Finding;
import java.time.Duration;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Makes facts about batches of control messages. What cannot be read is told with its place. What
 * is older than receipts are kept is passed over: whatever became of it was judged at its time, and
 * can no longer be.
 */
public final class SortControl extends ProcessFunction<ControlFact, BatchFact> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "sort-control";

  private final Duration judgedFor;

  /** Creates the function; messages older than {@code judgedFor} are passed over. */
  public SortControl(Duration judgedFor) {
    this.judgedFor = judgedFor;
  }

  @Override
  public void processElement(ControlFact fact, Context context, Collector<BatchFact> out) {
    long nowMillis = context.timerService().currentProcessingTime();
    if (!fact.fault().isEmpty()) {
      Difference difference =
          new Difference(
              DifferenceKind.UNREADABLE_CONTROL,
              "",
              "",
              -1,
              -1,
              fact.place(),
              1,
              "a control message",
              fact.fault());
      context.output(
          ComparePartitions.FINDINGS,
          Finding.of(new Found(difference, Found.Status.CONFIRMED, "", fact.place(), nowMillis)));
    } else if (nowMillis - fact.appendMillis() <= judgedFor.toMillis()) {
      out.collect(new BatchFact(fact.source(), fact.batch(), BatchFact.Kind.CONTROL, fact.json()));
    }
  }
}
