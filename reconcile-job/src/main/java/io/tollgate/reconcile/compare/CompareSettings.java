package io.tollgate.reconcile.compare;

import java.io.Serializable;
import java.time.Duration;

/**
 * When what is compared.
 *
 * @param interval length of a cycle
 * @param openHourPeriod how long it takes until every bucket of an hour that still fills was read
 *     once
 * @param hourClosesAfter how long after its end an hour counts as one that no longer fills
 * @param verifyAgain how long it takes until every partition that was balanced is read once more
 * @param verifyFor how long after its newest receipts a partition is still read again; then it is
 *     forgotten. Less than receipts are kept, so that all of this can be learned anew from them
 * @param identitiesFor how long the identities of a partition stay in state after it was read with
 *     other ones than before, so that its neighbours are compared with them. Later neighbours read
 *     them from the ledger again: a shorter time saves disk and costs reads
 */
public record CompareSettings(
    Duration interval,
    Duration openHourPeriod,
    Duration hourClosesAfter,
    Duration verifyAgain,
    Duration verifyFor,
    Duration identitiesFor)
    implements Serializable {

  /**
   * Returns when a cycle began, in seconds since 1970: a number that rises and never repeats, also
   * when the interval is changed.
   */
  public long beginSeconds(long cycle) {
    return cycle * interval.toMillis() / 1_000;
  }

  /** Returns the number of the cycle that a moment lies in. */
  public long cycle(long millis) {
    return Math.floorDiv(millis, interval.toMillis());
  }

  /** Returns when the next cycle begins. */
  public long nextCycleMillis(long millis) {
    return (cycle(millis) + 1) * interval.toMillis();
  }

  /** Returns whether an hour still fills. */
  boolean isOpen(long usageHour, long nowMillis) {
    long endMillis = Duration.ofHours(usageHour + 1).toMillis();
    return nowMillis < endMillis + hourClosesAfter.toMillis();
  }

  /** Returns whether a cycle is the one in which a part of a rolling schedule has its turn. */
  boolean isTurn(long cycle, Duration period, long part) {
    long cycles = Math.max(1, period.toMillis() / interval.toMillis());
    return Math.floorMod(cycle + part, cycles) == 0;
  }

  boolean isForgotten(long touchedMillis, long nowMillis) {
    return nowMillis - touchedMillis > verifyFor.toMillis();
  }
}
