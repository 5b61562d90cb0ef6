package io.tollgate.settlement;

import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Owed;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settles hours that are balanced and quiet. {@link SettlementRule} says which, {@link LineRule}
 * what a line says.
 *
 * <p>A step is one transaction: it may be repeated, run by several at once, or be killed anywhere,
 * and the lines of a place always add up to what was owed when it was settled last. What holds are
 * the lines themselves, not the memory of any program: each step compares with them anew.
 *
 * <ul>
 *   <li>Two steps at once wait for each other (a table lock). Were they not to, only one of them
 *       could change the hour's row from its snapshot, and the key of the lines would let only one
 *       line through. The lock also keeps months from being closed meanwhile.
 *   <li>All facts come from one snapshot. If a finding about an hour is recorded meanwhile, the
 *       database refuses to settle that hour from the old one, and the step begins anew.
 * </ul>
 */
public final class Settlement {
  /** Hours of sources that one step settles at most, so that a step stays short. */
  static final int HOURS_PER_STEP = 500;

  private static final int ATTEMPTS = 5;
  private static final int LINES_PER_STATEMENT = 500;
  private static final int ROWS_PER_FETCH = 1_000;
  private static final Set<String> OVERTAKEN = Set.of("40001", "40P01");

  // A step that hangs must not keep the others out for ever.
  private static final List<String> LIMITS =
      List.of(
          "SET LOCAL lock_timeout = '20s'",
          "SET LOCAL idle_in_transaction_session_timeout = '60s'");
  private static final String FACTS =
      """
      SELECT h.usage_hour, h.source, h.state, h.waiting_for, h.marked, h.changed_millis,
        s.market, s.state AS source_state,
        h.settled_millis IS NOT NULL AS has_lines,
        p.partitions, p.not_balanced AS partitions_not_balanced, p.charges,
        b.not_balanced AS batches_not_balanced, b.example_batch, b.charges AS batch_charges,
        a.missing, d.confirmed
      FROM hours h
      LEFT JOIN sources s ON s.source = h.source
      CROSS JOIN LATERAL (
        SELECT count(*) AS partitions,
          count(*) FILTER (WHERE state <> 'BALANCED') AS not_balanced,
          coalesce(sum(charges), 0) AS charges
        FROM partitions WHERE usage_hour = h.usage_hour AND source = h.source) p
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE b.state <> 'BALANCED') AS not_balanced,
          coalesce(min(b.batch) FILTER (WHERE b.state <> 'BALANCED'), '') AS example_batch,
          coalesce(sum(bh.charges), 0) AS charges
        FROM batch_hours bh JOIN batches b ON b.source = bh.source AND b.batch = bh.batch
        WHERE bh.usage_hour = h.usage_hour AND bh.source = h.source) b
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(records), 0) AS missing
        FROM differences
        WHERE usage_hour = h.usage_hour AND source = h.source AND status = 'WRITTEN_OFF'
          AND kind IN ('MISSING_ROW', 'SETTLED_VANISHED')) a
      CROSS JOIN LATERAL (
        SELECT coalesce(min(id), '') AS confirmed
        FROM differences
        WHERE status IN ('CONFIRMED', 'RESOLVING')
          AND source IN (h.source, '')
          AND (usage_hour = h.usage_hour OR usage_hour < 0)) d
      WHERE h.marked OR h.state <> 'SETTLED'
      ORDER BY h.usage_hour, h.source
      """;
  private static final String JUDGE =
      """
      UPDATE hours SET state = ?, waiting_for = ? WHERE usage_hour = ? AND source = ?
      """;
  private static final String SETTLE =
      """
      UPDATE hours SET state = 'SETTLED', waiting_for = '', marked = false,
        settled_millis = CASE WHEN ? THEN ? ELSE settled_millis END
      WHERE usage_hour = ? AND source = ?
      """;
  // What is owed beside what is settled, of each place of the chosen hours that has either.
  private static final String PLACES =
      """
      WITH chosen AS (
        SELECT c.usage_hour, c.source
        FROM unnest(?::bigint[], ?::text[]) AS c (usage_hour, source)),
      owed AS (
        SELECT p.usage_hour, p.source, p.bucket, o.currency, o.charges, o.amount, o.digest
        FROM chosen JOIN partitions p USING (usage_hour, source)
        CROSS JOIN LATERAL unnest(
          p.currencies, p.currency_charges, p.currency_amounts, p.currency_digests)
          AS o (currency, charges, amount, digest)),
      settled AS (
        SELECT l.usage_hour, l.source, l.bucket, l.currency, count(*) AS lines,
          sum(l.charges) AS charges, sum(l.amount) AS amount,
          (array_agg(l.digest ORDER BY l.number DESC))[1] AS digest
        FROM chosen JOIN settlement_lines l USING (usage_hour, source)
        GROUP BY l.usage_hour, l.source, l.bucket, l.currency),
      places AS (
        SELECT usage_hour, source, bucket, currency,
          coalesce(o.charges, 0) AS charges, coalesce(o.amount, 0) AS amount,
          coalesce(o.digest, 0) AS digest, coalesce(s.lines, 0) AS lines,
          coalesce(s.charges, 0) AS settled_charges, coalesce(s.amount, 0) AS settled_amount,
          coalesce(s.digest, 0) AS settled_digest
        FROM owed o FULL JOIN settled s USING (usage_hour, source, bucket, currency))
      """;
  private static final String ADDITIONS =
      PLACES
          + """
          SELECT x.*, p.correction, p.digest AS charges_digest, src.market,
            EXISTS (SELECT 1 FROM settlement_lines l
              WHERE l.usage_hour = x.usage_hour AND l.source = x.source) AS supplement
          FROM places x
          JOIN partitions p USING (usage_hour, source, bucket)
          JOIN sources src ON src.source = x.source
          ORDER BY x.usage_hour, x.source, x.bucket, x.currency
          """;
  private static final String UNEQUAL =
      PLACES
          + """
          SELECT usage_hour, source, bucket, currency FROM places
          WHERE charges <> settled_charges OR amount <> settled_amount
            OR digest <> settled_digest
          LIMIT 1
          """;
  private static final String INSERT_LINE =
      """
      INSERT INTO settlement_lines (usage_hour, bucket, source, market, currency, number,
        supplement, period, charges, amount, digest, correction, settled_millis, charges_digest)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;
  private static final String INSERT_BATCHES =
      """
      INSERT INTO settled_batches (usage_hour, source, batch, settled_millis)
      SELECT b.usage_hour, b.source, b.batch, ?
      FROM unnest(?::bigint[], ?::text[]) AS c (usage_hour, source)
      JOIN batch_hours b USING (usage_hour, source)
      ON CONFLICT (usage_hour, source, batch) DO NOTHING
      """;

  private final SettlementRule rule;

  /**
   * @param quiet how long an hour must have been without change before it is settled
   */
  public Settlement(Duration quiet) {
    this.rule = new SettlementRule(quiet);
  }

  /**
   * What a step did.
   *
   * @param judged hours of sources that were looked at
   * @param settled those that were settled, for the first time or again
   * @param lines lines that were made
   * @param isMoreDue whether further hours are due at once
   * @param found where the ledger is not what the lines say, and what was told of that and is gone
   */
  public record Step(int judged, int settled, long lines, boolean isMoreDue, List<Found> found) {

    /** A step that found nothing of the kind. */
    Step(int judged, int settled, long lines, boolean isMoreDue) {
      this(judged, settled, lines, isMoreDue, List.of());
    }
  }

  /**
   * Judges every hour that is not settled or about which something new was found, and settles what
   * is due.
   *
   * @param connection with auto-commit, as it is opened
   * @param nowMillis UTC milliseconds, by the clock that stamps the findings
   * @param isHalted whether charging is halted: nothing is settled then
   * @throws SQLException transient or permanent, see {@link SqlFailures}; nothing was changed
   */
  public Step step(Connection connection, long nowMillis, boolean isHalted) throws SQLException {
    int attempt = 1;
    while (true) {
      try {
        return Transaction.run(
            connection,
            Connection.TRANSACTION_REPEATABLE_READ,
            () -> settle(connection, nowMillis, isHalted));
      } catch (SQLException e) {
        if (attempt == ATTEMPTS || !isOvertaken(e)) {
          throw e;
        }
        attempt++;
      }
    }
  }

  private Step settle(Connection connection, long nowMillis, boolean isHalted) throws SQLException {
    begin(connection);
    List<Judged> judged = judge(connection, nowMillis, isHalted);
    List<Found> found = compareWithLines(connection, judged, nowMillis);
    List<Judged> due =
        judged.stream()
            .filter(one -> one.verdict().state() == HourState.SETTLED)
            .limit(HOURS_PER_STEP)
            .toList();
    boolean isMoreDue =
        judged.stream().filter(one -> one.verdict().state() == HourState.SETTLED).count()
            > due.size();
    record(connection, judged);
    long lines = 0;
    if (!due.isEmpty()) {
      markSettled(connection, due, nowMillis);
      lines = addLines(connection, due, nowMillis);
      coverBatches(connection, due, nowMillis);
      assertEqual(connection, due);
    }
    return new Step(judged.size(), due.size(), lines, isMoreDue, found);
  }

  /** What is settled and not what was settled is in question, and not settled anew. */
  private static List<Found> compareWithLines(
      Connection connection, List<Judged> judged, long nowMillis) throws SQLException {
    List<HourFacts> settledBefore =
        judged.stream()
            .filter(Judged::hasLines)
            .map(Judged::facts)
            .filter(facts -> facts.partitionsNotBalanced() == 0)
            .toList();
    List<Found> found = SettledPlaces.compare(connection, settledBefore, nowMillis);
    Map<String, String> inQuestion = new HashMap<>();
    for (Found each : found) {
      if (each.status() == Found.Status.CONFIRMED) {
        inQuestion.putIfAbsent(
            each.difference().usageHour() + "\n" + each.difference().source(),
            each.difference().id());
      }
    }
    judged.replaceAll(
        one -> {
          String id = inQuestion.get(one.facts().usageHour() + "\n" + one.facts().source());
          return id == null || one.verdict().state() == HourState.MISMATCH
              ? one
              : one.with(new HourVerdict(HourState.MISMATCH, "difference " + id));
        });
    return found;
  }

  /** Takes the lock before the first query, since that fixes the snapshot. */
  private static void begin(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String limit : LIMITS) {
        statement.execute(limit);
      }
      statement.execute(AccountingPeriods.LOCK);
    }
  }

  private List<Judged> judge(Connection connection, long nowMillis, boolean isHalted)
      throws SQLException {
    List<Judged> judged = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(ROWS_PER_FETCH);
      try (ResultSet row = statement.executeQuery(FACTS)) {
        while (row.next()) {
          HourFacts facts = facts(row);
          HourVerdict verdict = rule.judge(facts, nowMillis, isHalted);
          HourVerdict former =
              new HourVerdict(
                  HourState.valueOf(row.getString("state")), row.getString("waiting_for"));
          judged.add(new Judged(facts, row.getBoolean("has_lines"), former, verdict));
        }
      }
    }
    return judged;
  }

  private static HourFacts facts(ResultSet row) throws SQLException {
    return new HourFacts(
        row.getLong("usage_hour"),
        row.getString("source"),
        row.getString("market"),
        sourceState(row.getString("source_state")),
        row.getLong("partitions"),
        row.getLong("partitions_not_balanced"),
        row.getLong("charges"),
        row.getLong("batches_not_balanced"),
        row.getString("example_batch"),
        row.getLong("batch_charges"),
        row.getLong("missing"),
        row.getString("confirmed"),
        row.getLong("changed_millis"));
  }

  private static ReconcileResult.@Nullable State sourceState(@Nullable String name) {
    return name == null ? null : ReconcileResult.State.valueOf(name);
  }

  /** Writes down how far the hours are that are not settled, where that is news. */
  private static void record(Connection connection, List<Judged> judged) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(JUDGE)) {
      for (Judged one : judged) {
        if (one.verdict().state() != HourState.SETTLED && !one.verdict().equals(one.former())) {
          statement.setString(1, one.verdict().state().name());
          statement.setString(2, Texts.shown(one.verdict().waitingFor()));
          statement.setLong(3, one.facts().usageHour());
          statement.setString(4, one.facts().source());
          statement.addBatch();
        }
      }
      statement.executeBatch();
    }
  }

  private static void markSettled(Connection connection, List<Judged> due, long nowMillis)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SETTLE)) {
      for (Judged one : due) {
        statement.setBoolean(1, one.facts().partitions() > 0);
        statement.setLong(2, nowMillis);
        statement.setLong(3, one.facts().usageHour());
        statement.setString(4, one.facts().source());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static long addLines(Connection connection, List<Judged> due, long nowMillis)
      throws SQLException {
    AccountingPeriods periods = AccountingPeriods.read(connection);
    long lines = 0;
    try (PreparedStatement query = connection.prepareStatement(ADDITIONS);
        PreparedStatement insert = connection.prepareStatement(INSERT_LINE)) {
      choose(connection, query, 1, due);
      query.setFetchSize(ROWS_PER_FETCH);
      try (ResultSet place = query.executeQuery()) {
        while (place.next()) {
          Optional<LineRule.Addition> addition = LineRule.next(settled(place), owed(place));
          if (addition.isPresent()) {
            bind(insert, place, addition.get(), periods, nowMillis);
            lines++;
            if (lines % LINES_PER_STATEMENT == 0) {
              insert.executeBatch();
            }
          }
        }
      }
      insert.executeBatch();
    }
    return lines;
  }

  private static LineRule.Settled settled(ResultSet place) throws SQLException {
    return new LineRule.Settled(
        place.getInt("lines"),
        new Owed(
            place.getLong("settled_charges"),
            place.getBigDecimal("settled_amount"),
            place.getLong("settled_digest")));
  }

  private static Owed owed(ResultSet place) throws SQLException {
    return new Owed(
        place.getLong("charges"), place.getBigDecimal("amount"), place.getLong("digest"));
  }

  private static void bind(
      PreparedStatement insert,
      ResultSet place,
      LineRule.Addition addition,
      AccountingPeriods periods,
      long nowMillis)
      throws SQLException {
    long usageHour = place.getLong("usage_hour");
    BigDecimal amount = addition.amount();
    insert.setLong(1, usageHour);
    insert.setInt(2, place.getInt("bucket"));
    insert.setString(3, place.getString("source"));
    insert.setString(4, place.getString("market"));
    insert.setString(5, place.getString("currency"));
    insert.setInt(6, addition.number());
    insert.setBoolean(7, place.getBoolean("supplement"));
    insert.setString(8, periods.of(usageHour).toString());
    insert.setLong(9, addition.charges());
    insert.setBigDecimal(10, amount);
    insert.setLong(11, addition.digest());
    insert.setLong(12, place.getLong("correction"));
    insert.setLong(13, nowMillis);
    insert.setLong(14, place.getLong("charges_digest"));
    insert.addBatch();
  }

  private static void coverBatches(Connection connection, List<Judged> due, long nowMillis)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT_BATCHES)) {
      statement.setLong(1, nowMillis);
      choose(connection, statement, 2, due);
      statement.executeUpdate();
    }
  }

  /** Reads back what was written: nothing is settled unless its lines add up to what is owed. */
  private static void assertEqual(Connection connection, List<Judged> due) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(UNEQUAL)) {
      choose(connection, statement, 1, due);
      try (ResultSet place = statement.executeQuery()) {
        if (place.next()) {
          throw new IllegalStateException(
              "lines of hour "
                  + place.getLong("usage_hour")
                  + ", source "
                  + place.getString("source")
                  + ", bucket "
                  + place.getInt("bucket")
                  + ", "
                  + place.getString("currency")
                  + ": do not add up (expected: what is owed)");
        }
      }
    }
  }

  private static void choose(
      Connection connection, PreparedStatement statement, int first, List<Judged> due)
      throws SQLException {
    statement.setArray(
        first,
        connection.createArrayOf(
            "bigint", due.stream().map(one -> one.facts().usageHour()).toArray()));
    statement.setArray(
        first + 1,
        connection.createArrayOf("text", due.stream().map(one -> one.facts().source()).toArray()));
  }

  private static boolean isOvertaken(SQLException failure) {
    for (SQLException one = failure; one != null; one = one.getNextException()) {
      if (OVERTAKEN.contains(String.valueOf(one.getSQLState()))) {
        return true;
      }
    }
    return false;
  }

  private record Judged(
      HourFacts facts, boolean hasLines, HourVerdict former, HourVerdict verdict) {
    Judged with(HourVerdict other) {
      return new Judged(facts, hasLines, former, other);
    }
  }
}
