package io.tollgate.domain.rating;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * A sum of money without rounding: amounts, and rates times usage by a divisor, kept as one
 * fraction. 0.05 a minute for 37 seconds is 0.05 x 37 / 60, which no decimal can hold; it is
 * rounded once, by {@link #rounded}.
 *
 * <p>Works in 64 bits as long as that is exact and in BigInteger from then on. Not thread-safe.
 */
public final class ExactSum {
  /** Greatest scale that the 64-bit form accepts. */
  public static final int MAX_LONG_SCALE = 18;

  private static final long[] POWERS_OF_TEN = new long[MAX_LONG_SCALE + 1];

  static {
    POWERS_OF_TEN[0] = 1;
    for (int i = 1; i < POWERS_OF_TEN.length; i++) {
      POWERS_OF_TEN[i] = POWERS_OF_TEN[i - 1] * 10;
    }
  }

  /** Decimals to which {@link #shown} cuts a value that has no end, unless more are asked for. */
  private static final int SHOWN_DECIMALS = 15;

  private final int scale;
  // The value is numerator / (denominator x 10^scale).
  private long numerator;
  private long denominator = 1;
  private BigInteger bigNumerator = BigInteger.ZERO;
  private BigInteger bigDenominator = BigInteger.ONE;
  private boolean big;

  /**
   * @param scale decimals of every amount and rate that is added, 0 to {@link #MAX_LONG_SCALE}
   */
  public ExactSum(int scale) {
    if (scale < 0 || scale > MAX_LONG_SCALE) {
      throw new IllegalArgumentException(
          "scale: " + scale + " (expected: 0 to " + MAX_LONG_SCALE + ")");
    }
    this.scale = scale;
  }

  /** Returns an empty sum that takes amounts of any scale and size. */
  public static ExactSum ofAnyScale() {
    ExactSum sum = new ExactSum(0);
    sum.big = true;
    return sum;
  }

  /** Returns a sum of the same value that can be changed on its own. */
  public ExactSum copy() {
    ExactSum copy = new ExactSum(scale);
    copy.numerator = numerator;
    copy.denominator = denominator;
    copy.bigNumerator = bigNumerator;
    copy.bigDenominator = bigDenominator;
    copy.big = big;
    return copy;
  }

  /** Adds {@code unscaled} x 10^-scale. */
  public void add(long unscaled) {
    addProduct(unscaled, 1, 1);
  }

  /** Adds {@code rateUnscaled} x 10^-scale x {@code usage} / {@code per}. */
  public void addProduct(long rateUnscaled, long usage, long per) {
    if (big || !addedInLong(rateUnscaled, usage, per)) {
      addBig(BigDecimal.valueOf(rateUnscaled, scale), usage, per);
    }
  }

  /** Adds {@code amount}, whatever its scale. */
  public void add(BigDecimal amount) {
    addBig(amount, 1, 1);
  }

  /** Adds {@code rate} x {@code usage} / {@code per}, whatever the scale of the rate. */
  public void addProduct(BigDecimal rate, long usage, long per) {
    addBig(rate, usage, per);
  }

  /** Returns the sign of this sum less {@code amount}. */
  public int compareTo(BigDecimal amount) {
    if (!big && amount.scale() == scale && amount.precision() <= MAX_LONG_SCALE) {
      long unscaled = amount.unscaledValue().longValue();
      if (!overflows(unscaled, denominator)) {
        return Long.compare(numerator, unscaled * denominator);
      }
    }
    toBig();
    BigDecimal product = amount.multiply(new BigDecimal(bigDenominator));
    return new BigDecimal(bigNumerator).compareTo(product);
  }

  /**
   * Returns how often {@code rate} x {@code usage} / {@code per} can be added without the sum
   * exceeding {@code limit}; {@link Long#MAX_VALUE} if the product is zero, 0 if the sum exceeds it
   * already.
   */
  public long timesBelow(BigDecimal limit, BigDecimal rate, long usage, long per) {
    toBig();
    BigDecimal product = rate.multiply(BigDecimal.valueOf(usage));
    if (product.signum() == 0) {
      return compareTo(limit) > 0 ? 0 : Long.MAX_VALUE;
    }
    // (limit - n/d) / (product / per) = (limit x d - n) x per / (product x d), scaled to integers
    int common = Math.max(limit.scale(), product.scale());
    BigInteger ten = BigInteger.TEN.pow(common);
    BigInteger left =
        limit
            .setScale(common)
            .unscaledValue()
            .multiply(bigDenominator)
            .subtract(bigNumerator.multiply(ten));
    if (left.signum() < 0) {
      return 0;
    }
    BigInteger each = product.setScale(common).unscaledValue().multiply(bigDenominator);
    BigInteger times = left.multiply(BigInteger.valueOf(per)).divide(each);
    return times.bitLength() > 62 ? Long.MAX_VALUE : times.longValue();
  }

  /** Returns the value rounded to exactly {@code decimals} decimals. */
  public BigDecimal rounded(int decimals, RoundingMode mode) {
    if (!big) {
      if (decimals <= scale) {
        long shift = POWERS_OF_TEN[scale - decimals];
        if (!overflows(denominator, shift)) {
          return BigDecimal.valueOf(divide(numerator, denominator * shift, mode), decimals);
        }
      } else if (decimals - scale <= MAX_LONG_SCALE) {
        long shift = POWERS_OF_TEN[decimals - scale];
        if (!overflows(numerator, shift)) {
          return BigDecimal.valueOf(divide(numerator * shift, denominator, mode), decimals);
        }
      }
    }
    toBig();
    return new BigDecimal(bigNumerator).divide(new BigDecimal(bigDenominator), decimals, mode);
  }

  /**
   * Returns the value for people: exact, without trailing zeros, if it has an end within the
   * decimals shown, or at the scale of this sum; otherwise cut after them. Shown are 15 decimals,
   * or 3 more than {@code decimals} if that is more.
   */
  public BigDecimal shown(int decimals) {
    int shownDecimals = Math.max(SHOWN_DECIMALS, decimals + 3);
    if (!big) {
      if (numerator % denominator == 0) {
        return stripped(numerator / denominator, scale);
      }
      int more = shownDecimals - scale;
      if (more >= 0 && more <= MAX_LONG_SCALE) {
        // Before and after the point apart: together they would soon leave 64 bits.
        long power = POWERS_OF_TEN[more];
        long whole = numerator / denominator;
        long rest = numerator % denominator;
        if (!overflows(rest, power) && !overflows(whole, power)) {
          long raised = whole * power;
          long cutRest = rest * power / denominator;
          long sum = raised + cutRest;
          if (((raised ^ sum) & (cutRest ^ sum)) >= 0) {
            return stripped(sum, shownDecimals);
          }
        }
      }
    }
    toBig();
    BigDecimal cut =
        new BigDecimal(bigNumerator)
            .divide(new BigDecimal(bigDenominator), shownDecimals, RoundingMode.DOWN)
            .stripTrailingZeros();
    return cut.scale() < 0 ? cut.setScale(0) : cut;
  }

  private boolean addedInLong(long rateUnscaled, long usage, long per) {
    if (overflows(rateUnscaled, usage)) {
      return false;
    }
    long product = rateUnscaled * usage;
    if (per == denominator) {
      return addedToNumerator(product);
    }
    if (denominator % per == 0) {
      long factor = denominator / per;
      return !overflows(product, factor) && addedToNumerator(product * factor);
    }
    long factor = per / greatestCommonDivisor(per, denominator);
    if (overflows(denominator, factor) || overflows(numerator, factor)) {
      return false;
    }
    long common = denominator * factor;
    if (overflows(product, common / per)) {
      return false;
    }
    long added = product * (common / per);
    long raised = numerator * factor;
    long sum = raised + added;
    if (((raised ^ sum) & (added ^ sum)) < 0) {
      return false;
    }
    numerator = sum;
    denominator = common;
    return true;
  }

  private boolean addedToNumerator(long added) {
    long sum = numerator + added;
    if (((numerator ^ sum) & (added ^ sum)) < 0) {
      return false;
    }
    numerator = sum;
    return true;
  }

  private void addBig(BigDecimal rate, long usage, long per) {
    toBig();
    // n/d + r x u / (10^s x p), brought to one denominator and reduced so that it stays small
    BigInteger addedDenominator = BigInteger.valueOf(per);
    BigInteger added = rate.unscaledValue().multiply(BigInteger.valueOf(usage));
    if (rate.scale() >= 0) {
      addedDenominator = addedDenominator.multiply(BigInteger.TEN.pow(rate.scale()));
    } else {
      added = added.multiply(BigInteger.TEN.pow(-rate.scale()));
    }
    BigInteger sum = bigNumerator.multiply(addedDenominator).add(added.multiply(bigDenominator));
    BigInteger common = bigDenominator.multiply(addedDenominator);
    BigInteger divisor = sum.gcd(common);
    bigNumerator = sum.divide(divisor);
    bigDenominator = common.divide(divisor);
  }

  private void toBig() {
    if (big) {
      return;
    }
    bigNumerator = BigInteger.valueOf(numerator);
    bigDenominator = BigInteger.valueOf(denominator).multiply(BigInteger.TEN.pow(scale));
    big = true;
  }

  private static BigDecimal stripped(long unscaled, int scale) {
    long value = unscaled;
    int left = scale;
    while (left > 0 && value % 10 == 0) {
      value /= 10;
      left--;
    }
    return BigDecimal.valueOf(value, left);
  }

  private static boolean overflows(long a, long b) {
    return Math.multiplyHigh(a, b) != (a * b) >> 63;
  }

  private static long greatestCommonDivisor(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return x;
  }

  /** Divides by a positive divisor in the given mode. */
  private static long divide(long dividend, long divisor, RoundingMode mode) {
    long quotient = dividend / divisor;
    long rest = dividend - quotient * divisor;
    if (rest == 0) {
      return quotient;
    }
    int sign = dividend < 0 ? -1 : 1;
    long magnitude = Math.abs(rest);
    // Compares 2 x rest with the divisor without leaving 64 bits.
    int half = Long.compare(magnitude, divisor - magnitude);
    boolean away =
        switch (mode) {
          case UP -> true;
          case DOWN -> false;
          case CEILING -> sign > 0;
          case FLOOR -> sign < 0;
          case HALF_UP -> half >= 0;
          case HALF_DOWN -> half > 0;
          case HALF_EVEN -> half > 0 || (half == 0 && (quotient & 1) != 0);
          case UNNECESSARY -> throw new ArithmeticException("rounding necessary");
        };
    return away ? quotient + sign : quotient;
  }
}
