package io.tollgate.pricing.cgrates;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.tariff.When;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A plan as it will stand in our files.
 *
 * @param name of its folder
 * @param madeOf rating plans that it was made of
 * @param mode how amounts are rounded
 * @param decimals decimals of amounts
 * @param types what it prices
 * @param bands when which prices hold, with their priority
 * @param rates its prices, in order of type, prefix, band, step and time
 * @param accounts who has it; {@code *} for everybody else
 */
record MappedPlan(
    String name,
    Set<String> madeOf,
    RoundingMode mode,
    int decimals,
    Set<UsageType> types,
    List<MappedBand> bands,
    List<MappedRate> rates,
    List<String> accounts) {

  /** A band and its one rule. */
  record MappedBand(String name, When when) {}

  /** Where a price holds: at most one at a time. */
  record Place(UsageType type, String prefix, String band, long from) {}

  /** What it is. Usage in milliseconds, bytes or units; {@code maximum} is null for none. */
  record Price(
      String destination,
      BigDecimal connectionFee,
      BigDecimal rate,
      long per,
      long increment,
      @Nullable BigDecimal maximum) {}

  /** A line of rates.csv; {@link Long#MAX_VALUE} for no end. */
  record MappedRate(Place place, Price price, long fromMillis, long toMillis) {}
}
