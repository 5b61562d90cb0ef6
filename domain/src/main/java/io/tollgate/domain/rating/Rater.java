package io.tollgate.domain.rating;

import io.tollgate.domain.cdr.Cdr;
import java.util.List;

/**
 * Prices a CDR. A pure function of the CDR and the tariff history it stands for: the same on any
 * machine, in any order, at any time.
 */
public interface Rater {
  /** Returns the price of {@code cdr}, or why it has none. Never throws for a valid CDR. */
  Rating rate(Cdr cdr);

  /**
   * Returns the totals that corrections gave a CDR that {@link #rate} has a price for, in their
   * order; none if no correction concerns it. The price of {@link #rate} ignores them.
   */
  default List<Revision> revisions(Cdr cdr) {
    return List.of();
  }
}
