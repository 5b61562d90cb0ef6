package io.tollgate.rerate;

import io.tollgate.domain.ledger.LedgerLayout;
import java.io.Serializable;
import java.util.List;

/**
 * What a run does, divided into units: a partition of the ledger each, or an hour of an account.
 *
 * @param run id of the run
 * @param firstHour first usage hour, hours since 1970 in UTC
 * @param lastHour last usage hour, included
 * @param accounts whose charges; none for all
 * @param fromCorrection the last correction that these hours do not wait for
 * @param toCorrection the correction up to which charges are rated again
 * @param dryRun whether nothing is to be written
 * @param unitsOfHour units of each hour: accounts, or the most buckets that an hour has
 */
public record Work(
    String run,
    long firstHour,
    long lastHour,
    List<String> accounts,
    long fromCorrection,
    long toCorrection,
    boolean dryRun,
    int unitsOfHour)
    implements Serializable {
  public Work {
    accounts = List.copyOf(accounts);
  }

  /** Divides a run into units. */
  static Work of(
      String run,
      Span span,
      List<String> accounts,
      long fromCorrection,
      long toCorrection,
      boolean dryRun,
      LedgerLayout layout) {
    int most = accounts.size();
    if (accounts.isEmpty()) {
      for (long hour = span.firstHour(); hour <= span.lastHour(); hour++) {
        most = Math.max(most, layout.at(hour).buckets());
      }
    }
    return new Work(
        run,
        span.firstHour(),
        span.lastHour(),
        accounts,
        fromCorrection,
        toCorrection,
        dryRun,
        most);
  }

  /**
   * Usage hours.
   *
   * @param firstHour the first
   * @param lastHour the last, included
   */
  public record Span(long firstHour, long lastHour) {}

  /** Returns how many units there are. */
  long units() {
    return (lastHour - firstHour + 1) * unitsOfHour;
  }

  /** Returns the hour of a unit. */
  long hour(long unit) {
    return firstHour + unit / unitsOfHour;
  }

  /** Returns which unit of its hour a unit is: a bucket, or the place of an account. */
  int ofHour(long unit) {
    return (int) (unit % unitsOfHour);
  }
}
