package io.tollgate.rating.gate;

import io.tollgate.ledger.gate.GateRules;
import java.io.Serializable;
import java.time.Duration;

/**
 * How the gate is kept.
 *
 * @param rules what keeps it closed beside a halt
 * @param poll how often the ledger is asked
 * @param lease how long a reader goes on after the question whose answer was that it may
 */
public record GateSettings(GateRules rules, Duration poll, Duration lease) implements Serializable {

  /**
   * Returns settings by which the ledger's silence and a lease that is not renewed close the gate
   * at the same time.
   *
   * @param reconcileRequired whether the heartbeat of reconciliation counts
   * @param heartbeatAgeMax how long it may stand still
   */
  public static GateSettings of(
      boolean reconcileRequired, Duration heartbeatAgeMax, Duration poll, Duration lease) {
    return new GateSettings(new GateRules(reconcileRequired, heartbeatAgeMax, lease), poll, lease);
  }
}
