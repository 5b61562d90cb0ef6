package io.tollgate.rerate;

import io.tollgate.settlement.Rerates;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Records how far the run is and what it changes, and at its end that it is through. The one
 * subtask of this operator counts units in its state, so a unit that is done again after a restart
 * counts once.
 */
final class RecordRun extends AbstractStreamOperator<Void>
    implements TwoInputStreamOperator<Change, UnitDone, Void>, BoundedMultiInput {
  /** Uid of the operator. */
  static final String UID = "record";

  private static final int TOTALS_AT_ONCE = 1_000;

  private final String run;
  private final long units;
  private final RunStore.Factory stores;
  private transient RunStore store;
  private transient List<Rerates.Total> totals;
  private transient ListState<Long> counted;
  private transient long unitsDone;
  private transient long charges;
  private transient long missing;
  private transient int inputsEnded;

  RecordRun(String run, long units, RunStore.Factory stores) {
    this.run = run;
    this.units = units;
    this.stores = stores;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    counted =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>("counted", Types.LONG));
    List<Long> before = new ArrayList<>();
    counted.get().forEach(before::add);
    if (!before.isEmpty()) {
      unitsDone = before.get(0);
      charges = before.get(1);
      missing = before.get(2);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    totals = new ArrayList<>();
    store = stores.open();
  }

  @Override
  public void processElement1(StreamRecord<Change> element) throws Exception {
    Change change = element.getValue();
    totals.add(
        new Rerates.Total(
            change.account(),
            change.destination(),
            change.currency(),
            change.charges(),
            change.before(),
            change.after()));
    if (totals.size() == TOTALS_AT_ONCE) {
      recordTotals();
    }
  }

  @Override
  public void processElement2(StreamRecord<UnitDone> element) {
    UnitDone unit = element.getValue();
    unitsDone++;
    charges += unit.charges();
    missing += unit.missing();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    recordTotals();
    store.progress(run, progress());
    counted.update(List.of(unitsDone, charges, missing));
  }

  @Override
  public void endInput(int input) throws Exception {
    inputsEnded++;
    if (inputsEnded < 2) {
      return;
    }
    if (unitsDone != units) {
      throw new IllegalStateException(
          "units: " + unitsDone + " are done (expected: all " + units + ")");
    }
    recordTotals();
    store.finish(run, progress());
  }

  private void recordTotals() throws Exception {
    if (!totals.isEmpty()) {
      store.totals(run, totals);
      totals.clear();
    }
  }

  private Rerates.Progress progress() {
    return new Rerates.Progress(unitsDone, charges, missing);
  }

  @Override
  public void close() throws Exception {
    RunStore opened = store; // null if the task ended before open
    if (opened != null) {
      opened.close();
    }
    super.close();
  }
}
