package io.tollgate.reconcile.halt;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.ledger.gate.Resolution;
import io.tollgate.reconcile.halt.HaltDesk.Recorded;
import io.tollgate.reconcile.message.Finding;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Halts charging for each confirmed difference, and says what has become of it. Everything else
 * passes through.
 *
 * <table>
 *   <caption>What becomes of a difference</caption>
 *   <tr><th>found</th><th>recorded</th><th>status</th></tr>
 *   <tr><td>confirmed</td><td>never</td><td>CONFIRMED, and a halt is raised if the policy says
 *       so</td></tr>
 *   <tr><td>confirmed</td><td>its halt is open</td><td>CONFIRMED</td></tr>
 *   <tr><td>confirmed</td><td>written off</td><td>WRITTEN_OFF</td></tr>
 *   <tr><td>confirmed</td><td>another resolution</td><td>RESOLVING: not through yet</td></tr>
 *   <tr><td>gone</td><td>written off</td><td>WRITTEN_OFF</td></tr>
 *   <tr><td>gone</td><td>otherwise</td><td>GONE</td></tr>
 * </table>
 */
public final class RaiseHalts extends ProcessFunction<Finding, Finding> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "raise-halts";

  private static final Logger LOG = LoggerFactory.getLogger(RaiseHalts.class);

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
    out.collect(result instanceof Found found ? Finding.of(decide(found, opened)) : finding);
  }

  private Found decide(Found found, HaltDesk opened) {
    Difference difference = found.difference();
    Optional<Recorded> recorded = opened.find(difference);
    Optional<Resolution> resolution = recorded.flatMap(Recorded::resolution);
    if (resolution.filter(each -> each == Resolution.WRITE_OFF).isPresent()) {
      return with(found, Status.WRITTEN_OFF, difference.id());
    }
    if (found.status() == Status.GONE) {
      return with(found, Status.GONE, recorded.isPresent() ? difference.id() : "");
    }
    if (recorded.isPresent()) {
      return with(
          found, resolution.isPresent() ? Status.RESOLVING : Status.CONFIRMED, difference.id());
    }
    if (!policy.halts(difference)) {
      LOG.warn("{}. See ./tollgate reconcile status.", difference.text());
      return with(found, Status.CONFIRMED, "");
    }
    opened.raise(difference, found.example());
    LOG.error(
        "Charging is halted: {}. See ./tollgate halt status, then ./tollgate halt acknowledge {}.",
        difference.text(),
        difference.id());
    return with(found, Status.CONFIRMED, difference.id());
  }

  private static Found with(Found found, Status status, String haltId) {
    return new Found(found.difference(), status, haltId, found.example(), found.atMillis());
  }

  @Override
  public void close() {
    HaltDesk opened = desk;
    if (opened != null) {
      opened.close();
    }
  }
}
