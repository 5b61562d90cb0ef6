package io.tollgate.settlement;

import static io.tollgate.settlement.Findings.HOUR;
import static io.tollgate.settlement.Findings.HOUR_END_MILLIS;
import static io.tollgate.settlement.Findings.owed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.domain.reconcile.ReconcileResult.Owed;
import io.tollgate.domain.reconcile.ReconcileResult.Partition;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import io.tollgate.settlement.Settlement.Step;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Act, move the clock, expect. */
@ExtendWith(PostgresExtension.class)
class SettlementITCase {
  private static final Duration QUIET = Duration.ofHours(6);
  private static final long FOUND = HOUR_END_MILLIS + 60_000;
  private static final long QUIET_UNTIL = FOUND + QUIET.toMillis();
  private static final String LINES =
      "SELECT bucket, currency, number, supplement, period, charges, amount, digest"
          + " FROM settlement_lines ORDER BY usage_hour, source, bucket, currency, number";
  private static final String HOURS =
      "SELECT state, waiting_for FROM hours ORDER BY usage_hour, source";

  private final Settlement settlement = new Settlement(QUIET);
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

  @Test
  void shouldSettleABalancedHourAfterTheQuietTimeAndNotBefore() throws SQLException {
    record(balancedHour());

    assertThat(step(QUIET_UNTIL - 1)).isEqualTo(new Step(1, 0, 0, false));
    assertThat(rows(HOURS)).containsExactly("BALANCED|no change until 2026-06-21T07:01:00Z");
    assertThat(rows("SELECT * FROM settled_charges")).isEmpty();

    assertThat(step(QUIET_UNTIL)).isEqualTo(new Step(1, 1, 3, false));
    assertThat(rows(HOURS)).containsExactly("SETTLED|");
    assertThat(rows(LINES))
        .containsExactly(
            "0|EUR|0|f|2026-06|3|1.50|6",
            "0|USD|0|f|2026-06|1|0.000001|7",
            "1|EUR|0|f|2026-06|2|0.25|9");
    assertThat(
            rows(
                "SELECT market, source, usage_hour_utc, currency, period, charges, amount,"
                    + " in_question FROM settled_charges ORDER BY currency"))
        .containsExactly(
            "north|pbx-1|2026-06-21 00:00:00|EUR|2026-06|5|1.75|f",
            "north|pbx-1|2026-06-21 00:00:00|USD|2026-06|1|0.000001|f");
  }

  @Test
  void shouldDoNothingWhenRepeated() throws SQLException {
    record(balancedHour());
    step(QUIET_UNTIL);
    List<String> settled = Rows.everything(connection);

    assertThat(step(QUIET_UNTIL + 1)).isEqualTo(new Step(0, 0, 0, false));
    record(balancedHour());
    assertThat(step(QUIET_UNTIL + 2)).isEqualTo(new Step(0, 0, 0, false));

    assertThat(Rows.everything(connection)).isEqualTo(settled);
  }

  @Test
  void shouldStartTheQuietTimeAnewWithEveryChange() throws SQLException {
    record(balancedHour());
    record(
        List.of(
            Findings.batch("pbx-1", "b2", State.BALANCED, Map.of(HOUR, 1L), FOUND + 100),
            eur(1, 3, "0.50", 10, FOUND + 100)));

    assertThat(step(QUIET_UNTIL + 99).settled()).isZero();
    assertThat(step(QUIET_UNTIL + 100).settled()).isEqualTo(1);
  }

  @Test
  void shouldNotTakeAReadingThatFoundNothingNewForAChange() throws SQLException {
    record(balancedHour());
    record(List.of(eur(1, 2, "0.25", 9, FOUND + 100)));

    assertThat(step(QUIET_UNTIL).settled()).isEqualTo(1);
  }

  @Test
  void shouldAddSupplementsForLateArrivalsAndCorrections() throws SQLException {
    record(balancedHour());
    step(QUIET_UNTIL);
    long later = QUIET_UNTIL + 1_000;

    // One charge more, one corrected in the other bucket, and one in a currency of its own.
    record(
        List.of(
            Findings.batch("pbx-1", "b2", State.BALANCED, Map.of(HOUR, 2L), later),
            Findings.partition(
                HOUR,
                0,
                "pbx-1",
                State.BALANCED,
                Map.of(
                    "EUR", owed(4, "2.00", 16),
                    "USD", owed(1, "0.000001", 7),
                    "GBP", owed(1, "9.99", 3)),
                later),
            eur(1, 2, "0.20", 19, later)));

    assertThat(step(later).settled()).isZero();
    assertThat(rows(LINES)).hasSize(3);
    assertThat(step(later + QUIET.toMillis())).isEqualTo(new Step(1, 1, 3, false));
    assertThat(rows(LINES + " OFFSET 0"))
        .containsExactly(
            "0|EUR|0|f|2026-06|3|1.50|6",
            "0|EUR|1|t|2026-06|1|0.50|16",
            "0|GBP|0|t|2026-06|1|9.99|3",
            "0|USD|0|f|2026-06|1|0.000001|7",
            "1|EUR|0|f|2026-06|2|0.25|9",
            "1|EUR|1|t|2026-06|0|-0.05|19");
    assertThat(
            rows(
                "SELECT currency, line_amount, supplement_amount, amount FROM settled_charges"
                    + " ORDER BY currency"))
        .containsExactly("EUR|1.75|0.45|2.20", "GBP|null|9.99|9.99", "USD|0.000001|null|0.000001");
    assertLinesAreWhatIsOwed();
  }

  @Test
  void shouldPutSupplementsOfAClosedMonthIntoTheOpenOne() throws SQLException {
    record(balancedHour());
    step(QUIET_UNTIL);
    assertThat(AccountingPeriods.close(connection, YearMonth.of(2026, 6), "finance", 1)).isTrue();
    assertThat(AccountingPeriods.close(connection, YearMonth.of(2026, 6), "again", 2)).isFalse();
    long later = QUIET_UNTIL + 1_000;
    record(List.of(eur(1, 2, "0.20", 19, later)));

    step(later + QUIET.toMillis());

    assertThat(rows("SELECT period, sum(amount) FROM settlement_lines GROUP BY 1 ORDER BY 1"))
        .containsExactly("2026-06|1.750001", "2026-07|-0.05");
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"OPEN", "MISMATCH"})
  void shouldShowNothingThatIsNotBalanced(State state) throws SQLException {
    long now = QUIET_UNTIL * 2;
    record(balancedHour());
    record(List.of(eurIn(state, 1, FOUND + 1)));
    assertNothingIsSettled(now, "OPEN|1 of 2 partitions");

    record(List.of(eurIn(State.BALANCED, 1, FOUND + 2)));
    record(List.of(Findings.batch("pbx-1", "b1", state, Map.of(HOUR, 6L), FOUND + 2)));
    assertNothingIsSettled(now, "OPEN|batch b1");

    record(List.of(Findings.batch("pbx-1", "b1", State.BALANCED, Map.of(HOUR, 7L), FOUND + 3)));
    assertNothingIsSettled(now, "OPEN|readings of 1 of 7 rows");

    record(List.of(Findings.batch("pbx-1", "b1", State.BALANCED, Map.of(HOUR, 6L), FOUND + 4)));
    record(List.of(Findings.source("pbx-1", State.MISMATCH, FOUND + 4)));
    assertNothingIsSettled(now, "OPEN|source pbx-1 to be in order");

    record(List.of(Findings.source("pbx-1", State.BALANCED, FOUND + 5)));
    assertThat(step(now).settled()).isEqualTo(1);
  }

  @Test
  void shouldNotSettleAnHourOfASourceOfWhichNothingWasHeard() throws SQLException {
    record(List.of(eur(0, 1, "1", 1, FOUND)));

    assertNothingIsSettled(QUIET_UNTIL, "OPEN|word of source pbx-1");
  }

  @Test
  void shouldNotSettleAnHourThatIsNotOver() throws SQLException {
    Settlement eager = new Settlement(Duration.ZERO);
    record(
        List.of(
            Findings.source("pbx-1", State.OPEN, 1),
            Findings.batch("pbx-1", "b1", State.BALANCED, Map.of(HOUR, 1L), 1),
            eur(0, 1, "1", 1, 1)));

    assertThat(eager.step(connection, HOUR_END_MILLIS - 1, false).settled()).isZero();
    assertThat(eager.step(connection, HOUR_END_MILLIS, false).settled()).isEqualTo(1);
  }

  @Test
  void shouldSettleNothingWhileHalted() throws SQLException {
    record(balancedHour());

    assertThat(settlement.step(connection, QUIET_UNTIL, true).settled()).isZero();
    assertThat(rows(HOURS)).containsExactly("BALANCED|the halt to be acknowledged");
    assertThat(rows(LINES)).isEmpty();
  }

  @ParameterizedTest(name = "source {0}, hour {1}")
  @org.junit.jupiter.params.provider.CsvSource({
    "pbx-1, 495000",
    "pbx-1, -1",
    "'', 495000",
    "'', -1"
  })
  void shouldHoldUpTheHoursThatADifferenceConcernsUntilItIsGoneOrAccepted(String source, long hour)
      throws SQLException {
    for (Status last : List.of(Status.GONE, Status.WRITTEN_OFF)) {
      String other = PostgresExtension.newMigratedDatabase();
      try (Connection own = PostgresExtension.connect(other)) {
        writer.write(own, balancedHour());
        DifferenceKind kind = DifferenceKind.CHANGED_AMOUNT;
        long now = QUIET_UNTIL * 2;
        String id = Findings.found(kind, source, "", hour, Status.GONE, 0).difference().id();

        for (Status open : List.of(Status.CONFIRMED, Status.RESOLVING)) {
          writer.write(
              own,
              List.of(
                  Findings.found(
                      kind,
                      source,
                      "",
                      hour,
                      open,
                      open == Status.CONFIRMED ? FOUND + 2 : FOUND + 3)));
          settlement.step(own, now, false);
          assertThat(Rows.of(own, HOURS)).containsExactly("MISMATCH|difference " + id);
        }
        assertThat(Rows.of(own, LINES)).isEmpty();

        writer.write(own, List.of(Findings.found(kind, source, "", hour, last, FOUND + 4)));
        assertThat(settlement.step(own, now, false).settled()).isEqualTo(1);
      }
    }
  }

  @Test
  void shouldLeaveOtherSourcesAndHoursAlone() throws SQLException {
    record(balancedHour());
    record(
        List.of(
            Findings.source("pbx-2", State.BALANCED, FOUND),
            Findings.found(DifferenceKind.SILENT_SOURCE, "pbx-2", "", -1, Status.CONFIRMED, FOUND),
            Findings.found(
                DifferenceKind.CHANGED_AMOUNT, "pbx-1", "", HOUR + 1, Status.CONFIRMED, FOUND)));

    step(QUIET_UNTIL);

    assertThat(rows("SELECT usage_hour, state FROM hours ORDER BY 1"))
        .containsExactly(HOUR + "|SETTLED", (HOUR + 1) + "|MISMATCH");
  }

  @Test
  void shouldSettleWhatIsThereWhenMissingRowsAreAccepted() throws SQLException {
    record(balancedHour());
    record(List.of(Findings.batch("pbx-1", "b1", State.BALANCED, Map.of(HOUR, 7L), FOUND)));
    record(
        List.of(
            Findings.batch("pbx-1", "b1", State.BALANCED, Map.of(HOUR, 7L), FOUND + 1),
            Findings.found(
                DifferenceKind.MISSING_ROW, "pbx-1", "b1", HOUR, Status.WRITTEN_OFF, FOUND + 1)));

    assertThat(step(QUIET_UNTIL + 1).settled()).isEqualTo(1);
    assertLinesAreWhatIsOwed();
  }

  @Test
  void shouldPutASettledHourInQuestionWhenItChangesWithoutAReason() throws SQLException {
    record(balancedHour());
    step(QUIET_UNTIL);
    long later = QUIET_UNTIL + 1_000;
    record(
        List.of(
            eurIn(State.MISMATCH, 1, later),
            Findings.found(
                DifferenceKind.SETTLED_CHANGED, "pbx-1", "", HOUR, Status.CONFIRMED, later)));

    step(later * 2);

    assertThat(rows(LINES)).hasSize(3);
    assertThat(rows("SELECT DISTINCT in_question FROM settled_charges")).containsExactly("t");
  }

  @Test
  void shouldNotSettleAnewWhatChangedAfterItWasSettled() throws SQLException {
    record(balancedHour());
    step(QUIET_UNTIL);
    long later = QUIET_UNTIL + 1_000;
    Partition before = eur(1, 2, "0.25", 9, later + 1);
    record(List.of(changed(before, later)));

    Found found = step(later * 2).found().get(0);

    assertThat(found.status()).isEqualTo(Status.CONFIRMED);
    assertThat(found.difference().kind()).isEqualTo(DifferenceKind.SETTLED_CHANGED);
    assertThat(found.difference().usageHour()).isEqualTo(HOUR);
    assertThat(found.difference().bucket()).isEqualTo(1);
    assertThat(rows(HOURS)).containsExactly("MISMATCH|difference " + found.difference().id());
    assertThat(rows(LINES)).hasSize(3);
    assertThat(rows("SELECT DISTINCT in_question FROM settled_charges")).containsExactly("t");

    record(List.of(found));
    assertThat(step(later * 2).found()).hasSize(1);
    record(List.of(before));
    Found gone = step(later * 2).found().get(0);
    assertThat(gone.status()).isEqualTo(Status.GONE);
    assertThat(gone.difference().id()).isEqualTo(found.difference().id());
    record(List.of(new Found(gone.difference(), Status.GONE, "", "", gone.atMillis() + 1)));
    assertThat(step(later * 4).settled()).isEqualTo(1);
    assertThat(rows(LINES)).hasSize(3);
  }

  @Test
  void shouldFindSettledChargesThatAreGone() throws SQLException {
    record(balancedHour());
    step(QUIET_UNTIL);
    long later = QUIET_UNTIL + 1_000;
    record(List.of(eur(1, 1, "0.15", 4, later)));

    Found found = step(later * 2).found().get(0);

    assertThat(found.difference().kind()).isEqualTo(DifferenceKind.SETTLED_VANISHED);
    assertThat(found.difference().count()).isEqualTo(1);
    assertThat(rows(LINES)).hasSize(3);
  }

  @Test
  void shouldSettleAChangeThatWasWrittenOff() throws SQLException {
    record(balancedHour());
    step(QUIET_UNTIL);
    long later = QUIET_UNTIL + 1_000;
    record(List.of(changed(eur(1, 2, "0.25", 9, later), later)));
    Found found = step(later).found().get(0);
    record(List.of(new Found(found.difference(), Status.WRITTEN_OFF, "halt-1", "", later + 1)));

    Step step = step(later * 2);

    assertThat(step.found()).isEmpty();
    assertThat(step.settled()).isEqualTo(1);
    assertLinesAreWhatIsOwed();
  }

  @ParameterizedTest(name = "{0}, halt {1}: told again {2}")
  @org.junit.jupiter.params.provider.CsvSource({
    "CONFIRMED, halt-1, false",
    "RESOLVING, halt-1, false",
    "GONE, halt-1, false",
    "GONE, '', true"
  })
  void shouldNotTellAgainWhatWasToldOfItsRows(Status status, String haltId, boolean isTold)
      throws SQLException {
    record(balancedHour());
    step(QUIET_UNTIL);
    long later = QUIET_UNTIL + 1_000;
    Difference ofARow =
        new Difference(
            DifferenceKind.CHANGED_AMOUNT, "pbx-1", "b1", HOUR, 1, "3", 1, "1.50", "2.50");
    record(
        List.of(
            changed(eur(1, 2, "0.25", 9, later), later),
            new Found(ofARow, status, haltId, "", later)));

    assertThat(step(later * 2).found()).hasSize(isTold ? 1 : 0);
  }

  /** The same number of charges, the same sum, and another charge among them. */
  private static Partition changed(Partition before, long atMillis) {
    return new Partition(
        before.usageHour(),
        before.bucket(),
        before.source(),
        before.state(),
        before.rows(),
        before.amounts(),
        before.digest() + 1,
        0,
        atMillis);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {21, 22, 23, 24})
  void shouldSettleOnceWhenSeveralStepAtOnceWhileFindingsComeIn(long seed) throws Exception {
    int hours = 20;
    long later = QUIET_UNTIL + 1;
    for (int hour = 0; hour < hours; hour++) {
      record(hourOf(hour, FOUND, 1));
    }
    int programs = 3;
    CyclicBarrier together = new CyclicBarrier(programs + 1);
    ExecutorService threads = Executors.newFixedThreadPool(programs + 1);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int program = 0; program < programs; program++) {
        running.add(threads.submit(() -> stepMany(together, later)));
      }
      Random random = new Random(seed);
      running.add(
          threads.submit(
              () -> {
                together.await();
                try (Connection own = PostgresExtension.connect(url)) {
                  for (int i = 0; i < 40; i++) {
                    // Told as if long ago, so that it is due at once.
                    writer.write(own, hourOf(random.nextInt(hours), FOUND + 2 + i, 2 + i));
                  }
                }
                return null;
              }));
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }

    step(later * 2);

    assertThat(rows("SELECT DISTINCT state FROM hours")).containsExactly("SETTLED");
    assertLinesAreWhatIsOwed();
  }

  private Void stepMany(CyclicBarrier together, long now) throws Exception {
    together.await();
    try (Connection own = PostgresExtension.connect(url)) {
      for (int i = 0; i < 10; i++) {
        try {
          settlement.step(own, now * 2, false);
        } catch (SQLException e) {
          assertThat(SqlFailures.isTransient(e)).as(e.toString()).isTrue();
        }
      }
    }
    return null;
  }

  @Test
  void shouldMakeNoHalfSettlementWhenKilledBetweenAnyTwoStatements() throws SQLException {
    record(balancedHour());
    List<String> before = Rows.everything(connection);

    int statements = 0;
    boolean isDone = false;
    while (!isDone) {
      try (Connection own = PostgresExtension.connect(url)) {
        settlement.step(HookedConnection.dyingAfter(own, statements), QUIET_UNTIL, false);
        isDone = true;
      } catch (SQLException e) {
        assertThat(SqlFailures.isTransient(e)).as(e.toString()).isTrue();
        assertThat(Rows.everything(connection)).isEqualTo(before);
        statements++;
      }
    }

    assertThat(statements).isGreaterThan(8);
    assertThat(rows(LINES)).hasSize(3);
    assertLinesAreWhatIsOwed();
  }

  @ParameterizedTest(name = "before statement {0}")
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void shouldNeitherSettleNorForgetAFindingThatComesInDuringAStep(int statements)
      throws SQLException {
    record(balancedHour());
    List<ReconcileResult> unbalanced =
        List.of(
            Findings.partition(
                HOUR, 1, "pbx-1", State.OPEN, Map.of("EUR", owed(2, "77.00", 99)), FOUND + 1));
    try (Connection own = PostgresExtension.connect(url);
        Connection other = PostgresExtension.connect(url);
        Statement statement = other.createStatement()) {
      statement.execute("SET lock_timeout = '300ms'");
      settlement.step(
          HookedConnection.after(
              own,
              statements,
              () -> {
                try {
                  writer.write(other, unbalanced);
                } catch (SQLException e) {
                  // The step has the hour by now; the finding is recorded right after it.
                  assertThat(SqlFailures.isTransient(e)).as(e.toString()).isTrue();
                }
              }),
          QUIET_UNTIL,
          false);
    }
    assertThat(rows("SELECT amount FROM settlement_lines WHERE bucket = 1")).isSubsetOf("0.25");

    record(unbalanced);
    step(QUIET_UNTIL * 2);

    assertThat(rows(HOURS)).containsExactly("OPEN|1 of 2 partitions");
  }

  @ParameterizedTest(name = "before statement {0}")
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void shouldAddNoLineToAMonthThatIsClosedDuringAStep(int statements) throws SQLException {
    record(balancedHour());
    boolean[] isClosed = {false};
    try (Connection own = PostgresExtension.connect(url);
        Connection other = PostgresExtension.connect(url);
        Statement statement = other.createStatement()) {
      statement.execute("SET lock_timeout = '300ms'");
      settlement.step(
          HookedConnection.after(
              own,
              statements,
              () -> {
                try {
                  AccountingPeriods.close(other, YearMonth.of(2026, 6), "finance", 1);
                  isClosed[0] = true;
                } catch (SQLException e) {
                  // The step makes lines: closing waits for it.
                  assertThat(SqlFailures.isTransient(e)).as(e.toString()).isTrue();
                }
              }),
          QUIET_UNTIL,
          false);
    }

    assertThat(rows("SELECT DISTINCT period FROM settlement_lines"))
        .containsExactly(isClosed[0] ? "2026-07" : "2026-06");
  }

  @Test
  void shouldSettleAtMostABoundedNumberOfHoursInAStep() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO sources VALUES ('pbx-1', 'north', '', 0, '', 'BALANCED', 1)");
      statement.execute(
          "INSERT INTO partitions SELECT h, 0, 'pbx-1', 'BALANCED', 1, '{EUR}', '{1}', '{0.1}',"
              + " '{1}', 1, 0, 1 FROM generate_series(1, "
              + (Settlement.HOURS_PER_STEP + 1)
              + ") h");
    }

    assertThat(step(QUIET_UNTIL))
        .isEqualTo(
            new Step(
                Settlement.HOURS_PER_STEP + 1,
                Settlement.HOURS_PER_STEP,
                Settlement.HOURS_PER_STEP,
                true));
    assertThat(step(QUIET_UNTIL)).isEqualTo(new Step(1, 1, 1, false));
    assertLinesAreWhatIsOwed();
  }

  @Test
  void shouldRefuseToJoinATransactionOfSomebodyElse() throws SQLException {
    connection.setAutoCommit(false);

    assertThatThrownBy(() -> step(QUIET_UNTIL)).hasMessageContaining("expected: auto-commit");
  }

  private void assertNothingIsSettled(long now, String hour) throws SQLException {
    assertThat(step(now).settled()).isZero();
    assertThat(rows(HOURS)).containsExactly(hour);
    assertThat(rows("SELECT * FROM settled_charges")).isEmpty();
    assertThat(rows(LINES)).isEmpty();
  }

  /** The sum of lines is what is owed, of every place; counted by other means than settlement. */
  private void assertLinesAreWhatIsOwed() throws SQLException {
    List<String> owed =
        rows(
            "SELECT usage_hour, source, bucket, currencies[i], currency_charges[i],"
                + " trim_scale(currency_amounts[i]) FROM partitions,"
                + " generate_subscripts(currencies, 1) i ORDER BY 1, 2, 3, 4");
    assertThat(owed).isNotEmpty();
    assertThat(
            rows(
                "SELECT usage_hour, source, bucket, currency, sum(charges),"
                    + " trim_scale(sum(amount)) FROM settlement_lines GROUP BY 1, 2, 3, 4"
                    + " ORDER BY 1, 2, 3, 4"))
        .isEqualTo(owed);
  }

  private static List<ReconcileResult> balancedHour() {
    return List.of(
        Findings.source("pbx-1", State.OPEN, FOUND),
        Findings.batch("pbx-1", "b1", State.BALANCED, Map.of(HOUR, 6L), FOUND),
        Findings.partition(
            HOUR,
            0,
            "pbx-1",
            State.BALANCED,
            Map.of("EUR", owed(3, "1.50", 6), "USD", owed(1, "0.000001", 7)),
            FOUND),
        eur(1, 2, "0.25", 9, FOUND));
  }

  private static List<ReconcileResult> hourOf(int number, long atMillis, long charges) {
    long hour = HOUR - number;
    Owed owed = new Owed(charges, BigDecimal.valueOf(charges * 7, 2), charges);
    return List.of(
        Findings.source("pbx-1", State.OPEN, atMillis),
        Findings.batch("pbx-1", "b" + number, State.BALANCED, Map.of(hour, charges), atMillis),
        Findings.partition(hour, 0, "pbx-1", State.BALANCED, Map.of("EUR", owed), atMillis));
  }

  private static Partition eur(
      int bucket, long charges, String amount, long digest, long atMillis) {
    return Findings.partition(
        HOUR,
        bucket,
        "pbx-1",
        State.BALANCED,
        Map.of("EUR", owed(charges, amount, digest)),
        atMillis);
  }

  private static ReconcileResult eurIn(State state, int bucket, long atMillis) {
    return Findings.partition(
        HOUR, bucket, "pbx-1", state, Map.of("EUR", owed(2, "0.25", 9)), atMillis);
  }

  private void record(List<ReconcileResult> findings) throws SQLException {
    writer.write(connection, findings);
  }

  private Step step(long nowMillis) throws SQLException {
    return settlement.step(connection, nowMillis, false);
  }

  private List<String> rows(String sql) throws SQLException {
    return Rows.of(connection, sql);
  }
}
