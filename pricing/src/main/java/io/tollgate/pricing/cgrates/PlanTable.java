package io.tollgate.pricing.cgrates;

import static io.tollgate.pricing.cgrates.Fields.ANY;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.tariff.RateRow;
import io.tollgate.domain.tariff.When;
import io.tollgate.pricing.cgrates.CgratesFile.Row;
import io.tollgate.pricing.cgrates.MappedPlan.Price;
import io.tollgate.pricing.cgrates.TariffPlan.DestinationRate;
import io.tollgate.pricing.cgrates.TariffPlan.PlanRow;
import io.tollgate.pricing.cgrates.TariffPlan.Prefix;
import io.tollgate.pricing.cgrates.TariffPlan.Step;
import io.tollgate.pricing.cgrates.TariffPlan.Timing;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The prices of a rating plan for one type of usage, by prefix. */
final class PlanTable {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int MAX_PREFIX = 31;

  private final TariffPlan plan;
  private final UsageType type;
  private final boolean isInternational;
  private final Map<String, List<Entry>> byPrefix = new TreeMap<>();

  /** A band of a destination: the timing's tag, its rule without priority, and its weight. */
  record BandKey(String tag, When when, BigDecimal weight) {
    boolean isAlways() {
      return when.isAlways();
    }
  }

  /** What a prefix costs in a band, step by step. */
  record Entry(BandKey band, List<PricedStep> steps, DestinationRate source, String destination) {
    boolean isSameAs(Entry other) {
      return steps.equals(other.steps);
    }
  }

  /** A step and what it costs. */
  record PricedStep(long from, Price price) {}

  private PlanTable(TariffPlan plan, UsageType type, boolean isInternational) {
    this.plan = plan;
    this.type = type;
    this.isInternational = isInternational;
  }

  /** Returns the prices by prefix, empty for every number; what cannot be said is told. */
  static Map<String, List<Entry>> of(
      TariffPlan plan, String ratingPlan, UsageType type, boolean isInternational) {
    PlanTable table = new PlanTable(plan, type, isInternational);
    for (PlanRow row : plan.ratingPlans().getOrDefault(ratingPlan, List.of())) {
      for (DestinationRate rate :
          plan.destinationRates().getOrDefault(row.destinationRates(), List.of())) {
        table.add(row, rate);
      }
    }
    return table.byPrefix;
  }

  private void add(PlanRow row, DestinationRate rate) {
    Timing timing = plan.timings().get(row.timing());
    BandKey band =
        new BandKey(
            timing == null ? "always" : row.timing(),
            timing == null ? When.ALWAYS : timing.when(),
            row.weight().stripTrailingZeros());
    Optional<List<PricedStep>> steps = steps(rate);
    if (steps.isEmpty()) {
      return;
    }
    if (rate.destination().equals(ANY)) {
      add("", new Entry(band, steps.get(), rate, "any"), rate.row());
      return;
    }
    for (Prefix prefix : plan.destinations().getOrDefault(rate.destination(), List.of())) {
      Optional<String> read = prefix(prefix);
      if (read.isPresent()) {
        add(read.get(), new Entry(band, steps.get(), rate, rate.destination()), prefix.row());
      }
    }
  }

  private void add(String prefix, Entry entry, Row place) {
    List<Entry> entries = byPrefix.computeIfAbsent(prefix, p -> new ArrayList<>(1));
    for (Entry other : entries) {
      if (isSameTime(other.band, entry.band)) {
        if (!other.isSameAs(entry)) {
          entry
              .source
              .row()
              .notExpressed(
                  0,
                  "left out for prefix "
                      + shown(prefix)
                      + ": at the same time and weight "
                      + other.source.row().place()
                      + " has another price");
        }
        return;
      }
      boolean isShared = !other.destination.equals(entry.destination);
      if (isShared && !(other.band.isAlways() && entry.band.isAlways())) {
        place.notExpressed(
            2,
            "also of "
                + other.destination
                + ": at the start of a call the greater weight decides, as it should; but so it"
                + " does within the call, where only the destination of the start should count");
      }
    }
    entries.add(entry);
  }

  private static boolean isSameTime(BandKey one, BandKey other) {
    return one.when.equals(other.when) && one.weight.compareTo(other.weight) == 0;
  }

  // ------------------------------------------------------------------ prefixes

  private Optional<String> prefix(Prefix prefix) {
    String text = prefix.text();
    if (type == UsageType.DATA || type == UsageType.EVENT) {
      if (text.equals("*")) {
        prefix.row().notExpressed(2, "left out: * alone stands for everything");
        return Optional.empty();
      }
      return Optional.of(text);
    }
    if (!text.matches("\\+?[0-9*#]+") || text.equals("*") || text.length() > MAX_PREFIX) {
      prefix
          .row()
          .notExpressed(2, "left out: not the beginning of a number, of at most 31 characters");
      return Optional.empty();
    }
    if (isInternational && text.charAt(0) == '0') {
      prefix
          .row()
          .notExpressed(
              2,
              "no country code begins with 0: imported as it stands, for numbers that reach rating"
                  + " without a country code");
      return Optional.of(text);
    }
    boolean isCountryCode = isInternational && Character.isDigit(text.charAt(0));
    return Optional.of(isCountryCode ? "+" + text : text);
  }

  private static String shown(String prefix) {
    return prefix.isEmpty() ? ANY : prefix;
  }

  // ------------------------------------------------------------------ prices

  private Optional<List<PricedStep>> steps(DestinationRate rate) {
    List<Step> steps = plan.rates().getOrDefault(rate.rate(), List.of());
    List<PricedStep> priced = new ArrayList<>(steps.size());
    boolean isGood = isFirstGood(steps);
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      boolean isStepGood = isMoney(step.row(), 3, step.rate());
      isStepGood &= i > 0 || isMoney(step.row(), 2, step.connectFee());
      isStepGood &= isUsage(step.row(), 4, step.unitNanos());
      isStepGood &= isUsage(step.row(), 5, step.incrementNanos());
      isStepGood &= isUsage(step.row(), 6, step.startNanos());
      isGood &= isStepGood;
      if (isStepGood) {
        priced.add(
            new PricedStep(
                usage(step.startNanos()),
                new Price(
                    rate.destination().equals(ANY) ? "any" : rate.destination(),
                    i == 0 ? step.connectFee() : BigDecimal.ZERO,
                    step.rate(),
                    usage(step.unitNanos()),
                    usage(step.incrementNanos()),
                    i == 0 && rate.isFreeAtMaximum() && rate.maxCost().signum() > 0
                        ? rate.maxCost()
                        : null)));
      }
    }
    if (!isGood) {
      rate.row().notExpressed(3, "left out: this rate cannot be expressed, see Rates.csv");
      return Optional.empty();
    }
    return isMaximumGood(rate, steps) ? Optional.of(priced) : Optional.empty();
  }

  private static boolean isFirstGood(List<Step> steps) {
    if (!steps.isEmpty() && steps.get(0).startNanos() > 0) {
      steps.get(0).row().notExpressed(6, "no step from 0: the beginning of usage has no price");
      return false;
    }
    return true;
  }

  private static boolean isMaximumGood(DestinationRate rate, List<Step> steps) {
    if (rate.maxCost().signum() == 0) {
      return true;
    }
    if (!rate.isFreeAtMaximum()) {
      rate.row()
          .notExpressed(
              6,
              "not imported: *disconnect ends calls, and does not limit what a call costs that went"
                  + " on; in rates.csv maximum with on_maximum limits the charge");
      return true;
    }
    if (!isMoney(rate.row(), 6, rate.maxCost())) {
      return false;
    }
    if (!steps.isEmpty() && steps.get(0).connectFee().compareTo(rate.maxCost()) > 0) {
      rate.row().notExpressed(6, "left out: less than the connection fee");
      return false;
    }
    return true;
  }

  private static boolean isMoney(Row row, int column, BigDecimal amount) {
    BigDecimal plain = amount.stripTrailingZeros();
    if (plain.signum() < 0) {
      row.notExpressed(column, "less than 0");
      return false;
    }
    if (plain.scale() > RateRow.MAX_DECIMALS
        || plain.precision() - plain.scale() > RateRow.MAX_INTEGER_DIGITS) {
      row.notExpressed(column, "more than 20 decimals, or 15 digits before the point");
      return false;
    }
    return true;
  }

  private boolean isUsage(Row row, int column, long nanos) {
    if (type == UsageType.VOICE && nanos % NANOS_PER_MILLI != 0) {
      row.notExpressed(
          column,
          "not whole milliseconds; a number without a unit is nanoseconds: is "
              + row.get(column)
              + "s meant?");
      return false;
    }
    if (usage(nanos) > RateRow.MAX_USAGE) {
      row.notExpressed(column, "more than 2^50 " + (type == UsageType.VOICE ? "ms" : "units"));
      return false;
    }
    return true;
  }

  private long usage(long nanos) {
    return type == UsageType.VOICE ? nanos / NANOS_PER_MILLI : nanos;
  }
}
