package io.tollgate.domain.ledger;

import java.io.Serializable;
import java.util.List;

/**
 * How charges have been placed over time. A change of buckets or of salted accounts applies from an
 * hour on that has not begun yet, so every event has one place for ever: the one of its own hour.
 *
 * @param eras in order of their first hour; the first one reaches back without end
 */
public record LedgerLayout(List<Era> eras) implements Serializable {

  /**
   * A placement and when it starts to apply.
   *
   * @param fromHour first usage hour, hours since 1970; of no meaning for the first era
   * @param placement where charges of that time lie
   */
  public record Era(long fromHour, Placement placement) implements Serializable {}

  public LedgerLayout {
    eras = List.copyOf(eras);
    if (eras.isEmpty()) {
      throw new IllegalArgumentException("ledger layout: empty (expected: at least one era)");
    }
    for (int i = 2; i < eras.size(); i++) {
      if (eras.get(i).fromHour() <= eras.get(i - 1).fromHour()) {
        throw new IllegalArgumentException(
            "ledger layout: era "
                + i
                + " starts at hour "
                + eras.get(i).fromHour()
                + " (expected: after hour "
                + eras.get(i - 1).fromHour()
                + ")");
      }
    }
  }

  /** Returns a layout that never changed. */
  public static LedgerLayout always(Placement placement) {
    return new LedgerLayout(List.of(new Era(0, placement)));
  }

  /** Returns the placement of charges of a usage hour. */
  public Placement at(long usageHour) {
    for (int i = eras.size() - 1; i > 0; i--) {
      if (eras.get(i).fromHour() <= usageHour) {
        return eras.get(i).placement();
      }
    }
    return eras.get(0).placement();
  }
}
