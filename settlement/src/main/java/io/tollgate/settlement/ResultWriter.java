package io.tollgate.settlement;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Acknowledgement;
import io.tollgate.domain.reconcile.ReconcileResult.Batch;
import io.tollgate.domain.reconcile.ReconcileResult.Cycle;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Halt;
import io.tollgate.domain.reconcile.ReconcileResult.Owed;
import io.tollgate.domain.reconcile.ReconcileResult.Partition;
import io.tollgate.domain.reconcile.ReconcileResult.Source;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Records what reconciliation found. Of each key the newest finding stands, whatever the order in
 * which findings come and however often: a finding that is not newer than what is recorded changes
 * nothing.
 *
 * <p>Holds no connection and no state. A failure is transient or permanent as {@link SqlFailures}
 * says; after a transient one the same list is written again on a new connection.
 */
public final class ResultWriter {
  private static final String UPSERT_CYCLE =
      """
      INSERT INTO cycles (cycle, started_millis, finished_millis, partitions_read, rows_read,
        batches_judged, differences)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (cycle) DO UPDATE SET
        started_millis = EXCLUDED.started_millis, finished_millis = EXCLUDED.finished_millis,
        partitions_read = EXCLUDED.partitions_read, rows_read = EXCLUDED.rows_read,
        batches_judged = EXCLUDED.batches_judged, differences = EXCLUDED.differences
      WHERE cycles.finished_millis < EXCLUDED.finished_millis
      """;
  private static final String UPSERT_SOURCE =
      """
      INSERT INTO sources (source, market, last_file, last_heard_millis, waiting_for, state,
        at_millis)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (source) DO UPDATE SET
        market = EXCLUDED.market, last_file = EXCLUDED.last_file,
        last_heard_millis = EXCLUDED.last_heard_millis,
        waiting_for = EXCLUDED.waiting_for, state = EXCLUDED.state, at_millis = EXCLUDED.at_millis
      WHERE sources.at_millis < EXCLUDED.at_millis
      """;
  private static final String UPSERT_BATCH =
      """
      INSERT INTO batches (source, batch, file, state, waiting_for, records, outcome_rated,
        outcome_duplicate, outcome_conflict, outcome_suspended, outcome_rejected, usage_voice,
        usage_sms, usage_mms, usage_data, usage_event, at_millis)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (source, batch) DO UPDATE SET
        file = EXCLUDED.file, state = EXCLUDED.state, waiting_for = EXCLUDED.waiting_for,
        records = EXCLUDED.records, outcome_rated = EXCLUDED.outcome_rated,
        outcome_duplicate = EXCLUDED.outcome_duplicate,
        outcome_conflict = EXCLUDED.outcome_conflict,
        outcome_suspended = EXCLUDED.outcome_suspended,
        outcome_rejected = EXCLUDED.outcome_rejected, usage_voice = EXCLUDED.usage_voice,
        usage_sms = EXCLUDED.usage_sms, usage_mms = EXCLUDED.usage_mms,
        usage_data = EXCLUDED.usage_data, usage_event = EXCLUDED.usage_event,
        at_millis = EXCLUDED.at_millis
      WHERE batches.at_millis < EXCLUDED.at_millis
      """;
  // Both only where the batch's row is the one of this very finding, so that an older one changes
  // nothing here either.
  private static final String DROP_BATCH_HOURS =
      """
      DELETE FROM batch_hours h USING batches b
      WHERE b.source = ? AND b.batch = ? AND b.at_millis = ?
        AND h.source = b.source AND h.batch = b.batch AND h.usage_hour <> ALL (?)
      """;
  private static final String UPSERT_BATCH_HOURS =
      """
      INSERT INTO batch_hours (source, batch, usage_hour, charges, at_millis)
      SELECT b.source, b.batch, h.usage_hour, h.charges, b.at_millis
      FROM batches b, unnest(?::bigint[], ?::bigint[]) AS h (usage_hour, charges)
      WHERE b.source = ? AND b.batch = ? AND b.at_millis = ?
      ON CONFLICT (usage_hour, source, batch) DO UPDATE SET
        charges = EXCLUDED.charges, at_millis = EXCLUDED.at_millis
      WHERE batch_hours.charges <> EXCLUDED.charges
      """;
  private static final String UPSERT_PARTITION =
      """
      INSERT INTO partitions (usage_hour, bucket, source, state, charges, currencies,
        currency_charges, currency_amounts, currency_digests, digest, correction, at_millis)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (usage_hour, source, bucket) DO UPDATE SET
        state = EXCLUDED.state, charges = EXCLUDED.charges, currencies = EXCLUDED.currencies,
        currency_charges = EXCLUDED.currency_charges,
        currency_amounts = EXCLUDED.currency_amounts,
        currency_digests = EXCLUDED.currency_digests, digest = EXCLUDED.digest,
        correction = EXCLUDED.correction, at_millis = EXCLUDED.at_millis
      WHERE partitions.at_millis < EXCLUDED.at_millis
      """;
  private static final String UPSERT_DIFFERENCE =
      """
      INSERT INTO differences (id, kind, source, batch, usage_hour, bucket, items, records,
        expected, found, status, halt_id, example, first_millis, at_millis)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET
        records = EXCLUDED.records, expected = EXCLUDED.expected, found = EXCLUDED.found,
        status = EXCLUDED.status, halt_id = EXCLUDED.halt_id, example = EXCLUDED.example,
        at_millis = EXCLUDED.at_millis
      WHERE differences.at_millis < EXCLUDED.at_millis
      """;
  private static final String INSERT_HALT =
      """
      INSERT INTO halts (halt_id, raised_millis, reason) VALUES (?, ?, ?)
      ON CONFLICT (halt_id) DO NOTHING
      """;
  private static final String INSERT_HALT_DIFFERENCE =
      """
      INSERT INTO halt_differences (halt_id, difference_id)
      SELECT ?, unnest(?::text[])
      ON CONFLICT (halt_id, difference_id) DO NOTHING
      """;
  private static final String UPSERT_ACKNOWLEDGEMENT =
      """
      INSERT INTO acknowledgements (halt_id, person, reason, at_millis) VALUES (?, ?, ?, ?)
      ON CONFLICT (halt_id) DO UPDATE SET
        person = EXCLUDED.person, reason = EXCLUDED.reason, at_millis = EXCLUDED.at_millis
      WHERE acknowledgements.at_millis < EXCLUDED.at_millis
      """;
  private static final String UPSERT_RESOLUTIONS =
      """
      INSERT INTO resolutions (halt_id, difference_id, resolution)
      SELECT a.halt_id, r.difference_id, r.resolution
      FROM acknowledgements a, unnest(?::text[], ?::text[]) AS r (difference_id, resolution)
      WHERE a.halt_id = ? AND a.at_millis = ?
      ON CONFLICT (halt_id, difference_id) DO UPDATE SET resolution = EXCLUDED.resolution
      """;

  /**
   * Records all results in one transaction, or none of them.
   *
   * @param connection with auto-commit, as it is opened
   */
  public void write(Connection connection, List<? extends ReconcileResult> results)
      throws SQLException {
    if (results.isEmpty()) {
      return;
    }
    Transaction.run(
        connection,
        Connection.TRANSACTION_READ_COMMITTED,
        () -> {
          writeAll(connection, results);
          return results.size();
        });
  }

  private static void writeAll(Connection connection, List<? extends ReconcileResult> results)
      throws SQLException {
    // In this order, so that an hour whose batch turns balanced has its partitions already. Within
    // a table by key, so that two writers at once wait for each other instead of blocking.
    cycles(connection, newest(results, Cycle.class, Cycle::cycle, cycle -> cycle.finishedMillis()));
    sources(connection, newest(results, Source.class, Source::source, Source::atMillis));
    partitions(
        connection,
        newest(
            results,
            Partition.class,
            partition ->
                String.format(
                    "%020d|%s|%010d",
                    partition.usageHour(), partition.source(), partition.bucket()),
            Partition::atMillis));
    batches(
        connection,
        newest(
            results, Batch.class, batch -> batch.source() + "\n" + batch.batch(), Batch::atMillis));
    differences(
        connection,
        newest(results, Found.class, found -> found.difference().id(), Found::atMillis));
    halts(connection, newest(results, Halt.class, Halt::haltId, Halt::raisedMillis));
    acknowledgements(
        connection,
        newest(results, Acknowledgement.class, Acknowledgement::haltId, Acknowledgement::atMillis));
  }

  private static <T extends ReconcileResult, K extends Comparable<K>> Collection<T> newest(
      List<? extends ReconcileResult> results,
      Class<T> type,
      Function<T, K> key,
      ToLongFunction<T> atMillis) {
    return results.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .collect(
            Collectors.toMap(
                key,
                Function.identity(),
                (one, other) ->
                    atMillis.applyAsLong(one) < atMillis.applyAsLong(other) ? other : one,
                TreeMap::new))
        .values();
  }

  private static void cycles(Connection connection, Collection<Cycle> cycles) throws SQLException {
    batch(
        connection,
        UPSERT_CYCLE,
        cycles,
        (row, cycle) ->
            row.number(cycle.cycle())
                .number(cycle.startedMillis())
                .number(cycle.finishedMillis())
                .number(cycle.partitionsRead())
                .number(cycle.rowsRead())
                .number(cycle.batchesJudged())
                .number(cycle.differences()));
  }

  private static void sources(Connection connection, Collection<Source> sources)
      throws SQLException {
    batch(
        connection,
        UPSERT_SOURCE,
        sources,
        (row, source) ->
            row.key(source.source())
                .key(source.market())
                .text(source.lastFile())
                .number(source.lastHeardMillis())
                .text(source.waitingFor())
                .text(source.state().name())
                .number(source.atMillis()));
  }

  private static void batches(Connection connection, Collection<Batch> batches)
      throws SQLException {
    batch(
        connection,
        UPSERT_BATCH,
        batches,
        (row, batch) -> {
          row.key(batch.source())
              .key(batch.batch())
              .text(batch.file())
              .text(batch.state().name())
              .text(batch.waitingFor())
              .number(batch.records());
          // The columns stand in the order of the constants, see ResultWriterITCase.
          for (Outcome outcome : Outcome.values()) {
            row.number(batch.outcomes().getOrDefault(outcome, 0L));
          }
          for (UsageType type : UsageType.values()) {
            row.number(batch.usage().getOrDefault(type, 0L));
          }
          row.number(batch.atMillis());
        });
    batch(
        connection,
        DROP_BATCH_HOURS,
        batches,
        (row, batch) ->
            row.key(batch.source())
                .key(batch.batch())
                .number(batch.atMillis())
                .array("bigint", sorted(batch.hours()).keySet().toArray()));
    batch(
        connection,
        UPSERT_BATCH_HOURS,
        batches,
        (row, batch) ->
            row.array("bigint", sorted(batch.hours()).keySet().toArray())
                .array("bigint", sorted(batch.hours()).values().toArray())
                .key(batch.source())
                .key(batch.batch())
                .number(batch.atMillis()));
  }

  private static void partitions(Connection connection, Collection<Partition> partitions)
      throws SQLException {
    batch(
        connection,
        UPSERT_PARTITION,
        partitions,
        (row, partition) -> {
          Map<String, Owed> owed = sorted(partition.amounts());
          row.number(partition.usageHour())
              .number(partition.bucket())
              .key(partition.source())
              .text(partition.state().name())
              .number(partition.rows())
              .array("text", owed.keySet().toArray())
              .array("bigint", owed.values().stream().map(Owed::charges).toArray())
              .array("numeric", owed.values().stream().map(Owed::amount).toArray(BigDecimal[]::new))
              .array("bigint", owed.values().stream().map(Owed::digest).toArray())
              .number(partition.digest())
              .number(partition.correction())
              .number(partition.atMillis());
        });
  }

  private static void differences(Connection connection, Collection<Found> found)
      throws SQLException {
    batch(
        connection,
        UPSERT_DIFFERENCE,
        found,
        (row, one) -> {
          Difference difference = one.difference();
          row.text(difference.id())
              .text(difference.kind().name())
              .key(difference.source())
              .key(difference.batch())
              .number(difference.usageHour())
              .number(difference.bucket())
              .text(difference.items())
              .number(difference.count())
              .text(difference.expected())
              .text(difference.found())
              .text(one.status().name())
              .text(one.haltId())
              .text(one.example())
              .number(one.atMillis())
              .number(one.atMillis());
        });
  }

  private static void halts(Connection connection, Collection<Halt> halts) throws SQLException {
    batch(
        connection,
        INSERT_HALT,
        halts,
        (row, halt) -> row.text(halt.haltId()).number(halt.raisedMillis()).text(halt.reason()));
    batch(
        connection,
        INSERT_HALT_DIFFERENCE,
        halts,
        (row, halt) ->
            row.text(halt.haltId())
                .array("text", halt.differences().stream().distinct().sorted().toArray()));
  }

  private static void acknowledgements(
      Connection connection, Collection<Acknowledgement> acknowledgements) throws SQLException {
    batch(
        connection,
        UPSERT_ACKNOWLEDGEMENT,
        acknowledgements,
        (row, one) ->
            row.text(one.haltId()).text(one.person()).text(one.reason()).number(one.atMillis()));
    batch(
        connection,
        UPSERT_RESOLUTIONS,
        acknowledgements,
        (row, one) ->
            row.array("text", sorted(one.resolutions()).keySet().toArray())
                .array(
                    "text", sorted(one.resolutions()).values().stream().map(Enum::name).toArray())
                .text(one.haltId())
                .number(one.atMillis()));
  }

  private static <K extends Comparable<K>, V> Map<K, V> sorted(Map<K, V> map) {
    return new TreeMap<>(map);
  }

  private static <T> void batch(
      Connection connection, String sql, Collection<T> items, Binder<T> binder)
      throws SQLException {
    if (items.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (T item : items) {
        binder.bind(new RowParameters(connection, statement), item);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Fills in a statement for one item. */
  private interface Binder<T> {
    void bind(RowParameters row, T item) throws SQLException;
  }

  /** The parameters of a statement, from the first to the last. */
  private static final class RowParameters {
    private final Connection connection;
    private final PreparedStatement statement;
    private int last;

    private RowParameters(Connection connection, PreparedStatement statement) {
      this.connection = connection;
      this.statement = statement;
    }

    private RowParameters number(long value) throws SQLException {
      statement.setLong(++last, value);
      return this;
    }

    private RowParameters text(String value) throws SQLException {
      statement.setString(++last, Texts.shown(value));
      return this;
    }

    private RowParameters key(String value) throws SQLException {
      statement.setString(++last, Texts.key(value));
      return this;
    }

    private RowParameters array(String type, Object[] values) throws SQLException {
      Array array = connection.createArrayOf(type, values);
      statement.setArray(++last, array);
      return this;
    }
  }
}
