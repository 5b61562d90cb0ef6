package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Duration;

/**
 * Hands out writer numbers, each to one writer only, in rising order: what orders writers in the
 * place of clocks. One lightweight transaction each; a number whose transaction timed out may be
 * lost, which does no harm.
 */
final class WriterNumbers {
  private static final String COUNTER = "charges";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration GIVE_UP_AFTER = Duration.ofMinutes(2);

  private final LedgerSession session;
  private final PreparedStatement read;
  private final PreparedStatement first;
  private final PreparedStatement next;

  WriterNumbers(LedgerSession session) {
    this.session = session;
    String table = session.keyspace() + ".writer_numbers";
    read = session.cql().prepare("SELECT taken FROM " + table + " WHERE counter = ?");
    first =
        session
            .cql()
            .prepare("INSERT INTO " + table + " (counter, taken) VALUES (?, ?) IF NOT EXISTS");
    next =
        session.cql().prepare("UPDATE " + table + " SET taken = ? WHERE counter = ? IF taken = ?");
  }

  /**
   * Takes the next number, from 1.
   *
   * @throws LedgerException if the ledger refuses, or does not answer for two minutes
   */
  long take() throws InterruptedException {
    Backoff backoff = new Backoff(Backoff.seedOfThisProcess());
    long giveUpNanos = System.nanoTime() + GIVE_UP_AFTER.toNanos();
    long guess = 0;
    for (int attempt = 1; ; attempt++) {
      try {
        long taken = tryToTake(guess);
        if (taken > 0) {
          return taken;
        }
        guess = -taken;
      } catch (DriverException e) {
        if (!RequestFailure.of(e).isRetried() || System.nanoTime() - giveUpNanos > 0) {
          throw new LedgerException("No writer number to be had: " + e.getMessage(), e);
        }
      }
      Thread.sleep(Duration.ofNanos(backoff.delayNanos(attempt)).toMillis());
    }
  }

  /** Returns the number taken, or the negative of the number that is taken by another. */
  private long tryToTake(long lastSeen) {
    if (lastSeen == 0) {
      Row row =
          session
              .cql()
              .execute(
                  read.bind(COUNTER)
                      .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL)
                      .setIdempotent(true)
                      .setTimeout(TIMEOUT))
              .one();
      return row == null ? takeAfter(0) : takeAfter(row.getLong("taken"));
    }
    return takeAfter(lastSeen);
  }

  private long takeAfter(long last) {
    long wanted = last + 1;
    ResultSet answer =
        session
            .cql()
            .execute(
                (last == 0 ? first.bind(COUNTER, wanted) : next.bind(wanted, COUNTER, last))
                    .setTimeout(TIMEOUT));
    if (answer.wasApplied()) {
      return wanted;
    }
    Row row = answer.one();
    return row == null || row.isNull("taken") ? 0 : -row.getLong("taken");
  }
}
