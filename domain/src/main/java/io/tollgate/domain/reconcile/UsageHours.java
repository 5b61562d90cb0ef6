package io.tollgate.domain.reconcile;

import java.time.Instant;

/** Usage hours as people write them. */
public final class UsageHours {
  private static final long SECONDS_PER_HOUR = 3_600;

  private UsageHours() {}

  /** Returns an hour such as {@code 2026-03-01T09Z}. */
  public static String text(long usageHour) {
    return Instant.ofEpochSecond(Math.multiplyExact(usageHour, SECONDS_PER_HOUR))
        .toString()
        .replace(":00:00Z", "Z");
  }

  /**
   * Reads an hour such as {@code 2026-03-01T09Z}.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static long parse(String text) {
    Instant instant;
    try {
      instant = Instant.parse(text.replaceFirst("^(.*T\\d\\d)Z$", "$1:00:00Z"));
    } catch (java.time.format.DateTimeParseException e) {
      throw new IllegalArgumentException(
          "hour: " + text + " (expected: an hour in UTC such as 2026-03-01T09Z)", e);
    }
    if (instant.getEpochSecond() % SECONDS_PER_HOUR != 0 || instant.getNano() != 0) {
      throw new IllegalArgumentException(
          "hour: " + text + " (expected: a full hour in UTC such as 2026-03-01T09Z)");
    }
    return instant.getEpochSecond() / SECONDS_PER_HOUR;
  }
}
