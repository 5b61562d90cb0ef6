package io.tollgate.settlement;

import static io.tollgate.settlement.Findings.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Acknowledgement;
import io.tollgate.domain.reconcile.ReconcileResult.Acknowledgement.Resolution;
import io.tollgate.domain.reconcile.ReconcileResult.Batch;
import io.tollgate.domain.reconcile.ReconcileResult.Cycle;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Halt;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(PostgresExtension.class)
class ResultWriterITCase {
  private final ResultWriter writer = new ResultWriter();
  private String url = "";
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    url = PostgresExtension.newMigratedDatabase();
    connection = PostgresExtension.connect(url);
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void shouldRecordTheSameInAnyOrderAndAnyNumberOfTimes(long seed) throws SQLException {
    List<ReconcileResult> findings = twoOfEachKind();
    writer.write(connection, findings);
    List<String> expected = Rows.everything(connection);

    List<ReconcileResult> shuffled = new ArrayList<>(findings);
    shuffled.addAll(findings);
    Random random = new Random(seed);
    Collections.shuffle(shuffled, random);
    try (Connection other = PostgresExtension.connect(PostgresExtension.newMigratedDatabase())) {
      int from = 0;
      while (from < shuffled.size()) {
        int to = Math.min(shuffled.size(), from + 1 + random.nextInt(4));
        writer.write(other, shuffled.subList(from, to));
        from = to;
      }

      // When a difference was seen first is the one thing that a lost order loses.
      assertThat(withoutFirstMillis(Rows.everything(other)))
          .isEqualTo(withoutFirstMillis(expected));
    }
  }

  @Test
  void shouldLetNoOlderFindingReplaceANewerOne() throws SQLException {
    writer.write(connection, twoOfEachKind());
    List<String> expected = Rows.everything(connection);

    for (ReconcileResult finding : twoOfEachKind()) {
      writer.write(connection, List.of(finding));

      assertThat(Rows.everything(connection)).as(finding.toString()).isEqualTo(expected);
    }
  }

  @Test
  void shouldKeepTheNewerFindingOfAKey() throws SQLException {
    writer.write(connection, twoOfEachKind());

    assertThat(Rows.of(connection, "SELECT cycle, rows_read FROM cycles")).containsExactly("7|20");
    assertThat(Rows.of(connection, "SELECT source, state FROM sources"))
        .containsExactly("pbx-1|BALANCED");
    assertThat(Rows.of(connection, "SELECT batch, state FROM batches"))
        .containsExactly("b1|BALANCED");
    assertThat(Rows.of(connection, "SELECT usage_hour, charges FROM batch_hours ORDER BY 1"))
        .containsExactly(HOUR + "|3", (HOUR + 2) + "|1");
    assertThat(
            Rows.of(
                connection, "SELECT state, charges, currencies, currency_amounts FROM partitions"))
        .containsExactly("BALANCED|4|{EUR,USD}|{1.50,0.000001}");
    assertThat(Rows.of(connection, "SELECT status, halt_id FROM differences"))
        .containsExactly("CONFIRMED|halt-1");
    assertThat(Rows.of(connection, "SELECT halt_id, reason FROM halts"))
        .containsExactly("halt-1|a row is missing");
    assertThat(Rows.of(connection, "SELECT person FROM acknowledgements")).containsExactly("eve");
    assertThat(Rows.of(connection, "SELECT resolution FROM resolutions"))
        .containsExactly("WRITE_OFF");
  }

  @Test
  void shouldRecordEveryOutcomeAndUsageInItsOwnColumn() throws SQLException {
    Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, 10L + outcomes.size());
    }
    Map<UsageType, Long> usage = new EnumMap<>(UsageType.class);
    for (UsageType type : UsageType.values()) {
      usage.put(type, 20L + usage.size());
    }
    writer.write(
        connection,
        List.of(new Batch("pbx-1", "b1", "f", State.OPEN, "", 60, outcomes, usage, Map.of(), 1)));

    for (Outcome outcome : Outcome.values()) {
      assertThat(Rows.of(connection, "SELECT outcome_" + outcome + " FROM batches"))
          .containsExactly(String.valueOf(outcomes.get(outcome)));
    }
    for (UsageType type : UsageType.values()) {
      assertThat(Rows.of(connection, "SELECT usage_" + type + " FROM batches"))
          .containsExactly(String.valueOf(usage.get(type)));
    }
  }

  @Test
  void shouldRecordNothingOfAListThatFails() throws SQLException {
    List<ReconcileResult> findings = new ArrayList<>(twoOfEachKind());
    findings.add(
        Findings.batch("pbx-1", "b9", State.BALANCED, Map.of(HOUR, -1L), 1)); // refused: negative

    assertThatThrownBy(() -> writer.write(connection, findings))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(SqlFailures.isTransient(e)).isFalse());
    assertThat(Rows.everything(connection)).isEmpty();
    assertThat(connection.getAutoCommit()).isTrue();
  }

  @Test
  void shouldCallALostConnectionTransientAndSucceedOnANewOne() throws SQLException {
    try (Connection other = PostgresExtension.connect(url)) {
      Rows.of(
          other,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
      assertThatThrownBy(() -> writer.write(connection, twoOfEachKind()))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(SqlFailures.isTransient(e)).isTrue());

      writer.write(other, twoOfEachKind());

      assertThat(Rows.of(other, "SELECT count(*) FROM cycles")).containsExactly("1");
    }
  }

  @Test
  void shouldRecordIdsAndTextsThatTheDatabaseCannotKeepAsTheyAre() throws SQLException {
    String endless = "x".repeat(100_000);
    writer.write(
        connection,
        List.of(
            Findings.batch("pbx-1", "nul\0half\uD800", State.OPEN, Map.of(HOUR, 1L), 1),
            Findings.batch(endless, endless + "1", State.OPEN, Map.of(HOUR, 1L), 1),
            Findings.batch(endless, endless + "2", State.OPEN, Map.of(HOUR, 1L), 1)));

    assertThat(Rows.of(connection, "SELECT count(*), count(DISTINCT source) FROM batches"))
        .containsExactly("3|2");
    assertThat(Rows.of(connection, "SELECT batch FROM batches WHERE source = 'pbx-1'"))
        .containsExactly("nul\uFFFDhalf\uFFFD");
  }

  @Test
  void shouldLetSeveralWritersRecordTheSameAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(i);
        running.add(threads.submit(() -> writeManyTimes(random)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }

    shouldKeepTheNewerFindingOfAKey();
  }

  private Void writeManyTimes(Random random) throws SQLException {
    try (Connection own = PostgresExtension.connect(url)) {
      for (int i = 0; i < 25; i++) {
        List<ReconcileResult> findings = new ArrayList<>(twoOfEachKind());
        Collections.shuffle(findings, random);
        boolean isWritten = false;
        while (!isWritten) {
          try {
            writer.write(own, findings.subList(0, 1 + random.nextInt(findings.size())));
            isWritten = true;
          } catch (SQLException e) {
            assertThat(SqlFailures.isTransient(e)).as(e.getMessage()).isTrue();
          }
        }
      }
      return null;
    }
  }

  private static List<ReconcileResult> twoOfEachKind() {
    return List.of(
        new Cycle(7, 100, 150, 1, 10, 1, 0),
        new Cycle(7, 200, 250, 1, 20, 1, 0),
        Findings.source("pbx-1", State.OPEN, 100),
        Findings.source("pbx-1", State.BALANCED, 200),
        Findings.batch("pbx-1", "b1", State.OPEN, Map.of(HOUR, 2L, HOUR + 1, 9L), 100),
        Findings.batch("pbx-1", "b1", State.BALANCED, Map.of(HOUR, 3L, HOUR + 2, 1L), 200),
        Findings.partition(
            HOUR, 0, "pbx-1", State.OPEN, Map.of("EUR", Findings.owed(1, "1.00", 5)), 100),
        Findings.partition(
            HOUR,
            0,
            "pbx-1",
            State.BALANCED,
            Map.of("EUR", Findings.owed(3, "1.50", 6), "USD", Findings.owed(1, "0.000001", 7)),
            200),
        Findings.found(
            DifferenceKind.MISSING_ROW, "pbx-1", "b1", HOUR, Found.Status.RESOLVING, 100),
        Findings.found(
            DifferenceKind.MISSING_ROW, "pbx-1", "b1", HOUR, Found.Status.CONFIRMED, 200),
        new Halt("halt-1", 200, "a row is missing", List.of("d1")),
        new Acknowledgement("halt-1", "bob", "?", Map.of("d1", Resolution.REPAIR), 300),
        new Acknowledgement("halt-1", "eve", "!", Map.of("d1", Resolution.WRITE_OFF), 400));
  }

  private static List<String> withoutFirstMillis(List<String> rows) {
    return rows.stream()
        .map(
            row ->
                row.startsWith("differences:") ? row.replaceFirst(",\\d+,(\\d+)\\)$", ",$1)") : row)
        .filter(row -> !row.startsWith("hours:"))
        .toList();
  }
}
