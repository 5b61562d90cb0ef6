package io.tollgate.cli;

import io.tollgate.domain.ledger.Charge;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The charges of one identity in several usage hours: the one that came first stands. */
final class RepeatedCharges {
  private static final Comparator<Charge> FIRST_TO_COME =
      Comparator.comparingLong((Charge charge) -> charge.origin().appendMillis())
          .thenComparing(charge -> charge.origin().partition())
          .thenComparing(charge -> charge.origin().offset())
          .thenComparing(Charge::usageHour);

  private RepeatedCharges() {}

  /**
   * Returns the charges that something is owed for but the one whose record came first.
   *
   * @param rows all rows of the identity, all revisions
   */
  static List<Charge> afterTheFirst(List<Charge> rows) {
    Map<Long, Charge> newest = new HashMap<>();
    rows.forEach(
        row ->
            newest.merge(
                row.usageHour(), row, (one, two) -> one.revision() < two.revision() ? two : one));
    return rows.stream()
        .filter(row -> row.revision() == 0)
        .filter(row -> isOwed(newest.getOrDefault(row.usageHour(), row)))
        .sorted(FIRST_TO_COME)
        .skip(1)
        .toList();
  }

  private static boolean isOwed(Charge newest) {
    return newest.revision() == 0 || newest.rating().amount().signum() != 0;
  }
}
