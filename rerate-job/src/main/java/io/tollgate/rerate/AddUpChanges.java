package io.tollgate.rerate;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Adds up what changes for an account and a destination, and tells the sum when all is read. */
final class AddUpChanges extends KeyedProcessFunction<String, Change, Change> {
  /** Uid of the operator. */
  static final String UID = "add-up";

  /** The end of bounded input moves event time behind every timer. */
  private static final long END = Long.MAX_VALUE;

  private transient ValueState<Change> sum;

  @Override
  public void open(OpenContext context) {
    sum =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("sum", TypeInformation.of(Change.class)));
  }

  @Override
  public void processElement(Change change, Context context, Collector<Change> out)
      throws Exception {
    Change before = sum.value();
    if (before == null) {
      context.timerService().registerEventTimeTimer(END);
    }
    sum.update(before == null ? change : before.plus(change));
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<Change> out)
      throws Exception {
    out.collect(sum.value());
    sum.clear();
  }
}
