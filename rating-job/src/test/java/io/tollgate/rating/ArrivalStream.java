package io.tollgate.rating;

import static io.tollgate.rating.TestCdrs.DAY;
import static io.tollgate.rating.TestCdrs.NOON;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rating;
import io.tollgate.rating.ingest.Arrival;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * A seeded stream of arrivals with repeats, conflicts, wrong time zones, late, unpriced, redriven
 * and refused ones, and what a naive reader makes of it. The stream has parts of equal length;
 * accounts of different parts differ, as those of partitions do, so that the parts may be read side
 * by side.
 */
public final class ArrivalStream {
  private static final int ACCOUNTS_PER_PART = 150;
  private static final long MEAN_STEP_MILLIS = 7_000;
  private static final int BATCH_RECORDS = 4_000;

  private final List<Arrival> arrivals = new ArrayList<>();
  private final Map<String, Cdr> ratedByIdentity = new HashMap<>();
  private final Map<String, Charge> rows = new HashMap<>();
  private final Map<String, NavigableMap<Long, Outcome>> outcomes = new HashMap<>();
  private final Random random;

  private ArrivalStream(long seed) {
    random = new Random(seed);
  }

  public static ArrivalStream generate(long seed, int parts, int partSize) {
    ArrivalStream stream = new ArrivalStream(seed);
    for (int part = 0; part < parts; part++) {
      stream.generatePart(part, partSize);
    }
    return stream;
  }

  public List<Arrival> arrivals() {
    return arrivals;
  }

  /** Rows that the ledger must hold, by usage hour, account and event. */
  public Map<String, Charge> rows() {
    return rows;
  }

  /** Outcomes by batch-seq that receipts must give, of each batch. */
  public Map<String, NavigableMap<Long, Outcome>> outcomes() {
    return outcomes;
  }

  private void generatePart(int part, int size) {
    List<Cdr> priced = new ArrayList<>();
    List<Cdr> unpriced = new ArrayList<>();
    for (int offset = 0; offset < size; offset++) {
      Origin origin = origin(part, offset);
      int kind = priced.isEmpty() || unpriced.isEmpty() ? offset % 2 : random.nextInt(100);
      if (kind == 99) {
        refuse(origin);
        continue;
      }
      Cdr cdr = cdr(part, offset, kind, priced, unpriced);
      arrivals.add(Arrival.of(origin, cdr));
      judge(origin, cdr);
    }
  }

  private Cdr cdr(int part, int offset, int kind, List<Cdr> priced, List<Cdr> unpriced) {
    long start = NOON + offset * MEAN_STEP_MILLIS - random.nextInt(3_000_000);
    String account = "account-" + part + "-" + random.nextInt(ACCOUNTS_PER_PART);
    String event = "switch/" + part + "-" + offset;
    if (kind == 0) {
      return remember(unpriced, TestCdrs.unpriced(account, event, start));
    }
    if (kind < 70) {
      return remember(priced, TestCdrs.call(account, event, start, random.nextInt(600_000)));
    }
    if (kind < 80) {
      return TestCdrs.call(account, event, start - 3 * DAY, 1000);
    }
    if (kind < 88) {
      return any(priced);
    }
    if (kind < 91) {
      return with(any(priced), 0, 777_000);
    }
    if (kind < 94) {
      int hours = random.nextInt(53) - 26;
      Cdr rated = any(priced);
      return with(rated, hours * 3_600_000L, rated.usage());
    }
    if (kind < 96) {
      return any(unpriced);
    }
    Cdr withoutPrice = any(unpriced);
    return TestCdrs.call(
        withoutPrice.accountId(), withoutPrice.eventId(), withoutPrice.startMillis(), 1000);
  }

  private void judge(Origin origin, Cdr cdr) {
    Cdr rated = ratedByIdentity.get(InMemoryLedger.key(cdr));
    if (rated != null) {
      boolean same = ContentFingerprint.of(rated) == ContentFingerprint.of(cdr);
      note(origin, same ? Outcome.DUPLICATE : Outcome.CONFLICT);
    } else if (TestCdrs.rate(cdr) instanceof Rating.Priced price) {
      ratedByIdentity.put(InMemoryLedger.key(cdr), cdr);
      Charge charge = new Charge(cdr, ContentFingerprint.of(cdr), origin, false, price, 0);
      rows.put(InMemoryLedger.rowKey(cdr, charge.usageHour()), charge);
      note(origin, Outcome.RATED);
    } else {
      note(origin, Outcome.SUSPENDED);
    }
  }

  private void refuse(Origin origin) {
    byte[] value = {1, 2, 3};
    Reason reason = random.nextBoolean() ? Reason.UNREADABLE : Reason.BAD_LINE;
    arrivals.add(new Arrival(origin, null, reason, "no CDR", null, value, Map.of()));
    note(origin, Outcome.REJECTED);
  }

  private void note(Origin origin, Outcome outcome) {
    outcomes
        .computeIfAbsent(origin.source() + "\n" + origin.batch(), batch -> new TreeMap<>())
        .put(origin.batchSeq(), outcome);
  }

  private static Origin origin(int part, int offset) {
    String batch = "part-" + part + "-batch-" + offset / BATCH_RECORDS;
    return new Origin("source-" + part, batch, offset % BATCH_RECORDS, part, offset, NOON + offset);
  }

  private static Cdr remember(List<Cdr> cdrs, Cdr cdr) {
    cdrs.add(cdr);
    return cdr;
  }

  private Cdr any(List<Cdr> cdrs) {
    return cdrs.get(random.nextInt(cdrs.size()));
  }

  private static Cdr with(Cdr cdr, long shiftMillis, long usage) {
    return new Cdr(
        cdr.eventId(),
        cdr.accountId(),
        UsageType.VOICE,
        cdr.calling(),
        cdr.called(),
        cdr.startMillis() + shiftMillis,
        cdr.utcOffsetSeconds(),
        usage,
        cdr.cause(),
        cdr.attributes(),
        cdr.callingOriginal(),
        cdr.calledOriginal());
  }
}
