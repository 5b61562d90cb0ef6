package io.tollgate.settlement;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.reconcile.ReconcileResult;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Reads what is recorded, for the command line and the console. Every answer is bounded: lists by
 * the limit that is asked for, lines of a month by handing them on one at a time.
 *
 * <p>Uses the connection that it is given and does not close it.
 */
public final class ResultReader {
  private static final int ROWS_PER_FETCH = 1_000;
  private static final long SECONDS_PER_HOUR = 3_600;
  private static final String OPEN = "status IN ('CONFIRMED', 'RESOLVING')";

  private final Connection connection;

  /**
   * @param connection stays open while this reader is used
   */
  public ResultReader(Connection connection) {
    this.connection = connection;
  }

  /** A batch as it is recorded. Usage in milliseconds, messages, bytes and pieces. */
  public record BatchRow(
      String source,
      String batch,
      String file,
      ReconcileResult.State state,
      String waitingFor,
      long records,
      Map<Outcome, Long> outcomes,
      Map<UsageType, Long> usage,
      long atMillis) {}

  /** A source as it is recorded. */
  public record SourceRow(
      String source,
      String market,
      String lastFile,
      long lastHeardMillis,
      long openBatches,
      String waitingFor,
      ReconcileResult.State state,
      long atMillis) {}

  /**
   * A usage hour of a source.
   *
   * @param settledMillis when its newest lines were made; empty if it has none
   */
  public record HourRow(
      long usageHour,
      String source,
      HourState state,
      String waitingFor,
      long changedMillis,
      OptionalLong settledMillis) {}

  /** A difference as it is recorded. */
  public record DifferenceRow(
      String id,
      String kind,
      String source,
      String batch,
      long usageHour,
      int bucket,
      String items,
      long records,
      String expected,
      String found,
      ReconcileResult.Found.Status status,
      String haltId,
      String example,
      long firstMillis,
      long atMillis) {}

  /** What was found of a batch in an hour. */
  public record BatchHour(long usageHour, String batch, long charges, boolean isSettled) {}

  /**
   * What was read of a source in a partition of the ledger.
   *
   * @param amounts what is owed for its rows, by currency
   */
  public record PartitionRow(
      String source,
      int bucket,
      ReconcileResult.State state,
      long charges,
      Map<String, BigDecimal> amounts,
      long correction,
      long atMillis) {}

  /**
   * What is settled at a place: all its lines together.
   *
   * @param correction newest correction that is counted in
   */
  public record SettledPlace(
      long usageHour,
      int bucket,
      String source,
      String market,
      String currency,
      long charges,
      BigDecimal amount,
      long correction) {}

  /**
   * A halt as it was copied from the ledger.
   *
   * @param differences how many differences it has
   * @param resolved how many of them have an answer
   * @param answeredBy who answered last; empty if nobody did
   */
  public record HaltRow(
      String haltId,
      long raisedMillis,
      String reason,
      long differences,
      long resolved,
      String answeredBy) {
    /** Returns whether it still kept charging stopped when it was copied. */
    public boolean isOpen() {
      return resolved < differences;
    }
  }

  /** Takes what is settled, place by place. */
  public interface PlaceConsumer<E extends Exception> {
    void accept(SettledPlace place) throws SQLException, E;
  }

  /** Numbers for the first line of a status. */
  public record Overview(
      long openBatches, long sourcesInMismatch, long confirmedDifferences, long openHours) {}

  /** Returns how many batches are balanced. */
  public long balancedBatches() throws SQLException {
    return list(
            "SELECT count(*) AS batches FROM batches WHERE state = 'BALANCED'",
            row -> row.getLong("batches"))
        .get(0);
  }

  /** Returns the newest cycles, the newest first. */
  public List<ReconcileResult.Cycle> lastCycles(int limit) throws SQLException {
    return list(
        "SELECT * FROM cycles ORDER BY cycle DESC LIMIT ?",
        row ->
            new ReconcileResult.Cycle(
                row.getLong("cycle"),
                row.getLong("started_millis"),
                row.getLong("finished_millis"),
                row.getLong("partitions_read"),
                row.getLong("rows_read"),
                row.getLong("batches_judged"),
                row.getLong("differences")),
        limit);
  }

  /** Returns when the newest cycle was finished; empty if there was none. */
  public OptionalLong newestCycleMillis() throws SQLException {
    List<ReconcileResult.Cycle> newest = lastCycles(1);
    return newest.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(newest.get(0).finishedMillis());
  }

  /** Returns how much there is of what people have to look at. */
  public Overview overview() throws SQLException {
    return list(
            "SELECT (SELECT count(*) FROM batches WHERE state <> 'BALANCED') AS batches,"
                + " (SELECT count(*) FROM sources WHERE state = 'MISMATCH') AS sources,"
                + " (SELECT count(*) FROM differences WHERE status IN ('CONFIRMED', 'RESOLVING'))"
                + " AS differences,"
                + " (SELECT count(*) FROM hours WHERE state <> 'SETTLED') AS hours",
            row ->
                new Overview(
                    row.getLong("batches"),
                    row.getLong("sources"),
                    row.getLong("differences"),
                    row.getLong("hours")))
        .get(0);
  }

  /** Returns halts: those that are open first, then the newest. */
  public List<HaltRow> halts(int limit) throws SQLException {
    return list(
        "SELECT h.*, d.differences, r.resolved, coalesce(a.person, '') AS answered_by"
            + " FROM halts h"
            + " CROSS JOIN LATERAL (SELECT count(*) AS differences FROM halt_differences x"
            + " WHERE x.halt_id = h.halt_id) d"
            + " CROSS JOIN LATERAL (SELECT count(*) AS resolved FROM resolutions x"
            + " WHERE x.halt_id = h.halt_id) r"
            + " LEFT JOIN acknowledgements a USING (halt_id)"
            + " ORDER BY r.resolved < d.differences DESC, h.raised_millis DESC, h.halt_id LIMIT ?",
        row ->
            new HaltRow(
                row.getString("halt_id"),
                row.getLong("raised_millis"),
                row.getString("reason"),
                row.getLong("differences"),
                row.getLong("resolved"),
                row.getString("answered_by")),
        limit);
  }

  /** Returns batches that are not balanced, those first that have been so for longest. */
  public List<BatchRow> openBatches(int limit) throws SQLException {
    return list(
        "SELECT * FROM batches WHERE state <> 'BALANCED'"
            + " ORDER BY at_millis, source, batch LIMIT ?",
        ResultReader::batch,
        limit);
  }

  /** Returns all batches of an id: sources may have batches of the same name. */
  public List<BatchRow> batches(String batch, int limit) throws SQLException {
    return list(
        "SELECT * FROM batches WHERE batch = ? ORDER BY source LIMIT ?",
        ResultReader::batch,
        Texts.key(batch),
        limit);
  }

  /** Returns the hours in which a batch has rows. */
  public List<BatchHour> hoursOfBatch(String source, String batch, int limit) throws SQLException {
    return list(
        "SELECT b.usage_hour, b.batch, b.charges, s.batch IS NOT NULL AS settled"
            + " FROM batch_hours b LEFT JOIN settled_batches s USING (usage_hour, source, batch)"
            + " WHERE b.source = ? AND b.batch = ? ORDER BY b.usage_hour LIMIT ?",
        ResultReader::batchHour,
        source,
        batch,
        limit);
  }

  /** Returns the batches of a source that have rows in an hour. */
  public List<BatchHour> batchesOfHour(long usageHour, String source, int limit)
      throws SQLException {
    return list(
        "SELECT b.usage_hour, b.batch, b.charges, s.batch IS NOT NULL AS settled"
            + " FROM batch_hours b LEFT JOIN settled_batches s USING (usage_hour, source, batch)"
            + " WHERE b.usage_hour = ? AND b.source = ? ORDER BY b.batch LIMIT ?",
        ResultReader::batchHour,
        usageHour,
        source,
        limit);
  }

  /** Returns sources by their ids. */
  public List<SourceRow> sources(int limit) throws SQLException {
    return list(
        "SELECT s.*, (SELECT count(*) FROM batches b WHERE b.source = s.source"
            + " AND b.state <> 'BALANCED') AS open_batches FROM sources s ORDER BY source LIMIT ?",
        row ->
            new SourceRow(
                row.getString("source"),
                row.getString("market"),
                row.getString("last_file"),
                row.getLong("last_heard_millis"),
                row.getLong("open_batches"),
                row.getString("waiting_for"),
                ReconcileResult.State.valueOf(row.getString("state")),
                row.getLong("at_millis")),
        limit);
  }

  /** Returns hours that are not settled, the oldest first. */
  public List<HourRow> openHours(int limit) throws SQLException {
    return list(
        "SELECT * FROM hours WHERE state <> 'SETTLED' ORDER BY usage_hour, source LIMIT ?",
        ResultReader::hour,
        limit);
  }

  /** Returns an hour of each source that has anything in it. */
  public List<HourRow> hours(long usageHour, int limit) throws SQLException {
    return list(
        "SELECT * FROM hours WHERE usage_hour = ? ORDER BY source LIMIT ?",
        ResultReader::hour,
        usageHour,
        limit);
  }

  /** Returns what was read of an hour. */
  public List<PartitionRow> partitions(long usageHour, int limit) throws SQLException {
    return list(
        "SELECT * FROM partitions WHERE usage_hour = ? ORDER BY source, bucket LIMIT ?",
        row ->
            new PartitionRow(
                row.getString("source"),
                row.getInt("bucket"),
                ReconcileResult.State.valueOf(row.getString("state")),
                row.getLong("charges"),
                amounts(row),
                row.getLong("correction"),
                row.getLong("at_millis")),
        usageHour,
        limit);
  }

  /** Returns differences that are open, those that were confirmed first. */
  public List<DifferenceRow> openDifferences(int limit) throws SQLException {
    return list(
        "SELECT * FROM differences WHERE "
            + OPEN
            + " ORDER BY status = 'RESOLVING', first_millis, id LIMIT ?",
        ResultReader::difference,
        limit);
  }

  /** Returns differences of a batch, whatever became of them, the newest first. */
  public List<DifferenceRow> differencesOfBatch(String source, String batch, int limit)
      throws SQLException {
    return list(
        "SELECT * FROM differences WHERE source = ? AND batch = ?"
            + " ORDER BY at_millis DESC, id LIMIT ?",
        ResultReader::difference,
        source,
        batch,
        limit);
  }

  /** Returns differences of an hour, whatever became of them, the newest first. */
  public List<DifferenceRow> differencesOfHour(long usageHour, int limit) throws SQLException {
    return list(
        "SELECT * FROM differences WHERE usage_hour = ? ORDER BY at_millis DESC, id LIMIT ?",
        ResultReader::difference,
        usageHour,
        limit);
  }

  /** Returns what is settled of an hour, by source, bucket and currency. */
  public List<SettledPlace> settled(long usageHour, int limit) throws SQLException {
    return list(
        places("usage_hour = ?") + " LIMIT ?", ResultReader::settledPlace, usageHour, limit);
  }

  /**
   * Hands on what is settled of the usage of a month (UTC), by hour, bucket, source and currency.
   * All of it is from one moment, and little of it is in memory at a time.
   */
  public <E extends Exception> void settledOf(YearMonth month, PlaceConsumer<E> consumer)
      throws SQLException, E {
    int formerIsolation = connection.getTransactionIsolation();
    // What the consumer asks on the way is from the same moment too.
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    try (PreparedStatement statement =
        connection.prepareStatement(places("usage_hour >= ? AND usage_hour < ?"))) {
      statement.setFetchSize(ROWS_PER_FETCH);
      statement.setLong(1, firstHour(month));
      statement.setLong(2, firstHour(month.plusMonths(1)));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          consumer.accept(settledPlace(row));
        }
      }
    } finally {
      if (!connection.isClosed()) {
        connection.rollback();
        connection.setAutoCommit(true);
        connection.setTransactionIsolation(formerIsolation);
      }
    }
  }

  /**
   * Returns the batches that have rows in an hour which its lines do not cover (yet).
   *
   * @return ids of batches, of the source
   */
  public List<String> uncoveredBatches(long usageHour, String source) throws SQLException {
    return list(
        "SELECT b.batch FROM batch_hours b"
            + " LEFT JOIN settled_batches s USING (usage_hour, source, batch)"
            + " WHERE b.usage_hour = ? AND b.source = ? AND s.batch IS NULL ORDER BY 1",
        row -> row.getString(1),
        usageHour,
        source);
  }

  /** Returns how far an hour of a source is. */
  public Optional<HourRow> hour(long usageHour, String source) throws SQLException {
    return list(
            "SELECT * FROM hours WHERE usage_hour = ? AND source = ?",
            ResultReader::hour,
            usageHour,
            source)
        .stream()
        .findFirst();
  }

  private static String places(String condition) {
    return "SELECT usage_hour, bucket, source, max(market) AS market, currency,"
        + " sum(charges) AS charges, sum(amount) AS amount, max(correction) AS correction"
        + " FROM settlement_lines WHERE "
        + condition
        + " GROUP BY usage_hour, bucket, source, currency"
        + " ORDER BY usage_hour, bucket, source, currency";
  }

  private static long firstHour(YearMonth month) {
    return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toEpochSecond() / SECONDS_PER_HOUR;
  }

  private static Map<String, BigDecimal> amounts(ResultSet row) throws SQLException {
    String[] currencies = (String[]) row.getArray("currencies").getArray();
    BigDecimal[] sums = (BigDecimal[]) row.getArray("currency_amounts").getArray();
    Map<String, BigDecimal> amounts = new TreeMap<>();
    for (int i = 0; i < currencies.length; i++) {
      amounts.put(currencies[i], sums[i]);
    }
    return amounts;
  }

  private static BatchRow batch(ResultSet row) throws SQLException {
    Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, row.getLong("outcome_" + outcome));
    }
    Map<UsageType, Long> usage = new EnumMap<>(UsageType.class);
    for (UsageType type : UsageType.values()) {
      usage.put(type, row.getLong("usage_" + type));
    }
    return new BatchRow(
        row.getString("source"),
        row.getString("batch"),
        row.getString("file"),
        ReconcileResult.State.valueOf(row.getString("state")),
        row.getString("waiting_for"),
        row.getLong("records"),
        Collections.unmodifiableMap(outcomes),
        Collections.unmodifiableMap(usage),
        row.getLong("at_millis"));
  }

  private static BatchHour batchHour(ResultSet row) throws SQLException {
    return new BatchHour(
        row.getLong("usage_hour"),
        row.getString("batch"),
        row.getLong("charges"),
        row.getBoolean("settled"));
  }

  private static HourRow hour(ResultSet row) throws SQLException {
    long settledMillis = row.getLong("settled_millis");
    boolean isSettled = !row.wasNull();
    return new HourRow(
        row.getLong("usage_hour"),
        row.getString("source"),
        HourState.valueOf(row.getString("state")),
        row.getString("waiting_for"),
        row.getLong("changed_millis"),
        isSettled ? OptionalLong.of(settledMillis) : OptionalLong.empty());
  }

  private static DifferenceRow difference(ResultSet row) throws SQLException {
    return new DifferenceRow(
        row.getString("id"),
        row.getString("kind"),
        row.getString("source"),
        row.getString("batch"),
        row.getLong("usage_hour"),
        row.getInt("bucket"),
        row.getString("items"),
        row.getLong("records"),
        row.getString("expected"),
        row.getString("found"),
        ReconcileResult.Found.Status.valueOf(row.getString("status")),
        row.getString("halt_id"),
        row.getString("example"),
        row.getLong("first_millis"),
        row.getLong("at_millis"));
  }

  private static SettledPlace settledPlace(ResultSet row) throws SQLException {
    return new SettledPlace(
        row.getLong("usage_hour"),
        row.getInt("bucket"),
        row.getString("source"),
        row.getString("market"),
        row.getString("currency"),
        row.getLong("charges"),
        row.getBigDecimal("amount"),
        row.getLong("correction"));
  }

  private <T> List<T> list(String sql, RowMapper<T> mapper, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        List<T> rows = new ArrayList<>();
        while (row.next()) {
          rows.add(mapper.map(row));
        }
        return rows;
      }
    }
  }

  /** Makes an object of a row. */
  private interface RowMapper<T> {
    T map(ResultSet row) throws SQLException;
  }
}
