package io.tollgate.ledger;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rating;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes charges, the same for the same seed. */
final class ChargeGenerator {
  static final long FIRST_START_MILLIS = Instant.parse("2026-03-29T00:00:00Z").toEpochMilli();
  private static final int ACCOUNTS = 50;

  private final Random random;
  private final long spreadMillis;
  private long count;

  ChargeGenerator(long seed) {
    this(seed, Duration.ofHours(3));
  }

  /**
   * @param spread starts lie within this time
   */
  ChargeGenerator(long seed, Duration spread) {
    random = new Random(seed);
    spreadMillis = spread.toMillis();
  }

  List<Charge> take(int charges) {
    List<Charge> made = new ArrayList<>(charges);
    for (int i = 0; i < charges; i++) {
      made.add(next());
    }
    return made;
  }

  /** Returns a charge of an event that this generator has not made before. */
  Charge next() {
    String account = "account-" + random.nextInt(ACCOUNTS);
    long start = FIRST_START_MILLIS + random.nextLong(spreadMillis);
    return charge(account, "pbx-1/" + count++, start, amount());
  }

  /** Returns the same event with another amount, as a faulty second rating would make it. */
  static Charge withAmount(Charge charge, String amount) {
    Rating.Priced rating = charge.rating();
    return new Charge(
        charge.cdr(),
        charge.fingerprint(),
        charge.origin(),
        charge.late(),
        new Rating.Priced(
            rating.plan(),
            rating.tariffVersion(),
            rating.prefix(),
            rating.destination(),
            rating.chargedUsage(),
            rating.steps(),
            rating.unroundedAmount(),
            new BigDecimal(amount),
            rating.currency()),
        charge.revision());
  }

  static Charge withRevision(Charge charge, long revision) {
    return new Charge(
        charge.cdr(),
        charge.fingerprint(),
        charge.origin(),
        charge.late(),
        charge.rating(),
        revision);
  }

  Charge charge(String account, String event, long startMillis, BigDecimal amount) {
    Cdr cdr =
        new Cdr(
            event,
            account,
            List.of(UsageType.values()).get(random.nextInt(UsageType.values().length)),
            "+4930231250" + (10 + random.nextInt(90)),
            "+4477009000" + (10 + random.nextInt(90)),
            startMillis,
            7200,
            random.nextInt(600_000),
            "ANSWERED",
            attributes(),
            random.nextBoolean() ? "" : "0" + random.nextInt(1000),
            "J\u00fcrgen \u2013 \ud83d\udcde");
    Origin origin =
        new Origin(
            "pbx-1",
            "batch-" + random.nextInt(5),
            count,
            random.nextInt(8),
            random.nextInt(1_000_000),
            startMillis + 60_000);
    return new Charge(
        cdr, ContentFingerprint.of(cdr), origin, random.nextBoolean(), rating(amount), 0);
  }

  private Rating.Priced rating(BigDecimal amount) {
    List<Rating.Step> steps = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      steps.add(new Rating.Step("step " + i, 60_000, new BigDecimal("0.0190"), 60_000, amount()));
    }
    return new Rating.Priced(
        "business",
        random.nextInt(20),
        "4477",
        "UK mobile",
        60_000,
        List.copyOf(steps),
        amount.setScale(amount.scale() + 2),
        amount,
        random.nextBoolean() ? "EUR" : "GBP");
  }

  private BigDecimal amount() {
    int digits = 1 + random.nextInt(70);
    return new BigDecimal(new BigInteger(digits, random), random.nextInt(7));
  }

  private Map<String, String> attributes() {
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      attributes.put("name-" + i, "value-" + random.nextInt(100));
    }
    return attributes;
  }
}
