package io.tollgate.cli;

import io.tollgate.domain.tariff.Correction;
import java.time.Instant;

/** Corrections in words. */
final class CorrectionText {
  private static final long SECONDS_PER_HOUR = 3600;

  private CorrectionText() {}

  /** Returns the usage hours whose charges it may concern. */
  static String hours(Correction correction) {
    String first = hour(correction.firstHour());
    String last = hour(correction.lastHour());
    return first.equals(last) ? first : first + " to " + last;
  }

  static String hour(long usageHour) {
    return Instant.ofEpochSecond(usageHour * SECONDS_PER_HOUR).toString();
  }
}
