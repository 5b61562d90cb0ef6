package io.tollgate.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Cycle;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class RetentionITCase {
  private static final long HOUR = 495_000;
  private static final long FOUND = (HOUR + 2) * 3_600_000;
  private static final Duration CYCLES = Duration.ofDays(30);
  private static final Duration RESULTS = Duration.ofDays(90);
  private static final long LATER = FOUND + RESULTS.toMillis() + 1;

  private final ResultWriter writer = new ResultWriter();
  private final Retention retention = new Retention(CYCLES, RESULTS);
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = PostgresExtension.connect(PostgresExtension.newMigratedDatabase());
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void shouldForgetWhatIsOldAndDoneAndNothingElse() throws SQLException {
    settledHour();
    writer.write(
        connection,
        List.of(
            new Cycle(seconds(LATER - CYCLES.toMillis()) - 60, 1, 2, 3, 4, 5, 6),
            new Cycle(seconds(LATER - CYCLES.toMillis()) + 60, 1, 2, 3, 4, 5, 6),
            Findings.batch("pbx-1", "open", State.OPEN, Map.of(), FOUND),
            Findings.batch("pbx-1", "young", State.BALANCED, Map.of(), LATER),
            Findings.batch("pbx-1", "unsettled", State.BALANCED, Map.of(HOUR + 9, 1L), FOUND),
            difference("1", Status.GONE),
            difference("2", Status.CONFIRMED),
            difference("3", Status.RESOLVING),
            difference("4", Status.WRITTEN_OFF),
            new ReconcileResult.Halt("h", FOUND, "why", List.of("d")),
            new ReconcileResult.Acknowledgement("h", "ann", "so", Map.of(), FOUND)));
    List<String> before = Rows.everything(connection);

    assertThat(retention.step(connection, LATER)).isFalse();

    List<String> gone = new ArrayList<>(before);
    gone.removeAll(Rows.everything(connection));
    assertThat(gone.stream().map(row -> row.replaceFirst("^(\\w+): .*", "$1")))
        .containsExactlyInAnyOrder("cycles", "batches", "batch_hours", "differences");
    assertThat(Rows.of(connection, "SELECT batch FROM batches ORDER BY 1"))
        .containsExactly("open", "unsettled", "young");
    assertThat(Rows.of(connection, "SELECT status FROM differences ORDER BY 1"))
        .containsExactly("CONFIRMED", "RESOLVING", "WRITTEN_OFF");
  }

  @Test
  void shouldNotLookAtAnHourAgainBecauseItsBatchIsForgotten() throws SQLException {
    settledHour();

    retention.step(connection, LATER);
    Settlement.Step step = new Settlement(Duration.ZERO).step(connection, LATER, true);

    assertThat(Rows.of(connection, "SELECT batch FROM batches")).isEmpty();
    assertThat(step.judged()).isZero();
    assertThat(Rows.of(connection, "SELECT state, marked FROM hours")).containsExactly("SETTLED|f");
  }

  @Test
  void shouldAddNoSupplementWhenALateBatchComesToAnHourWhoseFirstOneIsForgotten()
      throws SQLException {
    settledHour();
    retention.step(connection, LATER);

    writer.write(
        connection,
        List.of(
            Findings.batch("pbx-1", "late", State.BALANCED, Map.of(HOUR, 1L), LATER),
            Findings.partition(
                HOUR,
                0,
                "pbx-1",
                State.BALANCED,
                Map.of("EUR", Findings.owed(4, "1.75", 8)),
                LATER)));
    new Settlement(Duration.ZERO).step(connection, LATER + 1, false);

    assertThat(Rows.of(connection, "SELECT charges, amount FROM settlement_lines ORDER BY number"))
        .containsExactly("3|1.50", "1|0.25");
  }

  @Test
  void shouldForgetAtMostAThousandOfAKindInAStep() throws SQLException {
    List<ReconcileResult> cycles = new ArrayList<>();
    for (int cycle = 0; cycle < 1_500; cycle++) {
      cycles.add(new Cycle(cycle, 1, 2, 3, 4, 5, 6));
    }
    writer.write(connection, cycles);

    assertThat(retention.step(connection, LATER)).isTrue();
    assertThat(Rows.of(connection, "SELECT count(*), min(cycle) FROM cycles"))
        .containsExactly("500|1000");
    assertThat(retention.step(connection, LATER)).isFalse();
    assertThat(Rows.of(connection, "SELECT count(*) FROM cycles")).containsExactly("0");
  }

  @Test
  void shouldKeepABatchThatIsFoundAgainMeanwhile() throws SQLException {
    settledHour();
    writer.write(
        connection,
        List.of(Findings.batch("pbx-1", "b1", State.BALANCED, Map.of(HOUR, 3L), LATER)));

    retention.step(connection, LATER);

    assertThat(Rows.of(connection, "SELECT batch FROM batches")).containsExactly("b1");
  }

  private void settledHour() throws SQLException {
    writer.write(
        connection,
        List.of(
            Findings.source("pbx-1", State.OPEN, FOUND),
            Findings.batch("pbx-1", "b1", State.BALANCED, Map.of(HOUR, 3L), FOUND),
            Findings.partition(
                HOUR,
                0,
                "pbx-1",
                State.BALANCED,
                Map.of("EUR", Findings.owed(3, "1.50", 6)),
                FOUND)));
    assertThat(new Settlement(Duration.ZERO).step(connection, FOUND, false).settled()).isEqualTo(1);
  }

  private static ReconcileResult difference(String batch, Status status) {
    return Findings.found(DifferenceKind.MISSING_OUTCOME, "pbx-1", batch, HOUR + 9, status, FOUND);
  }

  private static long seconds(long millis) {
    return millis / 1_000;
  }
}
