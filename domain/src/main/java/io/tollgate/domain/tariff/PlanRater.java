package io.tollgate.domain.tariff;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.ExactSum;
import io.tollgate.domain.rating.PrefixTable;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.tariff.Sheet.PriceStep;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Prices CDRs by one plan. What is billed, in this order:
 *
 * <table>
 *   <caption>From usage to amount</caption>
 *   <tr><th>step</th><th>rule</th></tr>
 *   <tr><td>1 usage</td><td>a call's milliseconds are rounded up to whole seconds, unless the plan
 *       bills milliseconds</td></tr>
 *   <tr><td>2 nothing used</td><td>usage 0 (an unanswered call) costs 0, whatever the number, with no
 *       fee; an EVENT of 0 units costs its fees</td></tr>
 *   <tr><td>3 free usage</td><td>taken off the beginning; the clock runs on</td></tr>
 *   <tr><td>4 increments</td><td>in order; each has the price of the step and band (and price
 *       version) in which it begins. SMS, MMS, DATA and EVENT are never split by time: the start
 *       decides</td></tr>
 *   <tr><td>5 fees</td><td>connection fee of the row in force at the start; fee of each step
 *       reached</td></tr>
 *   <tr><td>6 limits</td><td>minimum and maximum charge of the row in force at the start</td></tr>
 *   <tr><td>7 rounding</td><td>once, of the exact sum, in the plan's mode and decimals</td></tr>
 * </table>
 */
final class PlanRater {
  private static final long MILLIS_PER_SECOND = 1000;

  private final RatePlan plan;
  private final int scale;
  private final Map<UsageType, PrefixTable<Destination>> tables;
  private final Map<UsageType, Map<String, Destination>> exactNumbers;
  private final BigDecimal zero;

  PlanRater(
      RatePlan plan,
      int scale,
      Map<UsageType, PrefixTable<Destination>> tables,
      Map<UsageType, Map<String, Destination>> exactNumbers) {
    this.plan = plan;
    this.scale = scale;
    this.tables = new EnumMap<>(tables);
    this.exactNumbers = new EnumMap<>(exactNumbers);
    this.zero = BigDecimal.ZERO.setScale(plan.decimals());
  }

  RatePlan plan() {
    return plan;
  }

  /** Returns whether the same rows become the same prices in both, whatever is done with them. */
  boolean compilesLike(RatePlan other, int otherScale) {
    return scale == otherScale
        && plan.zone().equals(other.zone())
        && plan.bands().equals(other.bands());
  }

  /** Returns what is priced under just this prefix, at any time. */
  @Nullable Destination exactly(UsageType type, String prefix) {
    PrefixTable<Destination> table = tables.get(type);
    Destination found = table == null ? null : table.longest(prefix);
    return found != null && found.prefix.equals(prefix) ? found : null;
  }

  Rating rate(Cdr cdr) {
    Destination longest = longest(cdr.usageType(), cdr.called());
    Lookup lookup = new Lookup(plan, longest, cdr.startMillis());
    Sheet first = lookup.atStart();
    Destination destination = lookup.destination;
    PriceEpoch epoch = lookup.epoch;
    boolean isEvent = cdr.usageType() == UsageType.EVENT;
    if (first == null || destination == null || epoch == null) {
      return cdr.usage() == 0 && !isEvent
          ? unused("", "", plan.version())
          : unpriced(cdr, longest, destination);
    }
    String name = epoch.name;
    if (cdr.usage() == 0 && !isEvent) {
      return unused(destination.prefix, name, first.firstStep.version);
    }
    Runs runs = new Runs(first.disconnects());
    long unpricedMillis = bill(cdr, lookup, first, runs);
    if (unpricedMillis != Long.MIN_VALUE) {
      return unpricedInside(cdr, destination, unpricedMillis);
    }
    return price(destination.prefix, name, first, runs);
  }

  /** Returns all prefixes and numbers that the plan names. */
  Set<String> numbers(UsageType type) {
    Set<String> numbers = new HashSet<>(exactNumbers.getOrDefault(type, Map.of()).keySet());
    PrefixTable<Destination> table = tables.get(type);
    if (table != null) {
      table.entries().forEach(entry -> numbers.add(entry.prefix));
    }
    return numbers;
  }

  /** Returns what is priced under the longest prefix of {@code called}, at any time. */
  @Nullable Destination longest(UsageType type, String called) {
    Map<String, Destination> exact = exactNumbers.get(type);
    if (exact != null && !exact.isEmpty()) {
      Destination found = exact.get(called);
      if (found != null) {
        return found;
      }
    }
    PrefixTable<Destination> table = tables.get(type);
    return table == null ? null : table.longest(called);
  }

  // ------------------------------------------------------------------ what is billed

  /** Fills {@code runs}; returns the moment that has no price, or {@link Long#MIN_VALUE}. */
  private long bill(Cdr cdr, Lookup lookup, Sheet first, Runs runs) {
    boolean timed = cdr.usageType() == UsageType.VOICE;
    long unit = timed && !plan.milliseconds() ? MILLIS_PER_SECOND : 1;
    long usage = Math.max(0, roundedUp(cdr.usage(), unit) - first.freeUsage);
    if (cdr.usage() == 0) {
      runs.add(first.stepAt(0), 0, 1);
      return Long.MIN_VALUE;
    }
    boolean splitsAndRounds = timed && plan.bandCrossing() == BandCrossing.SPLIT_AND_ROUND;
    if (isByBlocks() && !splitsAndRounds && usage > 0) {
      usage = blocks(usage, first, usage, true);
    }
    long beginMillis = cdr.startMillis() + first.freeUsage;
    long position = 0;
    while (position < usage) {
      Sheet sheet = first;
      long end = usage;
      if (timed) {
        Sheet found = lookup.at(beginMillis + position);
        if (found == null) {
          return beginMillis + position;
        }
        sheet = found;
        end = endOfSheet(lookup, beginMillis, usage);
      }
      if (!splitsAndRounds) {
        position = billPart(runs, sheet, position, end, usage, unit);
        continue;
      }
      while (end < usage && lookup.at(beginMillis + end) == sheet) {
        end = endOfSheet(lookup, beginMillis, usage);
      }
      long billedEnd =
          isByBlocks() ? position + blocks(end - position, sheet, usage, position == 0) : end;
      billPart(runs, sheet, position, billedEnd, usage, unit);
      position = end;
    }
    return Long.MIN_VALUE;
  }

  private static long endOfSheet(Lookup lookup, long beginMillis, long usage) {
    return lookup.untilMillis == Long.MAX_VALUE
        ? usage
        : Math.min(usage, lookup.untilMillis - beginMillis);
  }

  /** Bills increments that begin from {@code from} on and before {@code to}; returns their end. */
  private long billPart(Runs runs, Sheet sheet, long from, long to, long total, long unit) {
    boolean isVolume = plan.stepMeaning() == StepMeaning.VOLUME;
    long position = from;
    while (position < to) {
      PriceStep step = isVolume ? sheet.stepOfTotal(total) : sheet.stepAt(position);
      long stepStart = isVolume ? 0 : step.start;
      long end = isVolume ? to : Math.min(to, step.end);
      long increment = step.increment;
      if (isByBlocks()) {
        increment = unit;
      } else if (position - stepStart < step.initialIncrement) {
        increment = step.initialIncrement;
        end = Math.min(end, stepStart + step.initialIncrement);
      }
      long billed = roundedUp(end - position, increment);
      runs.add(step, billed, increment);
      position += billed;
    }
    return position;
  }

  private boolean isByBlocks() {
    return plan.incrementMeaning() == IncrementMeaning.BLOCKS_OF_TOTAL;
  }

  private long blocks(long usage, Sheet sheet, long total, boolean isBeginning) {
    PriceStep step =
        plan.stepMeaning() == StepMeaning.VOLUME ? sheet.stepOfTotal(total) : sheet.firstStep;
    if (isBeginning && usage <= step.initialIncrement) {
      return step.initialIncrement;
    }
    return roundedUp(usage, step.increment);
  }

  private static long roundedUp(long usage, long increment) {
    if (increment == 1) {
      return usage;
    }
    long rest = usage % increment;
    return rest == 0 ? usage : usage - rest + increment;
  }

  // ------------------------------------------------------------------ what it costs

  private Rating price(String prefix, String name, Sheet first, Runs runs) {
    ExactSum sum = sum(first, runs);
    BigDecimal maximum = first.maximumCharge;
    if (maximum != null && first.disconnects() && sum.compareTo(maximum) > 0) {
      disconnect(first, runs, maximum);
      sum = sum(first, runs);
    }
    BigDecimal unrounded = sum.shown(plan.decimals());
    List<Rating.Step> steps = explained(first, runs, unrounded);
    if (maximum != null && sum.compareTo(maximum) > 0) {
      steps = withLimit(steps, "maximum charge", maximum, unrounded);
      unrounded = plain(maximum);
      sum = sumOf(maximum);
    } else if (first.minimumCharge.signum() > 0 && sum.compareTo(first.minimumCharge) < 0) {
      steps = withLimit(steps, "minimum charge", first.minimumCharge, unrounded);
      unrounded = plain(first.minimumCharge);
      sum = sumOf(first.minimumCharge);
    }
    return new Rating.Priced(
        plan.name(),
        version(first, runs),
        prefix,
        name,
        runs.totalUsage(),
        steps,
        unrounded,
        sum.rounded(plan.decimals(), plan.roundingMode()),
        plan.currency());
  }

  private ExactSum sum(Sheet first, Runs runs) {
    ExactSum sum = newSum();
    addFee(sum, first.connectionFee);
    for (int i = 0; i < runs.size(); i++) {
      if (entersStep(runs, i)) {
        addFee(sum, runs.step(i).stepFee);
      }
      addUsage(sum, runs.step(i), runs.usage(i));
    }
    return sum;
  }

  /** Keeps only the whole increments whose charge stays at or below {@code maximum}. */
  private void disconnect(Sheet first, Runs runs, BigDecimal maximum) {
    ExactSum sum = newSum();
    addFee(sum, first.connectionFee);
    for (int i = 0; i < runs.size(); i++) {
      PriceStep step = runs.step(i);
      if (entersStep(runs, i)) {
        addFee(sum, step.stepFee);
      }
      long increment = runs.increment(i);
      long times = sum.copy().timesBelow(maximum, step.rate, increment, step.per);
      if (times < runs.usage(i) / increment || sum.copy().compareTo(maximum) > 0) {
        runs.cut(i + 1, times * increment);
        return;
      }
      addUsage(sum, step, runs.usage(i));
    }
  }

  private boolean entersStep(Runs runs, int i) {
    PriceStep step = runs.step(i);
    if (step.stepFee.signum() == 0) {
      return false;
    }
    for (int before = 0; before < i; before++) {
      if (runs.step(before).start >= step.start) {
        return false;
      }
    }
    return true;
  }

  private ExactSum newSum() {
    return scale == PlanCompiler.NO_SCALE ? ExactSum.ofAnyScale() : new ExactSum(scale);
  }

  private ExactSum sumOf(BigDecimal amount) {
    ExactSum sum = newSum();
    addFee(sum, amount);
    return sum;
  }

  private void addFee(ExactSum sum, BigDecimal fee) {
    if (fee.signum() == 0) {
      return;
    }
    if (scale == PlanCompiler.NO_SCALE) {
      sum.add(fee);
    } else {
      sum.add(fee.unscaledValue().longValue());
    }
  }

  private void addUsage(ExactSum sum, PriceStep step, long usage) {
    if (scale == PlanCompiler.NO_SCALE) {
      sum.addProduct(step.rate, usage, step.per);
    } else {
      sum.addProduct(step.rateUnscaled, usage, step.per);
    }
  }

  private static long version(Sheet first, Runs runs) {
    long version = first.firstStep.version;
    for (int i = 0; i < runs.size(); i++) {
      version = Math.max(version, runs.step(i).version);
    }
    return version;
  }

  // ------------------------------------------------------------------ explanation

  private List<Rating.Step> explained(Sheet first, Runs runs, BigDecimal total) {
    boolean hasFee = first.connectionFee.signum() != 0;
    if (!hasFee && runs.size() == 1 && runs.step(0).stepFee.signum() == 0) {
      PriceStep step = runs.step(0);
      return List.of(new Rating.Step(step.what, runs.usage(0), step.shownRate, step.per, total));
    }
    List<Rating.Step> steps = new ArrayList<>(runs.size() + 1);
    if (hasFee) {
      steps.add(fee("connection fee", first.connectionFee));
    }
    int i = 0;
    while (i < runs.size()) {
      PriceStep step = runs.step(i);
      if (entersStep(runs, i)) {
        steps.add(fee("step fee, " + step.what, step.stepFee));
      }
      long usage = 0;
      while (i < runs.size() && runs.step(i) == step) {
        usage += runs.usage(i);
        i++;
      }
      if (usage > 0) {
        ExactSum amount = newSum();
        addUsage(amount, step, usage);
        steps.add(
            new Rating.Step(
                step.what, usage, step.shownRate, step.per, amount.shown(plan.decimals())));
      }
    }
    return List.copyOf(steps);
  }

  private static List<Rating.Step> withLimit(
      List<Rating.Step> steps, String what, BigDecimal limit, BigDecimal before) {
    List<Rating.Step> all = new ArrayList<>(steps);
    all.add(new Rating.Step(what, 0, plain(limit), 0, plain(limit.subtract(before))));
    return List.copyOf(all);
  }

  private static Rating.Step fee(String what, BigDecimal fee) {
    return new Rating.Step(what, 0, plain(fee), 0, plain(fee));
  }

  private static BigDecimal plain(BigDecimal amount) {
    BigDecimal stripped = amount.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  private Rating unused(String prefix, String name, long version) {
    return new Rating.Priced(
        plan.name(), version, prefix, name, 0, List.of(), BigDecimal.ZERO, zero, plan.currency());
  }

  private Rating unpriced(Cdr cdr, @Nullable Destination longest, @Nullable Destination found) {
    String subject = cdr.usageType() + " to '" + cdr.called() + "' in plan " + plan.name();
    if (longest == null) {
      return new Rating.Unpriced(Reason.NO_DESTINATION, subject + ": no prefix matches");
    }
    Instant start = Instant.ofEpochMilli(cdr.startMillis());
    Destination priced = Objects.requireNonNullElse(found, longest);
    String why =
        found == null
            ? ": prefix '" + priced.prefix + "' has no price valid at " + start
            : ": prefix '" + priced.prefix + "' has no price in any band that applies at " + start;
    return new Rating.Unpriced(Reason.NO_PRICE_AT_START, subject + why);
  }

  private Rating unpricedInside(Cdr cdr, Destination destination, long millis) {
    return new Rating.Unpriced(
        Reason.NO_PRICE_AT_START,
        cdr.usageType()
            + " to '"
            + cdr.called()
            + "' in plan "
            + plan.name()
            + ": prefix '"
            + destination.prefix
            + "' has a price at the start, but none from "
            + Instant.ofEpochMilli(millis)
            + " on, within the call");
  }
}
