package io.tollgate.pricing.cgrates;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.tariff.RatePlan;
import io.tollgate.pricing.cgrates.BookMapper.Segment;
import io.tollgate.pricing.cgrates.MappedPlan.MappedBand;
import io.tollgate.pricing.cgrates.MappedPlan.MappedRate;
import io.tollgate.pricing.cgrates.MappedPlan.Place;
import io.tollgate.pricing.cgrates.MappedPlan.Price;
import io.tollgate.pricing.cgrates.PlanTable.BandKey;
import io.tollgate.pricing.cgrates.PlanTable.Entry;
import io.tollgate.pricing.cgrates.PlanTable.PricedStep;
import io.tollgate.pricing.cgrates.TariffPlan.DestinationRate;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Makes one plan of the rating plans that price the same accounts. */
final class PlanMapper {
  private static final int MAX_PRIORITY = 1_000_000;
  private static final Comparator<MappedRate> ORDER =
      Comparator.comparing((MappedRate rate) -> rate.place().type())
          .thenComparing(rate -> rate.place().prefix())
          .thenComparing(rate -> rate.place().band())
          .thenComparingLong(MappedRate::fromMillis)
          .thenComparingLong(rate -> rate.place().from());

  private final BiFunction<UsageType, String, Map<String, List<Entry>>> tables;
  private final Map<BandKey, String> bandNames = new LinkedHashMap<>();
  private final Map<List<Object>, BandKey> sameBands = new HashMap<>();
  private final Set<DestinationRate> used = new LinkedHashSet<>();
  private final List<MappedRate> rates = new ArrayList<>();

  /**
   * @param tables prices by prefix, of a type and rating plan
   */
  PlanMapper(BiFunction<UsageType, String, Map<String, List<Entry>>> tables) {
    this.tables = tables;
  }

  MappedPlan map(
      String name,
      Set<String> madeOf,
      Map<UsageType, List<Segment>> segments,
      List<String> accounts) {
    segments.forEach(this::addRates);
    DestinationRate finest =
        used.stream().max(Comparator.comparingInt(DestinationRate::decimals)).orElse(null);
    int decimals = finest == null ? 0 : finest.decimals();
    RoundingMode mode = finest == null ? RoundingMode.HALF_UP : finest.mode();
    for (DestinationRate rate : used) {
      if (rate.mode() != mode || rate.decimals() != decimals) {
        rate.row()
            .notExpressed(
                rate.mode() == mode ? 5 : 4,
                "a plan has one rounding; "
                    + name
                    + " has that with most decimals: "
                    + mode.name().toLowerCase(Locale.ROOT).replace('_', '-')
                    + " to "
                    + decimals);
      }
    }
    rates.sort(ORDER);
    return new MappedPlan(
        name, madeOf, mode, decimals, segments.keySet(), bands(), List.copyOf(rates), accounts);
  }

  private void addRates(UsageType type, List<Segment> segments) {
    List<Map<String, List<Entry>>> asked =
        segments.stream().map(segment -> together(type, segment.ratingPlans())).toList();
    Map<String, Set<BandKey>> bandsByPrefix = new HashMap<>();
    asked.forEach(
        table ->
            table.forEach(
                (prefix, entries) ->
                    entries.forEach(
                        entry ->
                            bandsByPrefix
                                .computeIfAbsent(prefix, p -> new HashSet<>())
                                .add(same(entry.band())))));
    Map<Place, MappedRate> open = new LinkedHashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      Map<Place, Price> prices = new LinkedHashMap<>();
      asked
          .get(i)
          .forEach(
              (prefix, entries) -> {
                Set<BandKey> all = bandsByPrefix.getOrDefault(prefix, Set.of());
                boolean isAtAnyTime = all.size() == 1 && all.iterator().next().isAlways();
                entries.forEach(entry -> addPrices(type, prefix, entry, isAtAnyTime, prices));
              });
      open = advance(open, prices, segments.get(i));
    }
    rates.addAll(open.values());
  }

  /** Returns what the rating plans say together: a later one only where none before it does. */
  private Map<String, List<Entry>> together(UsageType type, List<String> ratingPlans) {
    Map<String, List<Entry>> together = new LinkedHashMap<>();
    for (String ratingPlan : ratingPlans) {
      Set<String> before = new HashSet<>(together.keySet());
      tables
          .apply(type, ratingPlan)
          .forEach(
              (prefix, entries) -> {
                if (!isCovered(prefix, before)) {
                  together.put(prefix, entries);
                }
              });
    }
    return together;
  }

  private static boolean isCovered(String prefix, Set<String> prefixes) {
    for (int length = 0; length <= prefix.length(); length++) {
      if (prefixes.contains(prefix.substring(0, length))) {
        return true;
      }
    }
    return false;
  }

  private void addPrices(
      UsageType type, String prefix, Entry entry, boolean isAtAnyTime, Map<Place, Price> prices) {
    String band = isAtAnyTime ? "" : bandName(entry);
    if (band == null) {
      return;
    }
    used.add(entry.source());
    for (PricedStep step : entry.steps()) {
      prices.put(new Place(type, prefix, band, step.from()), step.price());
    }
  }

  /** Ends the prices that are not the same in a segment, and begins those that are new. */
  private Map<Place, MappedRate> advance(
      Map<Place, MappedRate> open, Map<Place, Price> prices, Segment segment) {
    Map<Place, MappedRate> next = new LinkedHashMap<>();
    prices.forEach(
        (place, price) -> {
          MappedRate before = open.get(place);
          boolean isSame = before != null && before.price().equals(price);
          long from = isSame && before != null ? before.fromMillis() : segment.fromMillis();
          next.put(place, new MappedRate(place, price, from, segment.toMillis()));
        });
    open.forEach(
        (place, before) -> {
          MappedRate after = next.get(place);
          if (after == null || after.fromMillis() != before.fromMillis()) {
            rates.add(before);
          }
        });
    return next;
  }

  // ------------------------------------------------------------------ bands

  /** Timings of other tags that say the same are one band. */
  private BandKey same(BandKey band) {
    return sameBands.computeIfAbsent(List.of(band.when(), band.weight()), key -> band);
  }

  private @Nullable String bandName(Entry entry) {
    BandKey band = same(entry.band());
    String known = bandNames.get(band);
    if (known != null) {
      return known;
    }
    if (bandNames.size() == RatePlan.MAX_BANDS) {
      entry
          .source()
          .row()
          .notExpressed(
              0,
              "left out in timing "
                  + band.tag()
                  + ": a plan has at most "
                  + RatePlan.MAX_BANDS
                  + " bands; then another timing's price holds, or none");
      return null;
    }
    String tag = band.tag().equals("any") || band.tag().equals("*") ? "any-time" : band.tag();
    String name = tag;
    for (int i = 0; bandNames.containsValue(name); i++) {
      name = tag + "-" + band.weight().toPlainString() + (i == 0 ? "" : "-" + (i + 1));
    }
    bandNames.put(band, name);
    return name;
  }

  private List<MappedBand> bands() {
    TreeSet<BigDecimal> weights = new TreeSet<>();
    bandNames.keySet().forEach(band -> weights.add(band.weight()));
    boolean areAllPriorities =
        weights.stream()
            .allMatch(
                weight ->
                    weight.scale() <= 0
                        && weight.abs().compareTo(BigDecimal.valueOf(MAX_PRIORITY)) <= 0);
    List<MappedBand> bands = new ArrayList<>();
    bandNames.forEach(
        (band, name) -> {
          int priority =
              areAllPriorities
                  ? band.weight().intValueExact()
                  : weights.headSet(band.weight()).size();
          bands.add(new MappedBand(name, band.when().withPriority(priority)));
        });
    return bands;
  }
}
