package io.tollgate.domain.tariff;

import java.math.RoundingMode;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A rate plan: how usage is priced, and the whole effective-dated history of its prices.
 *
 * @param name unique in a book
 * @param currency ISO 4217 code of all its amounts
 * @param zone decides what time of day and which day a moment is; daylight saving time included
 * @param roundingMode how the amount is rounded, once, at the end
 * @param decimals decimals of the amount, 0 to {@link RateRow#MAX_DECIMALS}; every amount has
 *     exactly so many
 * @param bandCrossing what happens when a call crosses into another band
 * @param incrementMeaning what {@code initial/next} means
 * @param priceChange what happens when a price changes in the middle of a call
 * @param stepMeaning whether steps are graduated or by volume
 * @param milliseconds whether calls are billed to the millisecond; otherwise their usage is first
 *     rounded up to whole seconds
 * @param bands in order of declaration, at most {@link #MAX_BANDS}
 * @param freeDestinations numbers that cost nothing
 * @param rates prices, kept in {@link RateRow#ORDER}
 * @param version version of the book that introduced the plan
 */
public record RatePlan(
    String name,
    String currency,
    ZoneId zone,
    RoundingMode roundingMode,
    int decimals,
    BandCrossing bandCrossing,
    IncrementMeaning incrementMeaning,
    PriceChange priceChange,
    StepMeaning stepMeaning,
    boolean milliseconds,
    List<Band> bands,
    List<FreeDestination> freeDestinations,
    List<RateRow> rates,
    long version) {
  /** Most bands of a plan. */
  public static final int MAX_BANDS = 63;

  public RatePlan {
    Objects.requireNonNull(zone, "zone");
    Objects.requireNonNull(bandCrossing, "bandCrossing");
    Objects.requireNonNull(incrementMeaning, "incrementMeaning");
    Objects.requireNonNull(priceChange, "priceChange");
    Objects.requireNonNull(stepMeaning, "stepMeaning");
    List<String> faults = new ArrayList<>();
    if (name.isBlank()) {
      faults.add("name: '" + name + "' (expected: not blank)");
    }
    if (!currency.matches("[A-Z]{3}")) {
      faults.add("currency: '" + currency + "' (expected: three letters of ISO 4217)");
    }
    if (decimals < 0 || decimals > RateRow.MAX_DECIMALS) {
      faults.add("decimals: " + decimals + " (expected: 0 to " + RateRow.MAX_DECIMALS + ")");
    }
    if (roundingMode == RoundingMode.UNNECESSARY) {
      faults.add("roundingMode: UNNECESSARY (expected: a mode that always gives an amount)");
    }
    bands = List.copyOf(bands);
    Set<String> bandNames = new HashSet<>(Set.of(""));
    for (Band band : bands) {
      if (!bandNames.add(band.name())) {
        faults.add("band: '" + band.name() + "' (expected: a name of its own)");
      }
    }
    if (bands.size() > MAX_BANDS) {
      faults.add("bands: " + bands.size() + " (expected: at most " + MAX_BANDS + ")");
    }
    List<RateRow> sorted = new ArrayList<>(rates);
    sorted.sort(RateRow.ORDER);
    rates = List.copyOf(sorted);
    freeDestinations = List.copyOf(freeDestinations);
    for (RateRow row : rates) {
      if (!bandNames.contains(row.band())) {
        faults.add(
            "band: '" + row.band() + "' of prefix '" + row.prefix() + "' (expected: declared)");
      }
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException("plan " + name + ": " + String.join("; ", faults));
    }
  }

  /** Returns whether both plans read their rates in the same way; bands and rates apart. */
  public boolean hasSettingsOf(RatePlan other) {
    return currency.equals(other.currency)
        && zone.equals(other.zone)
        && roundingMode == other.roundingMode
        && decimals == other.decimals
        && bandCrossing == other.bandCrossing
        && incrementMeaning == other.incrementMeaning
        && priceChange == other.priceChange
        && stepMeaning == other.stepMeaning
        && milliseconds == other.milliseconds;
  }

  /**
   * Returns the other plan if this one is equal, and otherwise this one with the other's rows where
   * they are equal: the same in meaning, for less memory.
   */
  RatePlan sharedWith(RatePlan other) {
    if (equals(other)) {
      return other;
    }
    Map<RateRow, RateRow> known = new HashMap<>();
    other.rates.forEach(row -> known.put(row, row));
    return new RatePlan(
        name,
        currency,
        zone,
        roundingMode,
        decimals,
        bandCrossing,
        incrementMeaning,
        priceChange,
        stepMeaning,
        milliseconds,
        bands,
        freeDestinations,
        rates.stream().map(row -> known.getOrDefault(row, row)).toList(),
        version);
  }
}
