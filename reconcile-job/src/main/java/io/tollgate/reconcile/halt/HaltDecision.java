package io.tollgate.reconcile.halt;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.ledger.gate.Resolution;
import io.tollgate.reconcile.halt.HaltDesk.Recorded;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a difference that was confirmed or is gone.
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
public final class HaltDecision {
  private static final Logger LOG = LoggerFactory.getLogger(HaltDecision.class);

  private HaltDecision() {}

  /** Halts charging for a difference if that is due; returns it with what became of it. */
  public static Found of(Found found, HaltDesk desk, HaltPolicy policy) {
    Difference difference = found.difference();
    Optional<Recorded> recorded = desk.find(difference);
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
    desk.raise(difference, found.example());
    LOG.error(
        "Charging is halted: {}. See ./tollgate halt status, then ./tollgate halt acknowledge {}.",
        difference.text(),
        difference.id());
    return with(found, Status.CONFIRMED, difference.id());
  }

  private static Found with(Found found, Status status, String haltId) {
    return new Found(found.difference(), status, haltId, found.example(), found.atMillis());
  }
}
