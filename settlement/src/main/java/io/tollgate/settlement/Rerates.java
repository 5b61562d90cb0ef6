package io.tollgate.settlement;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rerates as they are recorded. Everything may be repeated: a job that is restarted records the
 * same again.
 *
 * <p>Uses the connection that it is given, in auto-commit, and does not close it.
 */
public final class Rerates {
  private static final int ROWS_PER_REQUEST = 1_000;

  private static final String BEGIN =
      """
      INSERT INTO rerates (run, started_millis, started_by, reason, first_hour, last_hour, accounts,
        from_correction, to_correction, dry_run, units, units_done, charges, missing,
        finished_millis)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, -1)
      ON CONFLICT (run) DO NOTHING
      """;
  private static final String PROGRESS =
      "UPDATE rerates SET units_done = ?, charges = ?, missing = ? WHERE run = ?";
  private static final String FINISH =
      "UPDATE rerates SET finished_millis = ? WHERE run = ? AND finished_millis < 0";
  private static final String TOTAL =
      """
      INSERT INTO rerate_totals (run, account, destination, currency, charges, amount_before,
        amount_after)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (run, account, destination, currency) DO UPDATE
      SET charges = excluded.charges, amount_before = excluded.amount_before,
        amount_after = excluded.amount_after
      """;
  private static final String HOURS =
      """
      INSERT INTO rerated_hours (usage_hour, correction, run)
      SELECT hour, to_correction, run FROM rerates, generate_series(first_hour, last_hour) AS hour
      WHERE run = ? AND NOT dry_run AND cardinality(accounts) = 0
      ON CONFLICT (usage_hour) DO UPDATE
      SET correction = excluded.correction, run = excluded.run
      WHERE rerated_hours.correction < excluded.correction
      """;
  private static final String RERATED_TO =
      """
      SELECT min(coalesce(correction, 0))
      FROM generate_series(?::bigint, ?::bigint) AS hour
      LEFT JOIN rerated_hours ON usage_hour = hour
      """;
  private static final String WAITING =
      """
      SELECT count(*), coalesce(min(hour), -1), coalesce(max(hour), -1)
      FROM generate_series(?::bigint, ?::bigint) AS hour
      LEFT JOIN rerated_hours ON usage_hour = hour
      WHERE coalesce(correction, 0) < ?
      """;
  private static final String RUNS =
      """
      SELECT run, started_millis, started_by, reason, first_hour, last_hour, accounts,
        from_correction, to_correction, dry_run, units, units_done, charges, missing,
        finished_millis
      FROM rerates
      """;

  private final Connection connection;

  /**
   * Works on a connection.
   *
   * @param connection stays open while this is used
   */
  public Rerates(Connection connection) {
    this.connection = connection;
  }

  /**
   * What was asked for.
   *
   * @param run id of the run
   * @param startedMillis when it was asked for
   * @param by who asked
   * @param reason why
   * @param firstHour first usage hour, hours since 1970 in UTC
   * @param lastHour last usage hour, included
   * @param accounts whose charges; none for all
   * @param fromCorrection the last correction that these hours do not wait for
   * @param toCorrection the correction up to which charges are rated again
   * @param dryRun whether nothing is to be written
   * @param units into how many parts the work is divided
   */
  public record Order(
      String run,
      long startedMillis,
      String by,
      String reason,
      long firstHour,
      long lastHour,
      List<String> accounts,
      long fromCorrection,
      long toCorrection,
      boolean dryRun,
      long units) {
    public Order {
      accounts = List.copyOf(accounts);
    }
  }

  /**
   * How far it came.
   *
   * @param unitsDone parts that are through
   * @param charges charges that were read
   * @param missing revisions that were not there; written unless it is a dry run
   */
  public record Progress(long unitsDone, long charges, long missing) {}

  /**
   * A run as it is recorded.
   *
   * @param finishedMillis when it was through; -1 before
   */
  public record Run(Order order, Progress progress, long finishedMillis) {
    /** Returns whether all of it was done. */
    public boolean isFinished() {
      return finishedMillis >= 0;
    }
  }

  /**
   * What the corrections of a run change for an account and a destination.
   *
   * @param charges for how many charges
   * @param before what was owed for these before
   * @param after what is owed for them after
   */
  public record Total(
      String account,
      String destination,
      String currency,
      long charges,
      BigDecimal before,
      BigDecimal after) {}

  /**
   * Hours that wait for a rerate.
   *
   * @param hours how many
   * @param firstHour the first of them; -1 if there is none
   * @param lastHour the last of them; -1 if there is none
   */
  public record Waiting(long hours, long firstHour, long lastHour) {}

  /** Records that a run begins. */
  public void begin(Order order) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(BEGIN)) {
      Array accounts =
          connection.createArrayOf("text", order.accounts().stream().map(Texts::key).toArray());
      statement.setString(1, order.run());
      statement.setLong(2, order.startedMillis());
      statement.setString(3, Texts.shown(order.by()));
      statement.setString(4, Texts.shown(order.reason()));
      statement.setLong(5, order.firstHour());
      statement.setLong(6, order.lastHour());
      statement.setArray(7, accounts);
      statement.setLong(8, order.fromCorrection());
      statement.setLong(9, order.toCorrection());
      statement.setBoolean(10, order.dryRun());
      statement.setLong(11, order.units());
      statement.executeUpdate();
      accounts.free();
    }
  }

  /** Records how far a run came. */
  public void progress(String run, Progress progress) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PROGRESS)) {
      statement.setLong(1, progress.unitsDone());
      statement.setLong(2, progress.charges());
      statement.setLong(3, progress.missing());
      statement.setString(4, run);
      statement.executeUpdate();
    }
  }

  /** Records totals of a run, each in the place of what was recorded of it before. */
  public void totals(String run, List<Total> totals) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TOTAL)) {
      int waiting = 0;
      for (Total total : totals) {
        statement.setString(1, run);
        statement.setString(2, Texts.key(total.account()));
        statement.setString(3, Texts.key(total.destination()));
        statement.setString(4, total.currency());
        statement.setLong(5, total.charges());
        statement.setBigDecimal(6, total.before());
        statement.setBigDecimal(7, total.after());
        statement.addBatch();
        waiting++;
        if (waiting == ROWS_PER_REQUEST) {
          statement.executeBatch();
          waiting = 0;
        }
      }
      statement.executeBatch();
    }
  }

  /** Records that a run is through, and that its hours wait for its corrections no longer. */
  public void finish(String run, Progress progress, long nowMillis) throws SQLException {
    Transaction.run(
        connection,
        Connection.TRANSACTION_READ_COMMITTED,
        () -> {
          progress(run, progress);
          try (PreparedStatement hours = connection.prepareStatement(HOURS);
              PreparedStatement finish = connection.prepareStatement(FINISH)) {
            hours.setString(1, run);
            hours.executeUpdate();
            finish.setLong(1, nowMillis);
            finish.setString(2, run);
            finish.executeUpdate();
          }
          return run;
        });
  }

  /** Returns the last correction that none of these hours waits for; 0 if there is none. */
  public long reratedTo(long firstHour, long lastHour) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RERATED_TO)) {
      statement.setLong(1, firstHour);
      statement.setLong(2, lastHour);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** Returns which of these hours were not rerated up to a correction, for all accounts. */
  public Waiting waiting(long firstHour, long lastHour, long correction) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(WAITING)) {
      statement.setLong(1, firstHour);
      statement.setLong(2, lastHour);
      statement.setLong(3, correction);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Waiting(row.getLong(1), row.getLong(2), row.getLong(3));
      }
    }
  }

  /** Returns a run. */
  public Optional<Run> find(String run) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RUNS + "WHERE run = ?")) {
      statement.setString(1, run);
      return read(statement).stream().findFirst();
    }
  }

  /** Returns the newest runs, the newest first. */
  public List<Run> newest(int limit) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(RUNS + "ORDER BY started_millis DESC, run LIMIT ?")) {
      statement.setInt(1, limit);
      return read(statement);
    }
  }

  /**
   * Returns totals of a run, those that change most first.
   *
   * @param group what to add up: {@code account}, {@code destination}, or both
   */
  public List<Total> totals(String run, Group group, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(group.query)) {
      statement.setString(1, run);
      statement.setInt(2, limit);
      List<Total> totals = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          totals.add(
              new Total(
                  rows.getString(1),
                  rows.getString(2),
                  rows.getString(3),
                  rows.getLong(4),
                  rows.getBigDecimal(5),
                  rows.getBigDecimal(6)));
        }
      }
      return totals;
    }
  }

  /** What totals are added up by. */
  public enum Group {
    /** Each account, all its destinations together. */
    ACCOUNT("account", "''"),
    /** Each destination, all accounts together. */
    DESTINATION("''", "destination"),
    /** Everything together. */
    CURRENCY("''", "''");

    private final String query;

    Group(String account, String destination) {
      query =
          "SELECT "
              + account
              + " AS who, "
              + destination
              + " AS whither, currency, sum(charges), sum(amount_before), sum(amount_after)"
              + " FROM rerate_totals WHERE run = ? GROUP BY who, whither, currency"
              + " ORDER BY abs(sum(amount_after) - sum(amount_before)) DESC, who, whither, currency"
              + " LIMIT ?";
    }
  }

  private static List<Run> read(PreparedStatement statement) throws SQLException {
    List<Run> runs = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        Array accounts = rows.getArray("accounts");
        runs.add(
            new Run(
                new Order(
                    rows.getString("run"),
                    rows.getLong("started_millis"),
                    rows.getString("started_by"),
                    rows.getString("reason"),
                    rows.getLong("first_hour"),
                    rows.getLong("last_hour"),
                    List.of((String[]) accounts.getArray()),
                    rows.getLong("from_correction"),
                    rows.getLong("to_correction"),
                    rows.getBoolean("dry_run"),
                    rows.getLong("units")),
                new Progress(
                    rows.getLong("units_done"), rows.getLong("charges"), rows.getLong("missing")),
                rows.getLong("finished_millis")));
        accounts.free();
      }
    }
    return runs;
  }
}
