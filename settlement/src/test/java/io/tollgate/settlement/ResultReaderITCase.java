package io.tollgate.settlement;

import static io.tollgate.settlement.Findings.HOUR;
import static io.tollgate.settlement.Findings.HOUR_END_MILLIS;
import static io.tollgate.settlement.Findings.owed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult.Cycle;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import io.tollgate.settlement.ResultReader.BatchHour;
import io.tollgate.settlement.ResultReader.DifferenceRow;
import io.tollgate.settlement.ResultReader.HourRow;
import io.tollgate.settlement.ResultReader.Overview;
import io.tollgate.settlement.ResultReader.SettledPlace;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class ResultReaderITCase {
  private static final YearMonth JUNE = YearMonth.of(2026, 6);
  private static final long FOUND = HOUR_END_MILLIS;

  private Connection connection;
  private ResultReader reader;

  @BeforeEach
  void record() throws SQLException {
    connection = PostgresExtension.connect(PostgresExtension.newMigratedDatabase());
    reader = new ResultReader(connection);
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  @Test
  void shouldReadOfNothingThatThereIsNothing() throws SQLException {
    assertThat(reader.newestCycleMillis()).isEmpty();
    assertThat(reader.overview()).isEqualTo(new Overview(0, 0, 0, 0));
    assertThat(reader.openBatches(10)).isEmpty();
    assertThat(reader.hour(HOUR, "pbx-1")).isEmpty();
    assertThat(places(JUNE)).isEmpty();
  }

  @Test
  void shouldReadWhatWasRecorded() throws SQLException {
    settleAndFindMore();

    assertThat(reader.lastCycles(1)).containsExactly(new Cycle(8, 20, 30, 1, 2, 3, 4));
    assertThat(reader.newestCycleMillis()).hasValue(30);
    assertThat(reader.overview()).isEqualTo(new Overview(1, 1, 2, 2));
    assertThat(reader.openBatches(10))
        .singleElement()
        .satisfies(
            batch -> {
              assertThat(batch.batch()).isEqualTo("b2");
              assertThat(batch.waitingFor()).isEqualTo("outcomes");
              assertThat(batch.outcomes()).containsEntry(Outcome.RATED, 1L);
            });
    assertThat(reader.batches("b1", 10))
        .singleElement()
        .satisfies(batch -> assertThat(batch.state()).isEqualTo(State.BALANCED));
    assertThat(reader.sources(10))
        .extracting(ResultReader.SourceRow::source, ResultReader.SourceRow::state)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple("pbx-1", State.OPEN),
            org.assertj.core.api.Assertions.tuple("pbx-2", State.MISMATCH));
    assertThat(reader.openHours(10)).extracting(HourRow::usageHour).containsExactly(HOUR, HOUR + 1);
    assertThat(reader.openHours(1)).hasSize(1);
    assertThat(reader.hour(HOUR, "pbx-1").orElseThrow().settledMillis())
        .isEqualTo(OptionalLong.of(FOUND));
    assertThat(reader.hours(HOUR + 1, 10))
        .singleElement()
        .satisfies(hour -> assertThat(hour.settledMillis()).isEmpty());
    assertThat(reader.partitions(HOUR, 10))
        .singleElement()
        .satisfies(
            partition -> {
              assertThat(partition.charges()).isEqualTo(3);
              assertThat(partition.amounts())
                  .isEqualTo(Map.of("EUR", new BigDecimal("0.30"), "USD", new BigDecimal("1.5")));
            });
  }

  @Test
  void shouldShowConfirmedDifferencesFirstAndThoseOfABatchOrHourWhateverBecameOfThem()
      throws SQLException {
    settleAndFindMore();

    assertThat(reader.openDifferences(10))
        .extracting(DifferenceRow::status)
        .containsExactly(Status.CONFIRMED, Status.RESOLVING);
    assertThat(reader.differencesOfBatch("pbx-1", "b1", 10))
        .extracting(DifferenceRow::status)
        .containsExactly(Status.GONE);
    assertThat(reader.differencesOfHour(HOUR + 1, 10))
        .extracting(DifferenceRow::kind)
        .containsExactly("MISSING_ROW");
  }

  @Test
  void shouldTellSettledBatchesFromThoseThatCameLater() throws SQLException {
    settleAndFindMore();

    assertThat(reader.batchesOfHour(HOUR, "pbx-1", 10))
        .containsExactly(new BatchHour(HOUR, "b1", 3, true), new BatchHour(HOUR, "b2", 1, false));
    assertThat(reader.hoursOfBatch("pbx-1", "b2", 10))
        .containsExactly(new BatchHour(HOUR, "b2", 1, false));
    assertThat(reader.uncoveredBatches(HOUR, "pbx-1")).containsExactly("b2");
  }

  @Test
  void shouldHandOnWhatIsSettledOfAMonthPlaceByPlace() throws SQLException {
    settleAndFindMore();
    List<SettledPlace> expected =
        List.of(
            new SettledPlace(HOUR, 0, "pbx-1", "north", "EUR", 2, new BigDecimal("0.30"), 0),
            new SettledPlace(HOUR, 0, "pbx-1", "north", "USD", 1, new BigDecimal("1.5"), 0));

    assertThat(places(JUNE)).isEqualTo(expected);
    assertThat(places(JUNE.plusMonths(1))).isEmpty();
    assertThat(places(JUNE.minusMonths(1))).isEmpty();
    assertThat(reader.settled(HOUR, 10)).isEqualTo(expected);
  }

  @Test
  void shouldLeaveTheConnectionAsItWasWhenTheConsumerFails() throws SQLException {
    settleAndFindMore();

    assertThatThrownBy(
            () ->
                reader.settledOf(
                    JUNE,
                    place -> {
                      throw new IOException("disk full");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(connection.getAutoCommit()).isTrue();
    assertThat(connection.getTransactionIsolation())
        .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
  }

  @Test
  void shouldAskTheSameMomentOnTheWay() throws SQLException {
    settleAndFindMore();
    List<String> seen = new ArrayList<>();

    reader.settledOf(
        JUNE,
        place -> {
          // Another program records that the batch has no rows there after all.
          try (Connection other = PostgresExtension.connect(connection.getMetaData().getURL())) {
            new ResultWriter()
                .write(
                    other, List.of(Findings.batch("pbx-1", "b2", State.OPEN, Map.of(), FOUND + 9)));
          }
          seen.addAll(reader.uncoveredBatches(HOUR, "pbx-1"));
        });

    assertThat(seen).containsExactly("b2", "b2");
    assertThat(reader.uncoveredBatches(HOUR, "pbx-1")).isEmpty();
  }

  private List<SettledPlace> places(YearMonth month) throws SQLException {
    List<SettledPlace> places = new ArrayList<>();
    reader.settledOf(month, places::add);
    return places;
  }

  private void settleAndFindMore() throws SQLException {
    ResultWriter writer = new ResultWriter();
    writer.write(
        connection,
        List.of(
            new Cycle(7, 1, 10, 1, 2, 3, 4),
            new Cycle(8, 20, 30, 1, 2, 3, 4),
            Findings.source("pbx-1", State.OPEN, FOUND),
            Findings.source("pbx-2", State.MISMATCH, FOUND),
            Findings.batch("pbx-1", "b1", State.BALANCED, Map.of(HOUR, 3L), FOUND),
            Findings.partition(
                HOUR,
                0,
                "pbx-1",
                State.BALANCED,
                Map.of("EUR", owed(2, "0.30", 5), "USD", owed(1, "1.5", 6)),
                FOUND)));
    new Settlement(Duration.ZERO).step(connection, FOUND, false);
    writer.write(
        connection,
        List.of(
            Findings.batch("pbx-1", "b2", State.OPEN, Map.of(HOUR, 1L), FOUND + 1),
            Findings.found(
                DifferenceKind.USAGE_MISMATCH, "pbx-1", "b1", -1, Status.GONE, FOUND + 1),
            Findings.found(
                DifferenceKind.CHANGED_AMOUNT, "pbx-1", "", HOUR, Status.RESOLVING, FOUND + 1),
            Findings.found(
                DifferenceKind.MISSING_ROW, "pbx-1", "", HOUR + 1, Status.CONFIRMED, FOUND + 1)));
    new Settlement(Duration.ZERO).step(connection, FOUND + 1, false);
  }
}
