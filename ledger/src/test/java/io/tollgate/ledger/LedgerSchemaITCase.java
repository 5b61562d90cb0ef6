package io.tollgate.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(CassandraExtension.class)
class LedgerSchemaITCase {
  private static final Placement PLACEMENT = CassandraExtension.PLACEMENT;
  private static final Instant NOW = Instant.parse("2026-03-29T01:30:00Z");
  private static final String KEYSPACE = "checked";

  private static LedgerSession session;

  @BeforeAll
  static void open() {
    session = CassandraExtension.newLedger(KEYSPACE);
  }

  @AfterAll
  static void close() {
    session.close();
  }

  @AfterEach
  void mend() {
    execute("UPDATE ledger_schema SET version = 1 WHERE ledger = 'ledger'");
    execute(
        "UPDATE ledger_layout SET hash = '"
            + LedgerSchema.HASH
            + "' WHERE ledger = 'ledger' AND from_hour = 0");
    execute("DELETE FROM ledger_layout WHERE ledger = 'ledger' AND from_hour > 0");
    execute("TRUNCATE job_leases");
  }

  @Test
  void creatingAgainChangesNothing() {
    assertThat(LedgerSchema.create(session, PLACEMENT)).isEqualTo(CassandraExtension.LAYOUT);
    assertThat(LedgerSchema.verify(session, PLACEMENT)).isEqualTo(CassandraExtension.LAYOUT);
    assertThat(LedgerSchema.verify(session)).isEqualTo(CassandraExtension.LAYOUT);
  }

  @Test
  void absentLedgerIsSaidToBeAbsent() {
    try (LedgerSession nowhere = LedgerSession.open(CassandraExtension.connection("nowhere"))) {
      assertThatThrownBy(() -> LedgerSchema.verify(nowhere, PLACEMENT))
          .isInstanceOf(LedgerException.class)
          .hasMessageContaining("cassandra.keyspace: nowhere holds no ledger (expected:");
    }
  }

  @Test
  void anotherPlacementThanTheRecordedOneIsRefused() {
    Placement other = new Placement(8, Set.of("a", "b"));

    assertThatThrownBy(() -> LedgerSchema.create(session, other))
        .isInstanceOf(LedgerException.class)
        .hasMessage(
            """
            ledger.buckets: 8 (expected: 4, as the ledger records)
            ledger.salted_accounts: [a, b] (expected: [wholesale], as the ledger records)\
            """);
  }

  @Test
  void anotherVersionIsRefused() {
    execute("UPDATE ledger_schema SET version = 99 WHERE ledger = 'ledger'");

    assertThatThrownBy(() -> LedgerSchema.verify(session))
        .hasMessageContaining("version 99 (expected: 1;");
  }

  @Test
  void changedTypesTimeToLiveAndReplicationAreNamed() {
    try (LedgerSession changed = CassandraExtension.newLedger("changed")) {
      changed.cql().execute("ALTER TYPE changed.charge_step ADD note text");
      changed.cql().execute("ALTER TABLE changed.charges WITH default_time_to_live = 60");
      LedgerConnection three =
          new LedgerConnection(
              changed.connection().contactPoints(),
              "datacenter1",
              "changed",
              3,
              Duration.ofSeconds(10),
              null,
              null);
      try (LedgerSession threeReplicas = LedgerSession.open(three)) {
        assertThatThrownBy(() -> LedgerSchema.verify(threeReplicas))
            .isInstanceOf(LedgerException.class)
            .hasMessageContaining("type charge_step, field 6: note text (expected: absent)")
            .hasMessageContaining("default_time_to_live 60 (expected: 0, for ever)")
            .hasMessageContaining("cassandra.replication_factor: 3 (expected: ");
      }
    }
  }

  @Test
  void anotherHashIsRefused() {
    execute("UPDATE ledger_layout SET hash = 'other' WHERE ledger = 'ledger' AND from_hour = 0");

    assertThatThrownBy(() -> LedgerSchema.verify(session))
        .hasMessageContaining("hash other over 2048 shards (expected:");
  }

  @Test
  void layoutChangesOnlyForHoursFarEnoughAhead() {
    LayoutChange change = new LayoutChange(session, InstantSource.fixed(NOW));
    long hour = Placement.usageHour(NOW.toEpochMilli());
    Placement more = new Placement(16, Set.of());

    assertThatThrownBy(() -> change.record(hour, more))
        .hasMessage("from hour: " + hour + " (expected: " + (hour + 49) + " or later)");
    LedgerLayout layout = change.record(hour + 49, more);

    assertThat(layout.at(hour + 48)).isEqualTo(PLACEMENT);
    assertThat(layout.at(hour + 49)).isEqualTo(more);
    assertThat(LedgerSchema.verify(session, more)).isEqualTo(layout);
    assertThatThrownBy(() -> change.record(hour + 49, PLACEMENT))
        .hasMessageContaining("(expected: after " + (hour + 49) + ", the newest recorded)");
  }

  @Test
  void layoutDoesNotChangeUnderARunningJob() throws InterruptedException {
    new JobLease(session, new JobLease.Key("cdr", "rating", "owner-1", "job on host")).acquire();
    LayoutChange change = new LayoutChange(session, InstantSource.fixed(NOW));

    assertThatThrownBy(
            () -> change.record(Placement.usageHour(NOW.toEpochMilli()) + 100, PLACEMENT))
        .hasMessageContaining("A job rates topic cdr")
        .hasMessageContaining("job on host");
  }

  @Test
  void absentClusterIsSaidToBeAbsentInTime() throws IOException {
    int freePort;
    try (ServerSocket socket = new ServerSocket(0)) {
      freePort = socket.getLocalPort();
    }
    long before = System.nanoTime();

    assertThatThrownBy(
            () ->
                LedgerSession.open(
                    CassandraExtension.connection("any", freePort, Duration.ofSeconds(10))))
        .isInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("127.0.0.1:" + freePort)
        .hasMessageContaining("./tollgate up");
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void unknownDatacenterIsNamedWithTheKnownOnes() {
    LedgerConnection elsewhere =
        new LedgerConnection(
            CassandraExtension.connection("any").contactPoints(),
            "elsewhere",
            "any_keyspace",
            1,
            Duration.ofSeconds(10),
            null,
            null);

    assertThatThrownBy(() -> LedgerSession.open(elsewhere))
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining("cassandra.datacenter: elsewhere (expected: one of [datacenter1])");
  }

  private static void execute(String statement) {
    session.cql().execute(statement.replaceAll("(ledger_\\w+|job_leases)", KEYSPACE + ".$1"));
  }
}
