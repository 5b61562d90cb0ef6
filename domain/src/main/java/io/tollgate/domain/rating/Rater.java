package io.tollgate.domain.rating;

import io.tollgate.domain.cdr.Cdr;

/**
 * Prices a CDR. A pure function of the CDR and the tariff history it stands for: the same on any
 * machine, in any order, at any time.
 */
public interface Rater {
  /** Returns the price of {@code cdr}, or why it has none. Never throws for a valid CDR. */
  Rating rate(Cdr cdr);
}
