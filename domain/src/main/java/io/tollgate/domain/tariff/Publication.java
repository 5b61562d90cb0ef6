package io.tollgate.domain.tariff;

import io.tollgate.domain.cdr.CdrRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A book read from files, made the next of a history: it gets the next version, everything that was
 * there already keeps the version that introduced it, and what it would change about the past is
 * known.
 *
 * <table>
 *   <caption>What is a change of the past, and what is not</caption>
 *   <tr><th>difference to the last book, before the boundary</th><th>a change?</th></tr>
 *   <tr><td>another rate, increment, fee or limit</td><td>yes</td></tr>
 *   <tr><td>a price removed, or ended earlier</td><td>yes</td></tr>
 *   <tr><td>another currency, zone, rounding or policy of a plan</td><td>yes</td></tr>
 *   <tr><td>other bands, holidays or priorities, where they decide another price</td><td>yes</td></tr>
 *   <tr><td>a longer prefix, where a shorter one had a price</td><td>yes, if it differs</td></tr>
 *   <tr><td>another plan for an account that had one</td><td>yes</td></tr>
 *   <tr><td>a price, or a plan, where there was none</td><td>no: what was suspended is redriven</td></tr>
 *   <tr><td>another name of a destination</td><td>no</td></tr>
 *   <tr><td>anything in the first book</td><td>no</td></tr>
 * </table>
 *
 * @param book what to publish
 * @param pastChanges what it would change before the boundary
 * @param isNew whether it differs from the last book at all
 * @param correction the entry of the correction history, if it was to be one and changes the past
 */
public record Publication(
    TariffBook book,
    List<PastChange> pastChanges,
    boolean isNew,
    Optional<Correction.Prices> correction) {
  private static final int NAMED_CHANGES = 200;

  /**
   * Returns the publication of {@code files} as the next book.
   *
   * @param history what was published before
   * @param boundaryMillis moments before it must keep their price: now plus the lead time, in which
   *     a CDR could arrive before the book does. Shortly after a correction it is later: see {@link
   *     TariffHistory#LONGEST_CALL_MILLIS}
   */
  public static Publication after(TariffHistory history, TariffBook files, long boundaryMillis) {
    Optional<TariffBook> last = history.newest();
    if (last.isEmpty()) {
      return new Publication(versioned(null, files, 1), List.of(), true, Optional.empty());
    }
    TariffBook previous = last.get();
    if (previous.digest().equals(files.digest())) {
      return new Publication(previous, List.of(), false, Optional.empty());
    }
    TariffBook book = versioned(previous, files, previous.version() + 1);
    long boundary = Math.max(boundaryMillis, history.correctedUntilMillis());
    List<PastChange> changes = new HistoryComparison(previous, book, boundary).changes();
    return new Publication(book, changes, true, Optional.empty());
  }

  /**
   * Returns this publication as the next entry of the correction history; this one as it is if it
   * changes nothing of the past.
   *
   * @param history what was published before
   * @param reason why, as the person says
   */
  public Publication asCorrection(TariffHistory history, String reason) {
    if (pastChanges.isEmpty()) {
      return this;
    }
    long from = pastChanges.stream().mapToLong(PastChange::fromMillis).min().orElseThrow();
    long to = pastChanges.stream().mapToLong(PastChange::toMillis).max().orElseThrow();
    return new Publication(
        book,
        pastChanges,
        isNew,
        Optional.of(
            new Correction.Prices(
                history.lastCorrection() + 1,
                reason,
                Math.max(from, CdrRules.EARLIEST_START.toEpochMilli()),
                to,
                pastChanges.stream().limit(NAMED_CHANGES).map(PastChange::toString).toList(),
                history.version(),
                book)));
  }

  /**
   * Returns changes that no correction can make: what was charged cannot come to have no price. A
   * price of 0 can be given, or the charge voided.
   */
  public List<PastChange> removals() {
    return pastChanges.stream().filter(PastChange::isRemoval).toList();
  }

  private static TariffBook versioned(@Nullable TariffBook last, TariffBook files, long version) {
    List<RatePlan> plans = new ArrayList<>();
    for (RatePlan plan : files.plans()) {
      RatePlan before = last == null ? null : last.plan(plan.name()).orElse(null);
      plans.add(versioned(before, plan, version));
    }
    List<Assignment> before = last == null ? List.of() : last.assignments();
    List<Assignment> assignments =
        versioned(
            before,
            files.assignments(),
            a -> List.of(a.kind(), a.key(), a.plan(), a.validity().fromMillis()),
            Assignment::version,
            (assignment, known) -> assignment.withVersion(known),
            version);
    return new TariffBook(version, plans, files.calendars(), assignments);
  }

  private static RatePlan versioned(@Nullable RatePlan last, RatePlan plan, long version) {
    boolean isKnown = last != null && last.hasSettingsOf(plan) && last.bands().equals(plan.bands());
    return new RatePlan(
        plan.name(),
        plan.currency(),
        plan.zone(),
        plan.roundingMode(),
        plan.decimals(),
        plan.bandCrossing(),
        plan.incrementMeaning(),
        plan.priceChange(),
        plan.stepMeaning(),
        plan.milliseconds(),
        plan.bands(),
        versioned(
            last == null ? List.of() : last.freeDestinations(),
            plan.freeDestinations(),
            f -> List.of(f.number(), f.exact(), f.validity().fromMillis()),
            FreeDestination::version,
            (free, known) -> free.withVersion(known),
            version),
        versioned(
            last == null ? List.of() : last.rates(),
            plan.rates(),
            Publication::key,
            RateRow::version,
            (row, known) -> row.withVersion(known),
            version),
        isKnown && last != null ? last.version() : version);
  }

  /** What makes a row the same row: all that it says but its end and its name. */
  private static List<Object> key(RateRow row) {
    return List.of(
        row.usageType(),
        row.prefix(),
        row.band(),
        row.stepStart(),
        row.validity().fromMillis(),
        row.connectionFee(),
        row.stepFee(),
        row.rate(),
        row.per(),
        row.initialIncrement(),
        row.increment(),
        row.minimumCharge(),
        Optional.ofNullable(row.maximumCharge()),
        row.maximumPolicy(),
        row.freeUsage());
  }

  private interface WithVersion<T> {
    T of(T value, long version);
  }

  /** Gives what was there before its old version, and the rest the new one. */
  private static <T> List<T> versioned(
      List<T> before,
      List<T> now,
      Function<T, Object> key,
      Function<T, Long> versionOf,
      WithVersion<T> withVersion,
      long version) {
    Map<Object, Long> known = new HashMap<>();
    before.forEach(value -> known.put(key.apply(value), versionOf.apply(value)));
    List<T> versioned = new ArrayList<>(now.size());
    now.forEach(
        value ->
            versioned.add(withVersion.of(value, known.getOrDefault(key.apply(value), version))));
    return versioned;
  }
}
