package io.tollgate.domain.ledger;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.rating.Rating;
import java.util.Objects;

/**
 * One row of the ledger: a CDR with all that pricing used and gave.
 *
 * @param cdr the record that was priced
 * @param fingerprint {@link io.tollgate.domain.cdr.ContentFingerprint} of {@code cdr}
 * @param origin where the record that was charged came from
 * @param late whether it arrived after the watermark had passed its start
 * @param rating what it cost and why
 * @param revision 0 for the charge itself; n &gt; 0 for the new total after entry n of the
 *     correction history
 */
public record Charge(
    Cdr cdr, long fingerprint, Origin origin, boolean late, Rating.Priced rating, long revision) {

  public Charge {
    Objects.requireNonNull(cdr, "cdr");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(rating, "rating");
  }

  /** Returns the row beside this one that a correction gives it. */
  public Charge withRevision(long number, Rating.Priced total) {
    return new Charge(cdr, fingerprint, origin, late, total, number);
  }

  /** Returns the hour that the row lies in: hours since 1970 in UTC, from the start of usage. */
  public long usageHour() {
    return Placement.usageHour(cdr.startMillis());
  }
}
