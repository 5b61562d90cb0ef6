package io.tollgate.pricing.cgrates;

import io.tollgate.domain.tariff.When;
import io.tollgate.pricing.cgrates.CgratesFile.Row;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;

/**
 * What the six files say, by tag.
 *
 * @param timings when a band begins, and on which days
 * @param destinations prefixes of each destination
 * @param rates steps of each rate, in order of their start
 * @param destinationRates rate of each destination
 * @param ratingPlans destination rates of each plan, and when they apply
 * @param profiles who has which plan since when, in order of the file
 */
record TariffPlan(
    Map<String, Timing> timings,
    Map<String, List<Prefix>> destinations,
    Map<String, List<Step>> rates,
    Map<String, List<DestinationRate>> destinationRates,
    Map<String, List<PlanRow>> ratingPlans,
    List<Profile> profiles) {

  /** When a band applies, at priority 0. */
  record Timing(When when, Row row) {}

  /** A prefix of a destination. */
  record Prefix(String text, Row row) {}

  /** A step of a rate. Nanoseconds for calls, units for everything else. */
  record Step(
      BigDecimal connectFee,
      BigDecimal rate,
      long unitNanos,
      long incrementNanos,
      long startNanos,
      Row row) {}

  /** The rate of a destination; {@code maxCost} is 0 for none. */
  record DestinationRate(
      String destination,
      String rate,
      RoundingMode mode,
      int decimals,
      BigDecimal maxCost,
      boolean isFreeAtMaximum,
      Row row) {}

  /** Destination rates of a plan, and when they apply. */
  record PlanRow(String destinationRates, String timing, BigDecimal weight, Row row) {}

  /** Who has which plan, since when, and whose plan is asked next. */
  record Profile(
      String tenant,
      String category,
      String subject,
      long activationMillis,
      String ratingPlan,
      List<String> fallbacks,
      Row row) {}
}
