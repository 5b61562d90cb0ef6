package io.tollgate.rerate;

import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.rating.Revision;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * What corrections make of the rows of one charge. A function of these rows and of the history up
 * to the correction that is asked for, so it is the same however often it is asked; what later
 * corrections say is left to their own runs.
 *
 * @param missing revisions up to that correction that are not there, in their order
 * @param changes what the corrections after {@code from} change, by currency
 */
record Revising(List<Charge> missing, List<Change> changes) {

  /**
   * Looks at one charge.
   *
   * @param rows its rows, in order of revisions
   * @param from the last correction whose total is the old one
   * @param to the last correction whose total is the new one
   */
  static Revising of(List<Charge> rows, Rater rater, long from, long to) {
    Charge newest = rows.get(rows.size() - 1);
    // Of several rows the newest one keeps what is right, as reconciliation sees it.
    List<Revision> revisions = rater.revisions(newest.cdr());
    List<Charge> missing = new ArrayList<>();
    Rating.Priced before = rows.get(0).rating();
    Rating.Priced after = before;
    for (Revision revision : revisions) {
      if (revision.number() > to) {
        break;
      }
      if (revision.number() <= from) {
        before = revision.total();
      }
      after = revision.total();
      if (rows.stream().noneMatch(row -> row.revision() == revision.number())) {
        missing.add(newest.withRevision(revision.number(), revision.total()));
      }
    }
    return new Revising(List.copyOf(missing), changes(newest, before, after));
  }

  private static List<Change> changes(Charge charge, Rating.Priced before, Rating.Priced after) {
    BigDecimal old = before.amount();
    BigDecimal now = after.amount();
    if (!before.currency().equals(after.currency())) {
      // Owed no longer in one currency, and owed in another.
      return List.of(
          change(charge, before, old, BigDecimal.ZERO),
          change(charge, after, BigDecimal.ZERO, now));
    }
    return old.compareTo(now) == 0 ? List.of() : List.of(change(charge, after, old, now));
  }

  private static Change change(
      Charge charge, Rating.Priced rating, BigDecimal before, BigDecimal after) {
    return new Change(
        charge.cdr().accountId(), rating.destination(), rating.currency(), 1, before, after);
  }
}
