package io.tollgate.reconcile.halt;

import io.tollgate.reconcile.message.Finding;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Lets {@link HaltExecutor} look every few seconds. Findings pass through. */
public final class StopHaltedJobs extends AbstractStreamOperator<Finding>
    implements OneInputStreamOperator<Finding, Finding> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "stop-halted-jobs";

  private static final long LOOK_EVERY_MILLIS = Duration.ofSeconds(3).toMillis();

  private final Executors executors;
  private transient HaltExecutor executor;
  private transient boolean isFailing;

  /** Makes executors; travels with the graph. */
  @FunctionalInterface
  public interface Executors extends Serializable {
    /** Makes one; asks nothing yet. */
    HaltExecutor make();
  }

  /** Creates the operator. */
  public StopHaltedJobs(Executors executors) {
    this.executors = executors;
  }

  @Override
  public void open() throws Exception {
    super.open();
    executor = executors.make();
    getMetricGroup().gauge("stopOfHaltedJobFailing", (Gauge<Integer>) () -> isFailing ? 1 : 0);
    lookLater();
  }

  private void look(long timestamp) throws InterruptedException {
    isFailing = executor.step() == HaltExecutor.Progress.FAILING;
    lookLater();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Flink fails the task if the callback throws
  private void lookLater() {
    ProcessingTimeService time = getProcessingTimeService();
    time.registerTimer(time.getCurrentProcessingTime() + LOOK_EVERY_MILLIS, this::look);
  }

  @Override
  public void processElement(StreamRecord<Finding> element) {
    output.collect(element);
  }
}
