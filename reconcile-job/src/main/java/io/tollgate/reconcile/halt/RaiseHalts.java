package io.tollgate.reconcile.halt;

import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.reconcile.message.Finding;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Halts charging for each confirmed difference, and says what has become of it ({@link
 * HaltDecision}). Everything else passes through.
 */
public final class RaiseHalts extends ProcessFunction<Finding, Finding> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "raise-halts";

  private final HaltPolicy policy;
  private final HaltDesk.Desks desks;
  private transient @Nullable HaltDesk desk;

  /** Creates the function. */
  public RaiseHalts(HaltPolicy policy, HaltDesk.Desks desks) {
    this.policy = policy;
    this.desks = desks;
  }

  @Override
  public void open(OpenContext context) {
    desk = desks.open();
  }

  @Override
  public void processElement(Finding finding, Context context, Collector<Finding> out) {
    ReconcileResult result = finding.result();
    HaltDesk opened = desk;
    if (opened == null) {
      throw new IllegalStateException("not opened");
    }
    out.collect(
        result instanceof Found found
            ? Finding.of(HaltDecision.of(found, opened, policy))
            : finding);
  }

  @Override
  public void close() {
    HaltDesk opened = desk;
    if (opened != null) {
      opened.close();
    }
  }
}
