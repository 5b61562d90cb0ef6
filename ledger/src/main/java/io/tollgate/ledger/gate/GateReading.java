package io.tollgate.ledger.gate;

import java.util.List;
import java.util.OptionalLong;

/**
 * What one poll found.
 *
 * @param openHalts ids of the halts that have a difference without a resolution
 * @param heartbeat number that reconciliation recorded last; empty if it never did
 */
public record GateReading(List<String> openHalts, OptionalLong heartbeat) {
  public GateReading {
    openHalts = List.copyOf(openHalts);
  }
}
