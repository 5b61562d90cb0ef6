package io.tollgate.rating;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rating;
import java.util.Map;

/** Results as deduplication and rating hand them on. */
public final class TestResults {
  private TestResults() {}

  public static Result rated(Cdr cdr, Origin origin) {
    return rated(cdr, origin, false);
  }

  public static Result rated(Cdr cdr, Origin origin, boolean late) {
    long fingerprint = ContentFingerprint.of(cdr);
    Rating.Priced price = (Rating.Priced) TestCdrs.rate(cdr);
    Charge charge = new Charge(cdr, fingerprint, origin, late, price, 0);
    return new Result(charge, origin, cdr, fingerprint, late, null, "", null, null, Map.of(), 7, 0);
  }

  public static Result unrated(Cdr cdr, Origin origin, Reason reason) {
    return new Result(
        null,
        origin,
        cdr,
        ContentFingerprint.of(cdr),
        false,
        reason,
        "found (expected: other)",
        null,
        null,
        Map.of(),
        7,
        0);
  }

  public static Result unreadable(Origin origin, Reason reason) {
    return new Result(
        null, origin, null, 0, false, reason, "", null, new byte[] {1}, Map.of(), 7, 0);
  }

  public static Origin origin(String batch, long seq) {
    return new Origin("pbx", batch, seq, (int) (seq % 4), 1000 + seq, TestCdrs.NOON);
  }
}
