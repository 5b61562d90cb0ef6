package io.tollgate.domain.tariff;

import io.tollgate.domain.cdr.UsageType;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one prefix and band that are valid together, compiled: everything that prices usage
 * while that band applies. One object as long as the rows are the same, so that a price change of
 * another band is none here.
 */
final class Sheet {
  final String band;
  final PriceStep[] steps;
  final PriceStep firstStep;
  final BigDecimal connectionFee;
  final BigDecimal minimumCharge;
  final @Nullable BigDecimal maximumCharge;
  final MaximumPolicy maximumPolicy;
  final long freeUsage;

  /** Rows it was made from, in order of step. */
  final List<RateRow> rows;

  /**
   * @param rows in order of step, the first from 0
   * @param scale decimals to which amounts are raised, so that they add up in 64 bits
   */
  Sheet(String shownBand, List<RateRow> rows, int scale) {
    RateRow first = rows.get(0);
    this.band = shownBand;
    this.rows = rows;
    this.connectionFee = raised(first.connectionFee(), scale);
    this.minimumCharge = raised(first.minimumCharge(), scale);
    BigDecimal maximum = first.maximumCharge();
    this.maximumCharge = maximum == null ? null : raised(maximum, scale);
    this.maximumPolicy = first.maximumPolicy();
    this.freeUsage = first.freeUsage();
    this.steps = new PriceStep[rows.size()];
    for (int i = 0; i < steps.length; i++) {
      long end = i + 1 < steps.length ? rows.get(i + 1).stepStart() : Long.MAX_VALUE;
      steps[i] = new PriceStep(rows.get(i), end, what(shownBand, rows, i), scale);
    }
    this.firstStep = steps[0];
  }

  /** Returns the step that prices usage from {@code position} on. */
  PriceStep stepAt(long position) {
    if (position < firstStep.end) {
      return firstStep;
    }
    int i = steps.length - 1;
    while (i > 0 && steps[i].start > position) {
      i--;
    }
    return steps[i];
  }

  /** Returns whether a call would be cut when it reaches its maximum charge. */
  boolean disconnects() {
    return maximumCharge != null && maximumPolicy == MaximumPolicy.DISCONNECT;
  }

  /** Returns the step that a total falls into: a step that begins exactly there is not reached. */
  PriceStep stepOfTotal(long total) {
    return stepAt(Math.max(0, total - 1));
  }

  private static String what(String band, List<RateRow> rows, int i) {
    if (rows.size() == 1) {
      return band;
    }
    long start = rows.get(i).stepStart();
    if (rows.get(i).usageType() != UsageType.VOICE) {
      return band + " from " + start;
    }
    return band + " from " + (start % 1000 == 0 ? start / 1000 + " s" : start + " ms");
  }

  private static BigDecimal raised(BigDecimal amount, int scale) {
    if (amount.signum() == 0) {
      return BigDecimal.valueOf(0, Math.max(scale, 0)); // one object for all: stays in the cache
    }
    return scale >= amount.scale() ? amount.setScale(scale) : amount;
  }

  /** A step of a sheet. */
  static final class PriceStep {
    final long start;
    final long end;
    final BigDecimal rate;
    final BigDecimal shownRate;
    final long rateUnscaled;
    final long per;
    final long initialIncrement;
    final long increment;
    final BigDecimal stepFee;
    final String what;
    final long version;

    PriceStep(RateRow row, long end, String what, int scale) {
      this.start = row.stepStart();
      this.end = end;
      this.shownRate = row.rate();
      this.rate = raised(row.rate(), scale);
      this.rateUnscaled = scale >= 0 ? this.rate.unscaledValue().longValueExact() : 0;
      this.per = row.per();
      this.initialIncrement = row.initialIncrement();
      this.increment = row.increment();
      this.stepFee = raised(row.stepFee(), scale);
      this.what = what;
      this.version = row.version();
    }
  }
}
