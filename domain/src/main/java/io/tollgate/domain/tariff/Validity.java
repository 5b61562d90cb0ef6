package io.tollgate.domain.tariff;

import java.time.Instant;

/**
 * A half open stretch of time: the first moment belongs to it, the last does not.
 *
 * @param fromMillis first moment, UTC milliseconds since 1970; {@link Long#MIN_VALUE} for since
 *     ever
 * @param toMillis first moment after it; {@link Long#MAX_VALUE} for no end
 */
public record Validity(long fromMillis, long toMillis) {
  /** Without beginning and end. */
  public static final Validity ALWAYS = new Validity(Long.MIN_VALUE, Long.MAX_VALUE);

  public Validity {
    if (fromMillis >= toMillis) {
      throw new IllegalArgumentException(
          "validity: " + shown(fromMillis, toMillis) + " (expected: the end after the start)");
    }
  }

  /** Returns the stretch that begins at {@code from} and has no end. */
  public static Validity since(Instant from) {
    return new Validity(from.toEpochMilli(), Long.MAX_VALUE);
  }

  /** Returns the stretch from {@code from} (inclusive) to {@code to} (exclusive). */
  public static Validity between(Instant from, Instant to) {
    return new Validity(from.toEpochMilli(), to.toEpochMilli());
  }

  /** Returns whether {@code millis} lies in it. */
  public boolean contains(long millis) {
    return millis >= fromMillis && millis < toMillis;
  }

  /** Returns whether the two have a moment in common. */
  public boolean overlaps(Validity other) {
    return fromMillis < other.toMillis && other.fromMillis < toMillis;
  }

  @Override
  public String toString() {
    return shown(fromMillis, toMillis);
  }

  private static String shown(long fromMillis, long toMillis) {
    String from = fromMillis == Long.MIN_VALUE ? "always" : shownInstant(fromMillis);
    String to = toMillis == Long.MAX_VALUE ? "open" : shownInstant(toMillis);
    return from + " to " + to;
  }

  private static String shownInstant(long millis) {
    return Math.abs(millis) > 1L << 53 ? millis + " ms" : Instant.ofEpochMilli(millis).toString();
  }
}
