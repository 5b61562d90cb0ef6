package io.tollgate.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.UdtValue;
import io.tollgate.domain.ledger.Charge;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Of two writes of a charge the first stands, on a real server, whatever the clocks say. */
@ExtendWith(CassandraExtension.class)
class FirstWriteStandsITCase {
  private static final String KEYSPACE = "first_write";

  private static LedgerSession session;

  private final List<Charge> charges = new ChargeGenerator(1).take(300);
  private final LedgerReader reader = LedgerFixture.reader(session);

  @BeforeAll
  static void open() {
    session = CassandraExtension.newLedger(KEYSPACE);
  }

  @AfterAll
  static void close() {
    session.close();
  }

  @BeforeEach
  void empty() {
    session.cql().execute("TRUNCATE " + KEYSPACE + ".charges");
  }

  @Test
  void writingAgainWithAnotherResultChangesNothing() throws InterruptedException {
    LedgerFixture.write(session, charges);

    LedgerFixture.write(session, LedgerFixture.otherAmounts(charges));

    assertThat(everything()).containsExactlyInAnyOrderElementsOf(charges);
  }

  @Test
  void sameWriterCannotChangeItsOwnRow() throws InterruptedException {
    try (LedgerWriter writer = LedgerFixture.writer(session)) {
      LedgerFixture.addAll(writer, charges);
      writer.flush();
      LedgerFixture.addAll(writer, LedgerFixture.otherAmounts(charges));
      writer.flush();
    }

    assertThat(everything()).containsExactlyInAnyOrderElementsOf(charges);
  }

  @Test
  void zombieRepeatingItsRowsChangesNothing() throws InterruptedException {
    try (LedgerWriter zombie = LedgerFixture.writer(session);
        LedgerWriter successor = LedgerFixture.writer(session)) {
      LedgerFixture.addAll(zombie, charges);
      zombie.flush();
      LedgerFixture.addAll(successor, LedgerFixture.otherAmounts(charges));
      successor.flush();
      LedgerFixture.addAll(zombie, charges);
      zombie.flush();
    }

    assertThat(everything()).containsExactlyInAnyOrderElementsOf(charges);
  }

  @Test
  void writerOpenedLaterNeverOverridesAnEarlierOne() throws InterruptedException {
    List<Charge> ofEarlier = charges.subList(0, 150);
    try (LedgerWriter earlier = LedgerFixture.writer(session);
        LedgerWriter later = LedgerFixture.writer(session)) {
      assertThat(later.writerNumber()).isGreaterThan(earlier.writerNumber());
      LedgerFixture.addAll(earlier, ofEarlier);
      earlier.flush();
      LedgerFixture.addAll(later, LedgerFixture.otherAmounts(charges));
      later.flush();
    }

    assertThat(everything())
        .containsAll(ofEarlier)
        .containsAll(LedgerFixture.otherAmounts(charges.subList(150, 300)))
        .hasSize(300);
  }

  @Test
  void ordinaryDeleteStillDeletes() throws InterruptedException {
    LedgerFixture.write(session, charges);
    Charge gone = charges.get(0);

    session
        .cql()
        .execute(
            "DELETE FROM "
                + KEYSPACE
                + ".charges WHERE usage_hour = ? AND bucket = ? AND account_id = ? AND event_id = ?"
                + " AND revision = 0",
            (int) gone.usageHour(),
            CassandraExtension.PLACEMENT.bucket(gone.cdr().accountId(), gone.cdr().eventId()),
            gone.cdr().accountId(),
            gone.cdr().eventId());

    assertThat(everything()).hasSize(299).doesNotContain(gone);
    // And a replay does not bring it back behind the back of who deleted it.
    LedgerFixture.write(session, charges);
    assertThat(everything()).hasSize(299).doesNotContain(gone);
  }

  @Test
  void revisionsAreRowsOfTheirOwn() throws InterruptedException {
    Charge charge = charges.get(0);
    Charge corrected = ChargeGenerator.withRevision(ChargeGenerator.withAmount(charge, "0.00"), 3);

    LedgerFixture.write(session, List.of(corrected));
    LedgerFixture.write(session, List.of(charge));

    assertThat(everything()).containsExactly(charge, corrected);
  }

  @Test
  void rowsAreWrittenWithNegativeTimestampsAndWithoutAnEnd() throws InterruptedException {
    LedgerFixture.write(session, charges);

    for (Row row :
        session
            .cql()
            .execute(
                "SELECT writetime(charge) AS written, ttl(charge) AS ends FROM "
                    + KEYSPACE
                    + ".charges")) {
      assertThat(row.getLong("written")).isNegative();
      assertThat(row.isNull("ends")).isTrue();
    }
  }

  @Test
  void cellIsReadableByItsFieldNames() throws InterruptedException {
    Charge charge = charges.get(0);
    LedgerFixture.write(session, List.of(charge));

    Row row = session.cql().execute("SELECT * FROM " + KEYSPACE + ".charges").one();
    UdtValue cell = row.getUdtValue("charge");

    assertThat(cell.getInstant("start"))
        .isEqualTo(Instant.ofEpochMilli(charge.cdr().startMillis()));
    assertThat(cell.getString("usage_type")).isEqualTo(charge.cdr().usageType().name());
    assertThat(cell.getString("called_original")).isEqualTo(charge.cdr().calledOriginal());
    assertThat(cell.getMap("attributes", String.class, String.class))
        .isEqualTo(charge.cdr().attributes());
    assertThat(cell.getLong("batch_seq")).isEqualTo(charge.origin().batchSeq());
    assertThat(cell.getInt("kafka_partition")).isEqualTo(charge.origin().partition());
    assertThat(cell.getBoolean("late")).isEqualTo(charge.late());
    assertThat(cell.getList("steps", UdtValue.class)).hasSize(charge.rating().steps().size());
    assertThat(cell.getBigDecimal("unrounded_amount")).isEqualTo(charge.rating().unroundedAmount());
    assertThat(cell.getBigDecimal("amount")).isEqualTo(charge.rating().amount());
    assertThat(cell.getString("currency")).isEqualTo(charge.rating().currency());
  }

  @Test
  void largestChargeThatTheRulesAllowIsWritten() throws InterruptedException {
    Charge large = LargeCharge.largest();

    LedgerFixture.write(session, List.of(large));

    assertThat(everything()).containsExactly(large);
  }

  @Test
  void manyWritersAtOnceTakeDifferentNumbers() throws Exception {
    List<Long> numbers = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Thread thread =
          new Thread(
              () -> {
                try (LedgerWriter writer = LedgerFixture.writer(session)) {
                  numbers.add(writer.writerNumber());
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join(Duration.ofSeconds(60).toMillis());
    }

    assertThat(numbers).hasSize(6).doesNotHaveDuplicates().allMatch(number -> number > 0);
  }

  private List<Charge> everything() {
    return LedgerFixture.read(reader.all());
  }
}
