package io.tollgate.pricing;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.tariff.Band;
import io.tollgate.domain.tariff.BandCrossing;
import io.tollgate.domain.tariff.FreeDestination;
import io.tollgate.domain.tariff.IncrementMeaning;
import io.tollgate.domain.tariff.PriceChange;
import io.tollgate.domain.tariff.RatePlan;
import io.tollgate.domain.tariff.RateRow;
import io.tollgate.domain.tariff.StepMeaning;
import java.math.RoundingMode;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@code plan.yaml} says.
 *
 * @param isInternational whether prefixes of plain digits are E.164 without {@code +}
 * @param kilo bytes of one kB: 1000 or 1024
 * @param usageTypes types that the plan prices
 * @param bandLines where each band is declared
 */
record PlanSettings(
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
    boolean isInternational,
    int kilo,
    Set<UsageType> usageTypes,
    List<Band> bands,
    Map<String, Integer> bandLines,
    List<FreeDestination> freeDestinations) {

  RatePlan plan(List<RateRow> rates) {
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
        rates,
        0);
  }
}
