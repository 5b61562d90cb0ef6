package io.tollgate.domain.tariff;

import io.tollgate.domain.cdr.UsageType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One price: for one prefix, usage type, band and step, valid for a time. Amounts are kept without
 * trailing zeros, so rows that say the same are equal.
 *
 * <p>Usage is in the unit of the usage type everywhere: milliseconds, bytes or units. Connection
 * fee, minimum, maximum and free usage stand on the first step (from 0) only; those of the row in
 * force at the start of usage count.
 *
 * @param usageType what is priced
 * @param prefix beginning of the called number; empty for every number that has no other row
 * @param destination name of the destination, for people
 * @param band name of a band of the plan; empty for any time
 * @param stepStart usage from which on the price applies; 0 for the first step
 * @param connectionFee charged once per answered call; 0 for none
 * @param stepFee charged once when usage reaches this step; 0 for none
 * @param rate price of one {@code per}
 * @param per usage that {@code rate} pays for, 1 or more
 * @param initialIncrement length of the first increment of the step, 1 or more
 * @param increment length of each further increment, 1 or more
 * @param minimumCharge least charge, fees included; 0 for none
 * @param maximumCharge greatest charge, fees included; null for none
 * @param maximumPolicy what reaching the maximum means
 * @param freeUsage usage that costs nothing, taken off the beginning; steps and increments count
 *     from its end
 * @param validity when; two rows of one type, prefix, band and step never overlap
 * @param version version of the book that introduced this row
 */
public record RateRow(
    UsageType usageType,
    String prefix,
    String destination,
    String band,
    long stepStart,
    BigDecimal connectionFee,
    BigDecimal stepFee,
    BigDecimal rate,
    long per,
    long initialIncrement,
    long increment,
    BigDecimal minimumCharge,
    @Nullable BigDecimal maximumCharge,
    MaximumPolicy maximumPolicy,
    long freeUsage,
    Validity validity,
    long version) {
  /** Most decimals of any amount in a book. */
  public static final int MAX_DECIMALS = 20;

  /** Most digits before the decimal point of any amount in a book. */
  public static final int MAX_INTEGER_DIGITS = 15;

  /** Greatest step start, per, increment and free usage: 2^50, as for the usage of a CDR. */
  public static final long MAX_USAGE = 1L << 50;

  /** The order in which a plan keeps its rows, whatever their order in the files. */
  public static final Comparator<RateRow> ORDER = RateRow::inOrder;

  public RateRow {
    Objects.requireNonNull(usageType, "usageType");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(maximumPolicy, "maximumPolicy");
    Objects.requireNonNull(validity, "validity");
    List<String> faults = new ArrayList<>();
    connectionFee = amount("connectionFee", connectionFee, faults);
    stepFee = amount("stepFee", stepFee, faults);
    rate = amount("rate", rate, faults);
    minimumCharge = amount("minimumCharge", minimumCharge, faults);
    maximumCharge = maximumCharge == null ? null : amount("maximumCharge", maximumCharge, faults);
    usage("stepStart", stepStart, 0, faults);
    usage("per", per, 1, faults);
    usage("initialIncrement", initialIncrement, 1, faults);
    usage("increment", increment, 1, faults);
    usage("freeUsage", freeUsage, 0, faults);
    if (maximumCharge != null && minimumCharge.compareTo(maximumCharge) > 0) {
      faults.add(
          "minimumCharge: "
              + minimumCharge.toPlainString()
              + " (expected: at most the maximum charge "
              + maximumCharge.toPlainString()
              + ")");
    }
    if (stepStart > 0
        && (connectionFee.signum() != 0
            || minimumCharge.signum() != 0
            || maximumCharge != null
            || freeUsage != 0)) {
      faults.add(
          "stepStart: "
              + stepStart
              + " (expected: connection fee, minimum, maximum and free usage only at 0)");
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "rate of " + usageType + " '" + prefix + "': " + String.join("; ", faults));
    }
  }

  /** Returns this row as introduced by another version. */
  public RateRow withVersion(long newVersion) {
    return new RateRow(
        usageType,
        prefix,
        destination,
        band,
        stepStart,
        connectionFee,
        stepFee,
        rate,
        per,
        initialIncrement,
        increment,
        minimumCharge,
        maximumCharge,
        maximumPolicy,
        freeUsage,
        validity,
        newVersion);
  }

  /** Returns whether the two rows give the same price whenever both are valid. */
  public boolean pricesLike(RateRow other) {
    return stepStart == other.stepStart
        && per == other.per
        && initialIncrement == other.initialIncrement
        && increment == other.increment
        && freeUsage == other.freeUsage
        && isSame(connectionFee, other.connectionFee)
        && isSame(stepFee, other.stepFee)
        && isSame(rate, other.rate)
        && isSame(minimumCharge, other.minimumCharge)
        && isSame(maximumCharge, other.maximumCharge)
        && (maximumCharge == null || maximumPolicy == other.maximumPolicy);
  }

  private static int inOrder(RateRow a, RateRow b) {
    int order = a.usageType.compareTo(b.usageType);
    order = order != 0 ? order : a.prefix.compareTo(b.prefix);
    order = order != 0 ? order : a.band.compareTo(b.band);
    order = order != 0 ? order : Long.compare(a.validity.fromMillis(), b.validity.fromMillis());
    return order != 0 ? order : Long.compare(a.stepStart, b.stepStart);
  }

  private static boolean isSame(@Nullable BigDecimal one, @Nullable BigDecimal other) {
    if (one == null || other == null) {
      return one == null && other == null;
    }
    return one.compareTo(other) == 0;
  }

  private static BigDecimal amount(String name, BigDecimal value, List<String> faults) {
    Objects.requireNonNull(value, name);
    BigDecimal plain = value.stripTrailingZeros();
    if (plain.scale() == value.scale()) {
      plain = value; // keeps the one object that many rows share
    }
    if (plain.scale() < 0) {
      if (plain.precision() - plain.scale() > MAX_INTEGER_DIGITS) {
        faults.add(name + ": " + plain + " (expected: at most 15 digits before the point)");
        return BigDecimal.ZERO;
      }
      plain = plain.setScale(0);
    }
    if (plain.signum() < 0) {
      faults.add(name + ": " + plain.toPlainString() + " (expected: 0 or more)");
    }
    if (plain.scale() > MAX_DECIMALS || plain.precision() - plain.scale() > MAX_INTEGER_DIGITS) {
      faults.add(
          name + ": " + plain + " (expected: at most 20 decimals, 15 digits before the point)");
    }
    return plain;
  }

  private static void usage(String name, long value, long min, List<String> faults) {
    if (value < min || value > MAX_USAGE) {
      faults.add(name + ": " + value + " (expected: " + min + " to " + MAX_USAGE + ")");
    }
  }
}
