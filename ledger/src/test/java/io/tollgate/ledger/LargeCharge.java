package io.tollgate.ledger;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rating;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The largest charge that can come out of a valid CDR: every text at its limit, 3 bytes a sign. */
final class LargeCharge {
  private static final String LONGEST = "\u20ac".repeat(CdrRules.MAX_TEXT_LENGTH);

  private LargeCharge() {}

  static Charge largest() {
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < CdrRules.MAX_ATTRIBUTES; i++) {
      attributes.put(LONGEST.substring(0, CdrRules.MAX_TEXT_LENGTH - 2) + (10 + i), LONGEST);
    }
    Cdr cdr =
        new Cdr(
            LONGEST,
            LONGEST,
            UsageType.VOICE,
            LONGEST,
            LONGEST,
            ChargeGenerator.FIRST_START_MILLIS,
            0,
            1,
            LONGEST,
            attributes,
            LONGEST,
            LONGEST);
    Rating.Priced rating =
        new Rating.Priced(
            LONGEST,
            1,
            "49",
            LONGEST,
            1,
            List.of(new Rating.Step(LONGEST, 1, BigDecimal.ONE, 1, BigDecimal.ONE)),
            BigDecimal.ONE,
            BigDecimal.ONE,
            "EUR");
    Origin origin = new Origin("s", "b", 0, 0, 0, 0);
    return new Charge(cdr, ContentFingerprint.of(cdr), origin, false, rating, 0);
  }
}
