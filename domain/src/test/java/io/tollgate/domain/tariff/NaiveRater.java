package io.tollgate.domain.tariff;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A rater that walks a call second by second and asks java.time what the clock shows: slow, without
 * tables, and written apart from the real one, to compare it with. Knows one prefix, calls billed
 * in seconds, and the policies of increments, bands and price changes.
 */
final class NaiveRater {
  private final RatePlan plan;
  private final Map<String, HolidayCalendar> calendars;

  NaiveRater(RatePlan plan, Map<String, HolidayCalendar> calendars) {
    this.plan = plan;
    this.calendars = calendars;
  }

  /** An exact fraction. */
  private record Fraction(BigInteger numerator, BigInteger denominator) {
    static Fraction of(BigDecimal value) {
      BigInteger ten = BigInteger.TEN.pow(Math.max(0, value.scale()));
      return new Fraction(value.multiply(new BigDecimal(ten)).toBigIntegerExact(), ten);
    }

    Fraction plus(Fraction other) {
      return new Fraction(
          numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
          denominator.multiply(other.denominator));
    }

    Fraction times(long factor, long divisor) {
      return new Fraction(
          numerator.multiply(BigInteger.valueOf(factor)),
          denominator.multiply(BigInteger.valueOf(divisor)));
    }

    int compareTo(Fraction other) {
      return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
    }

    BigDecimal rounded(int decimals, RoundingMode mode) {
      return new BigDecimal(numerator).divide(new BigDecimal(denominator), decimals, mode);
    }
  }

  /** An increment: what it costs. */
  private record Increment(RateRow row, long millis) {
    Fraction cost() {
      return Fraction.of(row.rate()).times(millis, row.per());
    }
  }

  /** Returns the amount, or nothing if some moment has no price. */
  Optional<BigDecimal> amount(long startMillis, long usageMillis) {
    Optional<List<RateRow>> atStart = rows(startMillis, startMillis);
    if (usageMillis == 0) {
      return Optional.of(BigDecimal.ZERO.setScale(plan.decimals()));
    }
    if (atStart.isEmpty()) {
      return Optional.empty();
    }
    RateRow first = atStart.get().get(0);
    long seconds = (usageMillis + 999) / 1000 - first.freeUsage() / 1000;
    long begin = startMillis + first.freeUsage();
    Optional<List<Increment>> increments = increments(startMillis, begin, seconds);
    if (increments.isEmpty()) {
      return Optional.empty();
    }
    Fraction total = Fraction.of(first.connectionFee());
    BigDecimal maximum = first.maximumCharge();
    for (Increment increment : increments.get()) {
      Fraction more = total.plus(increment.cost());
      if (maximum != null
          && first.maximumPolicy() == MaximumPolicy.DISCONNECT
          && more.compareTo(Fraction.of(maximum)) > 0) {
        break;
      }
      total = more;
    }
    if (maximum != null && total.compareTo(Fraction.of(maximum)) > 0) {
      total = Fraction.of(maximum);
    }
    if (total.compareTo(Fraction.of(first.minimumCharge())) < 0) {
      total = Fraction.of(first.minimumCharge());
    }
    return Optional.of(total.rounded(plan.decimals(), plan.roundingMode()));
  }

  /** Walks the billed seconds: at each one at which no increment runs, the next one begins. */
  private Optional<List<Increment>> increments(long callStart, long begin, long seconds) {
    List<Increment> found = new ArrayList<>();
    long paidUntil = 0;
    List<RateRow> before = List.of();
    for (long second = 0; second < seconds; second++) {
      Optional<List<RateRow>> here = rowsUnderPolicy(callStart, begin + second * 1000);
      boolean isNewPart =
          plan.bandCrossing() == BandCrossing.SPLIT_AND_ROUND
              && here.isPresent()
              && !here.get().equals(before);
      if (second < paidUntil && !isNewPart) {
        if (plan.bandCrossing() == BandCrossing.SPLIT_AND_ROUND && here.isEmpty()) {
          return Optional.empty();
        }
        continue;
      }
      if (here.isEmpty()) {
        return Optional.empty();
      }
      before = here.get();
      RateRow step = before.get(0);
      for (RateRow row : before) {
        if (row.stepStart() <= second * 1000) {
          step = row;
        }
      }
      long increment =
          second * 1000 - step.stepStart() < step.initialIncrement()
              ? step.initialIncrement()
              : step.increment();
      found.add(new Increment(step, increment));
      paidUntil = second + increment / 1000;
    }
    return Optional.of(found);
  }

  private Optional<List<RateRow>> rowsUnderPolicy(long callStart, long millis) {
    long pricesAt = plan.priceChange() == PriceChange.CALL_START ? callStart : millis;
    long bandAt = plan.bandCrossing() == BandCrossing.CALL_START ? callStart : millis;
    return rows(pricesAt, bandAt);
  }

  /** Returns the rows of the band in force, in order of step. */
  private Optional<List<RateRow>> rows(long pricesAt, long bandAt) {
    List<RateRow> valid =
        plan.rates().stream().filter(row -> row.validity().contains(pricesAt)).toList();
    Band best = null;
    int bestPriority = Integer.MIN_VALUE;
    long bestBegin = Long.MIN_VALUE;
    List<Band> bands = new ArrayList<>(plan.bands());
    bands.add(Band.ANY);
    ZonedDateTime clock = Instant.ofEpochMilli(bandAt).atZone(plan.zone());
    for (Band band : bands) {
      if (valid.stream().noneMatch(row -> row.band().equals(band.name()))) {
        continue;
      }
      for (When when : band.rules()) {
        Optional<Long> begin = beginOf(when, clock.toLocalDate(), clock.toLocalTime());
        if (begin.isPresent()
            && (best == null
                || when.priority() > bestPriority
                || (when.priority() == bestPriority && begin.get() > bestBegin))) {
          best = band;
          bestPriority = when.priority();
          bestBegin = begin.get();
        }
      }
    }
    if (best == null) {
      return Optional.empty();
    }
    String name = best.name();
    return Optional.of(valid.stream().filter(row -> row.band().equals(name)).toList());
  }

  /** Returns when the range that holds at a time began, in seconds from midnight of the day. */
  private Optional<Long> beginOf(When when, LocalDate day, LocalTime time) {
    long second = time.toSecondOfDay();
    if (!when.runsOverMidnight()) {
      boolean holds = second >= when.fromSecond() && second < when.toSecond() && holdsOn(when, day);
      return holds ? Optional.of((long) when.fromSecond()) : Optional.empty();
    }
    if (second >= when.fromSecond() && holdsOn(when, day)) {
      return Optional.of((long) when.fromSecond());
    }
    return second < when.toSecond() && holdsOn(when, day.minusDays(1))
        ? Optional.of((long) when.fromSecond() - 86_400)
        : Optional.empty();
  }

  private boolean holdsOn(When when, LocalDate day) {
    boolean inDates =
        (when.dates().isEmpty() && when.calendars().isEmpty())
            || when.dates().contains(day)
            || when.calendars().stream().anyMatch(c -> calendars.get(c).days().containsKey(day));
    return (when.weekdays() >> (day.getDayOfWeek().getValue() - 1) & 1) == 1
        && (when.months() >> (day.getMonthValue() - 1) & 1) == 1
        && (when.monthDays() >> (day.getDayOfMonth() - 1) & 1) == 1
        && (when.years().isEmpty() || when.years().contains(day.getYear()))
        && inDates;
  }
}
