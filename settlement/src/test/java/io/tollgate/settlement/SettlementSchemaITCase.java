package io.tollgate.settlement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(PostgresExtension.class)
class SettlementSchemaITCase {
  private static final int PROGRAMS = 4;

  @RepeatedTest(3)
  void shouldMigrateOnceWhenSeveralProgramsDoItAtOnce() throws Exception {
    String url = PostgresExtension.newDatabase();
    ExecutorService threads = Executors.newFixedThreadPool(PROGRAMS);
    try {
      CyclicBarrier together = new CyclicBarrier(PROGRAMS);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < PROGRAMS; i++) {
        running.add(
            threads.submit(
                () -> {
                  together.await();
                  SettlementSchema.migrate(url, PostgresExtension.USER, null);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }

    try (Connection connection = PostgresExtension.connect(url)) {
      List<String> once =
          Rows.of(
              connection,
              "SELECT version, success FROM tollgate_schema_history WHERE type = 'SQL'");
      assertThat(once)
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, once.size()).mapToObj(version -> version + "|t").toList())
          .isNotEmpty();
    }
  }

  @Test
  void shouldChangeNothingWhenRepeated() throws SQLException {
    String url = PostgresExtension.newMigratedDatabase();
    try (Connection connection = PostgresExtension.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO cycles VALUES (1, 2, 3, 4, 5, 6, 7)");

      SettlementSchema.migrate(url, PostgresExtension.USER, null);

      assertThat(Rows.of(connection, "SELECT * FROM cycles")).containsExactly("1|2|3|4|5|6|7");
    }
  }

  @Test
  void shouldLeaveTablesOfOthersAlone() throws SQLException {
    String url = PostgresExtension.newDatabase();
    try (Connection connection = PostgresExtension.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE somebody_elses (n int)");

      SettlementSchema.migrate(url, PostgresExtension.USER, null);

      assertThat(Rows.of(connection, "SELECT count(*) FROM somebody_elses")).containsExactly("0");
      assertThat(Rows.of(connection, "SELECT count(*) FROM settled_charges")).containsExactly("0");
    }
  }

  @Test
  void shouldSayThatADatabaseCannotBeReached() {
    assertThatThrownBy(
            () -> SettlementSchema.migrate("jdbc:postgresql://127.0.0.1:1/nothing", "me", null))
        .isInstanceOf(SettlementSchemaException.class)
        .hasMessageContaining("jdbc:postgresql://127.0.0.1:1/nothing")
        .hasMessageContaining("expected: a reachable database");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE settlement_lines SET amount = 0",
        "DELETE FROM settlement_lines",
        "TRUNCATE settlement_lines",
        "UPDATE settled_batches SET batch = ''",
        "DELETE FROM settled_batches",
        "TRUNCATE settled_batches",
        "UPDATE closed_periods SET closed_by = ''",
        "DELETE FROM closed_periods",
        "TRUNCATE closed_periods"
      })
  void shouldRefuseToChangeWhatIsSettled(String sql) throws SQLException {
    try (Connection connection =
            PostgresExtension.connect(PostgresExtension.newMigratedDatabase());
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute(sql))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("insert only; what is settled never changes");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"OPEN", "BALANCED", "MISMATCH"})
  void shouldRefuseALineOfAnHourThatIsNotSettled(String state) throws SQLException {
    try (Connection connection =
            PostgresExtension.connect(PostgresExtension.newMigratedDatabase());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO hours VALUES (495000, 'pbx-1', '" + state + "', '', 1, false, NULL)");

      assertThatThrownBy(() -> statement.execute(line(0, "2026-06")))
          .hasMessageContaining("expected: state SETTLED");
    }
  }

  @Test
  void shouldRefuseALineOfAClosedPeriodAndOneOutOfOrder() throws SQLException {
    try (Connection connection =
            PostgresExtension.connect(PostgresExtension.newMigratedDatabase());
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO hours VALUES (495000, 'pbx-1', 'SETTLED', '', 1, false, 1)");
      statement.execute("INSERT INTO closed_periods VALUES ('2026-06', 1, 'finance')");

      assertThatThrownBy(() -> statement.execute(line(0, "2026-06")))
          .hasMessageContaining("expected: an open period");
      assertThatThrownBy(() -> statement.execute(line(1, "2026-07")))
          .hasMessageContaining("expected: the one after the last");
      statement.execute(line(0, "2026-07"));
      assertThatThrownBy(() -> statement.execute(line(0, "2026-07")))
          .hasMessageContaining("duplicate key");
    }
  }

  private static String line(int number, String period) {
    return "INSERT INTO settlement_lines VALUES (495000, 0, 'pbx-1', 'north', 'EUR', "
        + number
        + ", true, '"
        + period
        + "', 1, 1.5, 7, 0, 1)";
  }
}
