package io.tollgate.settlement;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Forgets old results, a bounded number at a time.
 *
 * <table>
 *   <caption>What is kept</caption>
 *   <tr><th>result</th><th>is forgotten</th></tr>
 *   <tr><td>cycle</td><td>when it is older than cycles are kept</td></tr>
 *   <tr><td>batch, with its hours</td><td>when it was found last before results are kept, is
 *       balanced, and every hour with rows of it is settled and covers it</td></tr>
 *   <tr><td>difference that is gone</td><td>when it was found last before results are kept</td></tr>
 *   <tr><td>difference that is open or was written off</td><td>never: it holds up its hour, or
 *       explains it</td></tr>
 *   <tr><td>partition of the ledger, hour</td><td>never: lines are compared with them, and there
 *       are no more of them than of lines</td></tr>
 *   <tr><td>line, closed month, halt, answer</td><td>never</td></tr>
 * </table>
 */
public final class Retention {
  private static final int ROWS_PER_STEP = 1_000;
  private static final long MILLIS_PER_SECOND = 1_000;

  // Where a statement waits for another program's row, that one goes first.
  private static final String[] SETTINGS = {
    "SET LOCAL lock_timeout = '5s'", "SET LOCAL tollgate.forgetting = 'on'"
  };
  private static final String CYCLES =
      """
      DELETE FROM cycles WHERE cycle IN (
        SELECT cycle FROM cycles WHERE cycle < ? ORDER BY cycle LIMIT ?)
      """;
  private static final String DIFFERENCES =
      """
      DELETE FROM differences WHERE status = 'GONE' AND id IN (
        SELECT id FROM differences WHERE status = 'GONE' AND at_millis < ?
        ORDER BY at_millis LIMIT ?)
      """;
  // Locked, so that a finding about one of them that comes in meanwhile waits and then is new.
  private static final String BATCHES =
      """
      WITH forgotten AS (
        SELECT b.source, b.batch FROM batches b
        WHERE b.state = 'BALANCED' AND b.at_millis < ?
          AND NOT EXISTS (
            SELECT 1 FROM batch_hours bh
            LEFT JOIN settled_batches s USING (usage_hour, source, batch)
            LEFT JOIN hours h USING (usage_hour, source)
            WHERE bh.source = b.source AND bh.batch = b.batch
              AND (s.batch IS NULL OR h.state IS DISTINCT FROM 'SETTLED' OR h.marked))
        ORDER BY b.at_millis LIMIT ?
        FOR UPDATE OF b),
      forgotten_hours AS (
        DELETE FROM batch_hours bh USING forgotten f
        WHERE bh.source = f.source AND bh.batch = f.batch)
      DELETE FROM batches b USING forgotten f WHERE b.source = f.source AND b.batch = f.batch
      """;

  private final long cyclesMillis;
  private final long resultsMillis;

  /**
   * @param cycles how long cycles are kept
   * @param results how long everything else is kept that is kept for a time only
   */
  public Retention(Duration cycles, Duration results) {
    if (cycles.isNegative() || results.isNegative()) {
      throw new IllegalArgumentException(
          "retention: " + cycles + ", " + results + " (expected: not negative)");
    }
    this.cyclesMillis = cycles.toMillis();
    this.resultsMillis = results.toMillis();
  }

  /**
   * Forgets at most a thousand results of each kind, in one transaction.
   *
   * @param connection with auto-commit, as it is opened
   * @param nowMillis UTC milliseconds, by the clock that stamps the findings
   * @return whether there may be more to forget
   * @throws SQLException transient or permanent, see {@link SqlFailures}; nothing was changed
   */
  public boolean step(Connection connection, long nowMillis) throws SQLException {
    return Transaction.run(
        connection, Connection.TRANSACTION_READ_COMMITTED, () -> forget(connection, nowMillis));
  }

  private boolean forget(Connection connection, long nowMillis) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String setting : SETTINGS) {
        statement.execute(setting);
      }
    }
    long resultsBefore = nowMillis - resultsMillis;
    int most =
        Math.max(
            delete(connection, CYCLES, (nowMillis - cyclesMillis) / MILLIS_PER_SECOND),
            Math.max(
                delete(connection, DIFFERENCES, resultsBefore),
                delete(connection, BATCHES, resultsBefore)));
    return most == ROWS_PER_STEP;
  }

  private static int delete(Connection connection, String sql, long before) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, before);
      statement.setInt(2, ROWS_PER_STEP);
      return statement.executeUpdate();
    }
  }
}
