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

  private static final int SHOWN_PREFIXES = 3;

  private final TariffPlan plan;
  private final String ratingPlan;
  private final UsageType type;
  private final boolean isInternational;
  private final Map<String, List<Entry>> byPrefix = new TreeMap<>();
  private final List<LeftOut> leftOut = new ArrayList<>();

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

  /**
   * A price that the table lacks although the files have it.
   *
   * @param row where it says so, in which column and why
   * @param prefixes what has not got this price
   */
  private record LeftOut(Row row, int column, String why, List<String> prefixes) {}

  private PlanTable(TariffPlan plan, String ratingPlan, UsageType type, boolean isInternational) {
    this.plan = plan;
    this.ratingPlan = ratingPlan;
    this.type = type;
    this.isInternational = isInternational;
  }

  /** Returns the prices by prefix, empty for every number; what cannot be said is told. */
  static Map<String, List<Entry>> of(
      TariffPlan plan, String ratingPlan, UsageType type, boolean isInternational) {
    PlanTable table = new PlanTable(plan, ratingPlan, type, isInternational);
    for (PlanRow row : plan.ratingPlans().getOrDefault(ratingPlan, List.of())) {
      for (DestinationRate rate :
          plan.destinationRates().getOrDefault(row.destinationRates(), List.of())) {
        table.add(row, rate);
      }
    }
    table.leftOut.forEach(table::tell);
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
    for (Prefix prefix : prefixesOf(rate)) {
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
        String why = "left out: * alone stands for everything";
        leftOut.add(new LeftOut(prefix.row(), 2, why, List.of(text)));
        return Optional.empty();
      }
      return Optional.of(text);
    }
    if (!isNumber(text)) {
      String why = "left out: not the beginning of a number, of at most 31 characters";
      leftOut.add(new LeftOut(prefix.row(), 2, why, List.of(text)));
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
    return Optional.of(asNumber(text));
  }

  private static boolean isNumber(String text) {
    return text.matches("\\+?[0-9*#]+") && !text.equals("*") && text.length() <= MAX_PREFIX;
  }

  private String asNumber(String text) {
    boolean isCountryCode =
        isInternational && Character.isDigit(text.charAt(0)) && text.charAt(0) != '0';
    return isCountryCode ? "+" + text : text;
  }

  private List<Prefix> prefixesOf(DestinationRate rate) {
    return plan.destinations().getOrDefault(rate.destination(), List.of());
  }

  private static String shown(String prefix) {
    return prefix.isEmpty() ? ANY : prefix;
  }

  // ------------------------------------------------------------------ what is left out

  private void leaveOut(DestinationRate rate, int column, String why) {
    boolean isNamed = type == UsageType.DATA || type == UsageType.EVENT;
    List<String> prefixes =
        rate.destination().equals(ANY)
            ? List.of("")
            : prefixesOf(rate).stream()
                .map(Prefix::text)
                .map(text -> isNamed || !isNumber(text) ? text : asNumber(text))
                .toList();
    leftOut.add(new LeftOut(rate.row(), column, why, prefixes));
  }

  /**
   * Says what becomes of usage whose price is left out, once all other prices are known: it is not
   * always suspended.
   *
   * <table>
   *   <caption>What prices it then</caption>
   *   <tr><th>the table has</th><th>that usage has</th></tr>
   *   <tr><td>the prefix, at other times or with another weight</td><td>those prices, at those
   *       times</td></tr>
   *   <tr><td>a shorter prefix, or {@code *any}</td><td>the price of that one</td></tr>
   *   <tr><td>neither</td><td>no price, unless a fallback subject has one</td></tr>
   * </table>
   */
  private void tell(LeftOut missing) {
    Map<String, List<String>> prefixesByPrice = new TreeMap<>();
    for (String prefix : missing.prefixes) {
      prefixesByPrice
          .computeIfAbsent(instead(prefix), p -> new ArrayList<>())
          .add(prefix.isEmpty() ? "all other numbers" : prefix);
    }
    StringBuilder why = new StringBuilder(missing.why);
    prefixesByPrice.forEach(
        (price, prefixes) -> {
          why.append("; so ").append(ratingPlan).append(" has for ");
          why.append(
              String.join(", ", prefixes.subList(0, Math.min(prefixes.size(), SHOWN_PREFIXES))));
          if (prefixes.size() > SHOWN_PREFIXES) {
            why.append(" and ").append(prefixes.size() - SHOWN_PREFIXES).append(" more");
          }
          why.append(' ').append(price);
        });
    missing.row.notExpressed(missing.column, why.toString());
  }

  private String instead(String prefix) {
    for (int length = prefix.length(); length >= 0; length--) {
      List<Entry> entries = byPrefix.getOrDefault(prefix.substring(0, length), List.of());
      if (!entries.isEmpty()) {
        String places =
            entries.get(0).source.row().place()
                + (entries.size() == 1 ? "" : " and " + (entries.size() - 1) + " more");
        return length == prefix.length()
            ? "only its prices of " + places
            : "the price of " + shown(prefix.substring(0, length)) + ", " + places;
      }
    }
    return "no price, unless a fallback subject has one";
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
      leaveOut(rate, 3, "left out: this rate cannot be expressed, see Rates.csv");
      return Optional.empty();
    }
    Optional<String> maximumFault = maximumFault(rate, steps);
    maximumFault.ifPresent(fault -> leaveOut(rate, 6, "left out: " + fault));
    return maximumFault.isPresent() ? Optional.empty() : Optional.of(priced);
  }

  private static boolean isFirstGood(List<Step> steps) {
    if (!steps.isEmpty() && steps.get(0).startNanos() > 0) {
      steps.get(0).row().notExpressed(6, "no step from 0: the beginning of usage has no price");
      return false;
    }
    return true;
  }

  /** Returns why a maximum cannot be expressed, if it cannot. */
  private static Optional<String> maximumFault(DestinationRate rate, List<Step> steps) {
    if (rate.maxCost().signum() == 0) {
      return Optional.empty();
    }
    if (!rate.isFreeAtMaximum()) {
      rate.row()
          .notExpressed(
              6,
              "not imported: *disconnect ends calls, and does not limit what a call costs that went"
                  + " on; in rates.csv maximum with on_maximum limits the charge");
      return Optional.empty();
    }
    Optional<String> fault = moneyFault(rate.maxCost());
    if (fault.isPresent()) {
      return fault;
    }
    return !steps.isEmpty() && steps.get(0).connectFee().compareTo(rate.maxCost()) > 0
        ? Optional.of("less than the connection fee")
        : Optional.empty();
  }

  private static boolean isMoney(Row row, int column, BigDecimal amount) {
    Optional<String> fault = moneyFault(amount);
    fault.ifPresent(why -> row.notExpressed(column, why));
    return fault.isEmpty();
  }

  private static Optional<String> moneyFault(BigDecimal amount) {
    BigDecimal plain = amount.stripTrailingZeros();
    if (plain.signum() < 0) {
      return Optional.of("less than 0");
    }
    if (plain.scale() > RateRow.MAX_DECIMALS
        || plain.precision() - plain.scale() > RateRow.MAX_INTEGER_DIGITS) {
      return Optional.of("more than 20 decimals, or 15 digits before the point");
    }
    return Optional.empty();
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
