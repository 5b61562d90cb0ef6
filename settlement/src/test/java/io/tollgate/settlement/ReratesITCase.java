package io.tollgate.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.settlement.Rerates.Group;
import io.tollgate.settlement.Rerates.Order;
import io.tollgate.settlement.Rerates.Progress;
import io.tollgate.settlement.Rerates.Run;
import io.tollgate.settlement.Rerates.Total;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class ReratesITCase {
  private static final long HOUR = 495_000;

  private Connection connection;
  private Rerates rerates;

  @BeforeEach
  void open() throws SQLException {
    connection = PostgresExtension.connect(PostgresExtension.newMigratedDatabase());
    rerates = new Rerates(connection);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void shouldKeepWhatWasAskedForAndHowFarItCame() throws SQLException {
    Order order = order("r1", HOUR, HOUR + 1, List.of("acme", "b\0b"), 3, false);
    rerates.begin(order);
    rerates.progress("r1", new Progress(2, 30, 4));

    Run run = rerates.find("r1").orElseThrow();
    assertThat(run.order().accounts()).containsExactly("acme", "b\uFFFDb");
    assertThat(run.order().reason()).isEqualTo("a test");
    assertThat(run.progress()).isEqualTo(new Progress(2, 30, 4));
    assertThat(run.isFinished()).isFalse();
    assertThat(rerates.find("r2")).isEmpty();
  }

  @Test
  void shouldRecordTheSameWhenItIsRepeated() throws SQLException {
    rerates.begin(order("r1", HOUR, HOUR, List.of(), 3, false));
    List<Total> totals = List.of(total("acme", "Germany", "1.5", "2.5"));
    rerates.totals("r1", totals);
    rerates.finish("r1", new Progress(4, 1, 1), 7);
    List<String> once = Rows.everything(connection);

    rerates.begin(order("r1", HOUR, HOUR, List.of(), 3, false));
    rerates.totals("r1", totals);
    rerates.finish("r1", new Progress(4, 1, 1), 8);
    assertThat(Rows.everything(connection)).isEqualTo(once);
  }

  @Test
  void shouldSayUpToWhichCorrectionHoursWereRerated() throws SQLException {
    assertThat(rerates.reratedTo(HOUR, HOUR + 1)).isZero();

    finish(order("r1", HOUR, HOUR, List.of(), 3, false));
    assertThat(rerates.reratedTo(HOUR, HOUR)).isEqualTo(3);
    assertThat(rerates.reratedTo(HOUR, HOUR + 1)).isZero();

    finish(order("r2", HOUR + 1, HOUR + 1, List.of(), 2, false));
    assertThat(rerates.reratedTo(HOUR, HOUR + 1)).isEqualTo(2);

    // An older one that ends later takes nothing back.
    finish(order("r3", HOUR, HOUR, List.of(), 1, false));
    assertThat(rerates.reratedTo(HOUR, HOUR)).isEqualTo(3);
  }

  @Test
  void shouldNameTheHoursThatWait() throws SQLException {
    finish(order("r1", HOUR, HOUR, List.of(), 2, false));
    finish(order("r2", HOUR + 1, HOUR + 1, List.of(), 1, false));
    assertThat(rerates.waiting(HOUR, HOUR + 3, 2))
        .isEqualTo(new Rerates.Waiting(3, HOUR + 1, HOUR + 3));
    assertThat(rerates.waiting(HOUR, HOUR, 2)).isEqualTo(new Rerates.Waiting(0, -1, -1));
  }

  @Test
  void shouldLetHoursWaitOnAfterADryRunOrARunOfSomeAccounts() throws SQLException {
    finish(order("r1", HOUR, HOUR, List.of(), 3, true));
    finish(order("r2", HOUR, HOUR, List.of("acme"), 3, false));
    assertThat(rerates.reratedTo(HOUR, HOUR)).isZero();
  }

  @Test
  void shouldAddUpByWhatIsAskedFor() throws SQLException {
    rerates.begin(order("r1", HOUR, HOUR, List.of(), 3, false));
    rerates.totals(
        "r1",
        List.of(
            total("acme", "Germany", "1", "2"),
            total("acme", "France", "1", "1.5"),
            total("zeta", "Germany", "10", "4")));
    assertThat(lines(Group.ACCOUNT, 9)).containsExactly("zeta//10->4", "acme//2->3.5");
    assertThat(lines(Group.DESTINATION, 9)).containsExactly("/Germany/11->6", "/France/1->1.5");
    assertThat(lines(Group.CURRENCY, 9)).containsExactly("//12->7.5");
    assertThat(lines(Group.ACCOUNT, 1)).containsExactly("zeta//10->4");
  }

  @Test
  void shouldListTheNewestFirst() throws SQLException {
    rerates.begin(order("r1", HOUR, HOUR, List.of(), 1, false));
    rerates.begin(order("r2", HOUR, HOUR, List.of(), 2, false));
    assertThat(rerates.newest(5).stream().map(run -> run.order().run()))
        .containsExactly("r2", "r1");
    assertThat(rerates.newest(1)).hasSize(1);
  }

  private void finish(Order order) throws SQLException {
    rerates.begin(order);
    rerates.finish(order.run(), new Progress(order.units(), 1, 0), 9);
  }

  private List<String> lines(Group group, int limit) throws SQLException {
    return rerates.totals("r1", group, limit).stream()
        .map(
            total ->
                total.account()
                    + "/"
                    + total.destination()
                    + "/"
                    + total.before().toPlainString()
                    + "->"
                    + total.after().toPlainString())
        .toList();
  }

  private static Order order(
      String run, long first, long last, List<String> accounts, long correction, boolean dryRun) {
    return new Order(
        run, correction, "ann", "a test", first, last, accounts, 0, correction, dryRun, 4);
  }

  private static Total total(String account, String destination, String before, String after) {
    return new Total(account, destination, "EUR", 1, new BigDecimal(before), new BigDecimal(after));
  }
}
