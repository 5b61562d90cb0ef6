package io.tollgate.domain.tariff;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.rating.Revision;
import io.tollgate.domain.tariff.Correction.ChargeKey;
import io.tollgate.domain.tariff.Correction.Prices;
import io.tollgate.domain.tariff.Correction.Reprice;
import io.tollgate.domain.tariff.Correction.VoidCharge;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was published: the newest book, and the corrections in their order. Immutable.
 *
 * <table>
 *   <caption>Which book prices a CDR</caption>
 *   <tr><th>question</th><th>answer</th></tr>
 *   <tr><td>revision 0, usage in no corrected interval</td><td>the newest book, which cannot change
 *       a price of the past</td></tr>
 *   <tr><td>revision 0, usage in corrected intervals</td><td>the book before the first of these
 *       corrections; if it has no price, the book before the second, and so on: a price that was
 *       added later where there was none</td></tr>
 *   <tr><td>revision n</td><td>the book of correction n</td></tr>
 * </table>
 *
 * All of it is a function of the CDR and the history up to n, so whoever writes a revision, rating
 * or a rerate, writes the same.
 */
public final class TariffHistory implements Rater {
  /**
   * A call may begin so long before a corrected interval and yet be concerned; and a price that is
   * published after a correction may begin only so long after its interval, so that no call that is
   * under way then misses it.
   */
  public static final long LONGEST_CALL_MILLIS = Duration.ofDays(1).toMillis();

  /** Before anything was published. */
  public static final TariffHistory EMPTY = new TariffHistory(null, List.of());

  private final @Nullable TariffBook newest;
  private final List<Step> steps;
  private final Map<ChargeKey, Integer> firstStepByKey = new HashMap<>();
  private final boolean hasPrices;
  private final long correctedToMillis;

  /** A correction, and the newest book before it. */
  private record Step(Correction correction, TariffBook before) {}

  private TariffHistory(@Nullable TariffBook newest, List<Step> steps) {
    this.newest = newest;
    this.steps = steps;
    boolean prices = false;
    long to = Long.MIN_VALUE;
    for (int i = 0; i < steps.size(); i++) {
      Correction correction = steps.get(i).correction;
      if (correction instanceof Prices corrected) {
        prices = true;
        to = Math.max(to, corrected.toMillis());
      } else {
        firstStepByKey.putIfAbsent(key(correction), i);
      }
    }
    this.hasPrices = prices;
    this.correctedToMillis = to;
  }

  /** Returns the history with a book after all others; the same one if it is not newer. */
  public TariffHistory with(TariffBook book) {
    return book.version() <= version() ? this : new TariffHistory(book, steps);
  }

  /**
   * Returns the history with an entry appended; the same one if it is there already.
   *
   * @throws IllegalArgumentException if entries before it, or the book that it corrects, are absent
   */
  public TariffHistory with(Correction correction) {
    if (correction.number() <= lastCorrection()) {
      return this;
    }
    TariffBook before = newest;
    if (correction.number() != lastCorrection() + 1 || before == null) {
      throw new IllegalArgumentException(
          "correction: number "
              + correction.number()
              + " after "
              + lastCorrection()
              + " (expected: "
              + (lastCorrection() + 1)
              + ", after a book)");
    }
    if (correction instanceof Prices prices && prices.baseVersion() != before.version()) {
      throw new IllegalArgumentException(
          "correction: of book "
              + prices.baseVersion()
              + " (expected: of the newest, "
              + before.version()
              + ")");
    }
    List<Step> more = new ArrayList<>(steps);
    more.add(new Step(correction, before));
    TariffBook after = correction instanceof Prices prices ? prices.book() : before;
    return new TariffHistory(after, List.copyOf(more));
  }

  /** Returns the newest book. */
  public Optional<TariffBook> newest() {
    return Optional.ofNullable(newest);
  }

  /** Returns the version of the newest book; 0 if there is none. */
  public long version() {
    return newest == null ? 0 : newest.version();
  }

  /** Returns the number of the last correction; 0 if there is none. */
  public long lastCorrection() {
    return steps.size();
  }

  /** Returns the corrections; number n at index n - 1. */
  public List<Correction> corrections() {
    return steps.stream().map(Step::correction).toList();
  }

  /**
   * Returns the corrections after number {@code rerated} that may concern charges of a usage hour:
   * what the hour waits for.
   */
  public List<Correction> waiting(long usageHour, long rerated) {
    return corrections().stream()
        .filter(entry -> entry.number() > rerated)
        .filter(entry -> entry.firstHour() <= usageHour && usageHour <= entry.lastHour())
        .toList();
  }

  /** Returns the first moment at which a price that is not a correction may begin to be another. */
  public long correctedUntilMillis() {
    return hasPrices ? correctedToMillis + LONGEST_CALL_MILLIS : Long.MIN_VALUE;
  }

  /** Returns the charge itself, revision 0. */
  @Override
  public Rating rate(Cdr cdr) {
    if (hasPrices && cdr.startMillis() < correctedToMillis) {
      for (Step step : steps) {
        if (step.correction instanceof Prices prices && concerns(prices, cdr)) {
          Rating rating = step.before.rate(cdr);
          if (rating instanceof Rating.Priced) {
            return rating;
          }
        }
      }
    }
    return newest == null
        ? new Rating.Unpriced(Reason.NO_PLAN, "no tariff book has been published")
        : newest.rate(cdr);
  }

  @Override
  public List<Revision> revisions(Cdr cdr) {
    boolean mayBeCorrected = hasPrices && cdr.startMillis() < correctedToMillis;
    Integer firstOfKey = firstStepByKey.isEmpty() ? null : firstStepByKey.get(keyOf(cdr));
    if (!mayBeCorrected && firstOfKey == null) {
      return List.of();
    }
    if (!(rate(cdr) instanceof Rating.Priced total)) {
      return List.of();
    }
    ChargeKey key = keyOf(cdr);
    List<Revision> revisions = new ArrayList<>(1);
    boolean isVoid = false;
    for (Step step : steps) {
      Correction correction = step.correction;
      if (correction instanceof Prices prices) {
        if (!isVoid
            && concerns(prices, cdr)
            && prices.book().rate(cdr) instanceof Rating.Priced corrected
            && differs(total, corrected)) {
          total = corrected;
          revisions.add(new Revision(correction.number(), total));
        }
      } else if (key(correction).equals(key)) {
        if (correction instanceof VoidCharge) {
          isVoid = true;
          total = nothing(total);
        }
        revisions.add(new Revision(correction.number(), total));
      }
    }
    return List.copyOf(revisions);
  }

  /**
   * Returns whether a correction of prices may concern a CDR. Generous at the beginning, because an
   * increment may reach beyond the usage; that costs time and changes no price.
   */
  private static boolean concerns(Prices prices, Cdr cdr) {
    long reachMillis = cdr.usageType() == UsageType.VOICE ? cdr.usage() + LONGEST_CALL_MILLIS : 0;
    return cdr.startMillis() < prices.toMillis()
        && cdr.startMillis() + reachMillis >= prices.fromMillis();
  }

  private static boolean differs(Rating.Priced one, Rating.Priced other) {
    return one.amount().compareTo(other.amount()) != 0 || !one.currency().equals(other.currency());
  }

  private static Rating.Priced nothing(Rating.Priced total) {
    return new Rating.Priced(
        total.plan(),
        total.tariffVersion(),
        total.prefix(),
        total.destination(),
        0,
        List.of(),
        BigDecimal.ZERO,
        BigDecimal.ZERO.setScale(total.amount().scale()),
        total.currency());
  }

  private static ChargeKey keyOf(Cdr cdr) {
    return new ChargeKey(cdr.accountId(), cdr.eventId(), Placement.usageHour(cdr.startMillis()));
  }

  private static ChargeKey key(Correction correction) {
    if (correction instanceof VoidCharge entry) {
      return entry.key();
    }
    return ((Reprice) correction).key();
  }
}
