package io.tollgate.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(CassandraExtension.class)
class LedgerReaderITCase {
  private static final String KEYSPACE = "reading";
  private static final long FIRST_HOUR = Placement.usageHour(ChargeGenerator.FIRST_START_MILLIS);
  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
  private static final ChargeGenerator GENERATOR = new ChargeGenerator(5);
  private static final List<Charge> CHARGES = new ArrayList<>(GENERATOR.take(2000));

  private static LedgerSession session;
  private static LedgerReader reader;

  @BeforeAll
  static void fill() throws InterruptedException {
    session = CassandraExtension.newLedger(KEYSPACE);
    reader = LedgerFixture.reader(session);
    assertThat(reader.isEmpty().toCompletableFuture().join()).isTrue();
    for (int i = 0; i < 1500; i++) {
      CHARGES.add(charge("wholesale", "event-" + i, ChargeGenerator.FIRST_START_MILLIS));
    }
    LedgerFixture.write(session, CHARGES);
  }

  @AfterAll
  static void close() {
    session.close();
  }

  @Test
  void scanGivesEveryChargeOnce() {
    assertThat(LedgerFixture.read(reader.all())).containsExactlyInAnyOrderElementsOf(CHARGES);
  }

  @Test
  void ledgerWithChargesIsNotEmpty() {
    assertThat(reader.isEmpty().toCompletableFuture().join()).isFalse();
  }

  @Test
  void partitionsTogetherGiveEveryChargeOnceAndInOrder() {
    List<Charge> all = new ArrayList<>();
    for (long hour = FIRST_HOUR; hour < FIRST_HOUR + 3; hour++) {
      for (int bucket = 0; bucket < CassandraExtension.PLACEMENT.buckets(); bucket++) {
        List<Charge> partition = LedgerFixture.read(reader.partition(hour, bucket));
        assertThat(partition.stream().map(charge -> charge.cdr().accountId())).isSorted();
        all.addAll(partition);
      }
    }

    assertThat(all).containsExactlyInAnyOrderElementsOf(CHARGES);
  }

  @Test
  void accountGivesItsChargesInOrderOfHours() {
    List<Charge> found =
        LedgerFixture.read(reader.account("account-7", FIRST_HOUR, FIRST_HOUR + 3));

    assertThat(found).containsExactlyInAnyOrderElementsOf(of("account-7").toList());
    assertThat(found.stream().map(Charge::usageHour)).isSorted();
  }

  @Test
  void accountIsReadOverAWholeMonthOfMostlyEmptyHours() {
    List<Charge> found =
        LedgerFixture.read(reader.account("account-7", FIRST_HOUR - 672, FIRST_HOUR + 72));

    assertThat(found).containsExactlyInAnyOrderElementsOf(of("account-7").toList());
  }

  @Test
  void hoursOutsideAreNotRead() {
    List<Charge> found =
        LedgerFixture.read(reader.account("account-7", FIRST_HOUR + 1, FIRST_HOUR + 2));

    assertThat(found)
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(
            of("account-7").filter(charge -> charge.usageHour() == FIRST_HOUR + 1).toList());
  }

  @Test
  void saltedAccountIsFoundInAllItsBuckets() {
    List<Charge> found =
        LedgerFixture.read(reader.account("wholesale", FIRST_HOUR, FIRST_HOUR + 1));

    assertThat(found).hasSize(1500).containsExactlyInAnyOrderElementsOf(of("wholesale").toList());
  }

  @Test
  void chargeIsFoundByItsKey() {
    Charge charge = CHARGES.get(3);

    assertThat(find(charge, 0)).contains(charge);
    assertThat(find(charge, 1)).isEmpty();
  }

  @Test
  void identityIsFoundAtItsOwnHour() {
    Charge charge = CHARGES.get(4);

    assertThat(byIdentity(charge, 0)).containsExactly(charge);
  }

  @ParameterizedTest(name = "{0} hours off")
  @ValueSource(ints = {-26, -25, -2, -1, 1, 2, 25, 26})
  void identityIsFoundWhereAWrongTimeZoneWouldPutIt(int hoursOff) {
    Charge charge = CHARGES.get(5);

    assertThat(byIdentity(charge, hoursOff)).containsExactly(charge);
  }

  @ParameterizedTest(name = "{0} hours off")
  @ValueSource(ints = {-27, 27})
  void identityIsNotLookedForFurtherAway(int hoursOff) {
    assertThat(byIdentity(CHARGES.get(5), hoursOff)).isEmpty();
  }

  @Test
  void identityIsFoundAcrossAChangeOfBuckets() {
    Charge charge = CHARGES.get(6);
    LedgerLayout changedInBetween =
        new LedgerLayout(
            List.of(
                new LedgerLayout.Era(0, CassandraExtension.PLACEMENT),
                new LedgerLayout.Era(FIRST_HOUR + 5, new Placement(64, Set.of()))));
    LedgerReader changed =
        new LedgerReader(session, changedInBetween, ReadLimit.of(Duration.ofSeconds(10)));

    assertThat(
            changed
                .findByIdentity(
                    charge.cdr().accountId(),
                    charge.cdr().eventId(),
                    (FIRST_HOUR + 10) * HOUR_MILLIS)
                .toCompletableFuture()
                .join())
        .containsExactly(charge);
  }

  @Test
  void unreadableCellIsNamedByItsKey() {
    session
        .cql()
        .execute(
            "INSERT INTO "
                + KEYSPACE
                + ".charges (usage_hour, bucket, account_id, event_id, revision) VALUES (1, 0, 'a',"
                + " 'e', 0)");

    assertThatThrownBy(() -> LedgerFixture.read(reader.partition(1, 0)))
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining("charge of hour 1, account a, event e: empty (expected:");
    session
        .cql()
        .execute("DELETE FROM " + KEYSPACE + ".charges WHERE usage_hour = 1 AND bucket = 0");
  }

  @Test
  void refusedReadIsNotRepeated() {
    LedgerSession dropped = CassandraExtension.newLedger("dropped");
    LedgerReader of = new LedgerReader(dropped, CassandraExtension.LAYOUT, ReadLimit.NEVER_GIVE_UP);
    dropped.cql().execute("DROP TABLE dropped.charges");

    assertThatThrownBy(() -> of.isEmpty().toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(LedgerException.class);
    assertThatThrownBy(() -> LedgerFixture.read(of.all())).isInstanceOf(LedgerException.class);
    dropped.close();
  }

  private static Charge charge(String account, String event, long startMillis) {
    Charge made = GENERATOR.charge(account, event, startMillis, new BigDecimal("1.00"));
    assertThat(made.cdr().usageType()).isIn((Object[]) UsageType.values());
    return made;
  }

  private static Stream<Charge> of(String account) {
    return CHARGES.stream().filter(charge -> charge.cdr().accountId().equals(account));
  }

  private static Optional<Charge> find(Charge charge, long revision) {
    return reader
        .find(charge.usageHour(), charge.cdr().accountId(), charge.cdr().eventId(), revision)
        .toCompletableFuture()
        .join();
  }

  private static List<Charge> byIdentity(Charge charge, int hoursOff) {
    return reader
        .findByIdentity(
            charge.cdr().accountId(),
            charge.cdr().eventId(),
            charge.cdr().startMillis() + hoursOff * HOUR_MILLIS)
        .toCompletableFuture()
        .join();
  }
}
