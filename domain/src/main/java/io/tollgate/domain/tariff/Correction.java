package io.tollgate.domain.tariff;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * An entry of the correction history: the only way in which what was charged can change. Entries
 * are appended and never changed; their numbers are 1, 2, 3 and so on, and are the revisions of
 * ledger rows.
 *
 * <table>
 *   <caption>What an entry does to the total of a charge</caption>
 *   <tr><th>entry</th><th>charges it concerns</th><th>new total</th><th>a revision</th></tr>
 *   <tr><td>{@link Prices}</td><td>used in its interval</td><td>by the corrected book; zero stays
 *       zero after a void</td><td>if the total differs</td></tr>
 *   <tr><td>{@link VoidCharge}</td><td>one</td><td>0, for good</td><td>always</td></tr>
 *   <tr><td>{@link Reprice}</td><td>one</td><td>what the history says: a row that says something
 *       else is overruled</td><td>always</td></tr>
 * </table>
 */
public sealed interface Correction {
  /** Returns the number of the entry, from 1. */
  long number();

  /** Returns why, as the person said who appended it. */
  String reason();

  /** Returns the first usage hour, in hours since 1970, of charges that it may concern. */
  long firstHour();

  /** Returns the last usage hour of charges that it may concern. */
  long lastHour();

  /**
   * Other prices for a stretch of the past.
   *
   * @param number number of the entry
   * @param reason why
   * @param fromMillis first moment whose price it changes
   * @param toMillis first moment after them; later than the entry by the lead time at most
   * @param changes what it changes, for people; not all of it if that is much
   * @param baseVersion version of the book that it corrects, the newest before it
   * @param book the corrected book; also the newest book from then on
   */
  record Prices(
      long number,
      String reason,
      long fromMillis,
      long toMillis,
      List<String> changes,
      long baseVersion,
      TariffBook book)
      implements Correction {
    private static final long MILLIS_PER_HOUR = 3_600_000;

    public Prices {
      check(number, reason);
      if (fromMillis >= toMillis) {
        throw new IllegalArgumentException(
            "correction: interval from "
                + fromMillis
                + " to "
                + toMillis
                + " (expected: not empty)");
      }
      if (baseVersion < 1 || book.version() <= baseVersion) {
        throw new IllegalArgumentException(
            "correction: book "
                + book.version()
                + " after book "
                + baseVersion
                + " (expected: a later one)");
      }
      changes = List.copyOf(changes);
    }

    /** A call that began before the interval may run into it: as long as calls can be. */
    @Override
    public long firstHour() {
      return Math.floorDiv(fromMillis - TariffHistory.LONGEST_CALL_MILLIS, MILLIS_PER_HOUR);
    }

    @Override
    public long lastHour() {
      return Math.floorDiv(toMillis - 1, MILLIS_PER_HOUR);
    }

    @Override
    public String toString() {
      return "prices from "
          + Instant.ofEpochMilli(fromMillis)
          + " to "
          + Instant.ofEpochMilli(toMillis);
    }
  }

  /**
   * A charge that is owed no longer.
   *
   * @param number number of the entry
   * @param reason why
   * @param key which charge
   */
  record VoidCharge(long number, String reason, ChargeKey key) implements Correction {
    public VoidCharge {
      check(number, reason);
    }

    @Override
    public long firstHour() {
      return key.usageHour();
    }

    @Override
    public long lastHour() {
      return key.usageHour();
    }

    @Override
    public String toString() {
      return "void " + key;
    }
  }

  /**
   * A charge that is written anew, whatever its rows say.
   *
   * @param number number of the entry
   * @param reason why
   * @param key which charge
   */
  record Reprice(long number, String reason, ChargeKey key) implements Correction {
    public Reprice {
      check(number, reason);
    }

    @Override
    public long firstHour() {
      return key.usageHour();
    }

    @Override
    public long lastHour() {
      return key.usageHour();
    }

    @Override
    public String toString() {
      return "price anew " + key;
    }
  }

  /**
   * Where one charge lies.
   *
   * @param accountId who pays
   * @param eventId id of the event
   * @param usageHour hours since 1970 in UTC of the start of usage
   */
  record ChargeKey(String accountId, String eventId, long usageHour) {
    public ChargeKey {
      Objects.requireNonNull(accountId, "accountId");
      Objects.requireNonNull(eventId, "eventId");
    }

    @Override
    public String toString() {
      return accountId + ":" + eventId + " of " + Instant.ofEpochSecond(usageHour * 3600);
    }
  }

  private static void check(long number, String reason) {
    if (number < 1) {
      throw new IllegalArgumentException("correction: number " + number + " (expected: from 1)");
    }
    if (reason.isBlank()) {
      throw new IllegalArgumentException("correction: blank reason (expected: why)");
    }
  }
}
