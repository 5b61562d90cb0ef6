package io.tollgate.ledger.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.ledger.CassandraExtension;
import io.tollgate.ledger.LedgerSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(CassandraExtension.class)
class HaltLogITCase {
  private static final String KEYSPACE = "gate";
  private static final Instant AT = Instant.parse("2026-03-29T01:00:00Z");
  private static final Instant YEARS_AHEAD = Instant.parse("2036-03-29T01:00:00Z");

  private static LedgerSession session;
  private static HaltLog log;
  private static Heartbeat heartbeat;
  private static GateView view;

  @BeforeAll
  static void open() {
    session = CassandraExtension.newLedger(KEYSPACE);
    log = new HaltLog(session);
    heartbeat = new Heartbeat(session, Heartbeat.RECONCILE);
    view = new GateView(session, Duration.ofSeconds(5));
  }

  @AfterAll
  static void close() {
    session.close();
  }

  @BeforeEach
  void empty() {
    session.cql().execute("DELETE FROM " + KEYSPACE + ".halts WHERE gate = 'rating'");
    session.cql().execute("DELETE FROM " + KEYSPACE + ".heartbeats WHERE role = 'reconcile'");
  }

  @Test
  void nothingIsOpenAtFirst() throws Exception {
    assertThat(read()).isEqualTo(new GateReading(List.of(), OptionalLong.empty()));
    assertThat(log.halts()).isEmpty();
    assertThat(log.open()).isEmpty();
    assertThat(log.find("h-1")).isEmpty();
  }

  @Test
  void raisedHaltIsReadBackAndClosesTheGate() throws Exception {
    Halt halt = halt("h-1", AT, "a", "b");

    assertThat(log.raise(halt)).isTrue();

    assertThat(read().openHalts()).containsExactly("h-1");
    assertThat(log.open()).containsExactly(new RecordedHalt(halt, List.of(), List.of()));
    assertThat(log.halts()).isEqualTo(log.open());
  }

  @Test
  void raisingTheSameIdAgainChangesNothing() throws Exception {
    log.raise(halt("h-1", AT, "a"));
    acknowledge("h-1", "a", AT);

    assertThat(log.raise(halt("h-1", YEARS_AHEAD, "other"))).isFalse();

    assertThat(read().openHalts()).isEmpty();
    assertThat(log.find("h-1").orElseThrow().halt()).isEqualTo(halt("h-1", AT, "a"));
  }

  @Test
  void gateOpensWhenTheLastDifferenceOfTheLastHaltIsResolved() throws Exception {
    log.raise(halt("h-1", AT, "a", "b"));
    log.raise(halt("h-2", AT, "a"));

    acknowledge("h-1", "a", AT);
    assertThat(read().openHalts()).containsExactly("h-1", "h-2");
    acknowledge("h-2", "a", AT);
    assertThat(read().openHalts()).containsExactly("h-1");
    acknowledge("h-1", "b", AT);
    assertThat(read().openHalts()).isEmpty();
    assertThat(log.open()).isEmpty();
    assertThat(log.halts()).extracting(halt -> halt.halt().id()).containsExactly("h-1", "h-2");
  }

  @Test
  void firstResolutionOfADifferenceStands() throws Exception {
    log.raise(halt("h-1", AT, "a", "b"));
    Acknowledgement first = acknowledge("h-1", "a", AT);

    Acknowledgement standing =
        log.acknowledge(
            "h-1", new Acknowledgement("a", Resolution.VOID, "other", "bob", YEARS_AHEAD));

    assertThat(standing).isEqualTo(first);
    assertThat(log.find("h-1").orElseThrow().acknowledgements()).containsExactly(first);
  }

  /** The clock of the one who acknowledges is years ahead of the one who halts next. */
  @Test
  void acknowledgementFromTheFutureDoesNotCoverALaterHalt() throws Exception {
    log.raise(halt("h-1", AT, "a"));
    acknowledge("h-1", "a", YEARS_AHEAD);

    log.raise(halt("h-2", AT, "a"));

    assertThat(read().openHalts()).containsExactly("h-2");
  }

  @Test
  void haltRaisedWhileAnotherIsAcknowledgedStaysOpen() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 20; round++) {
        String earlier = "earlier-" + round;
        String later = "later-" + round;
        log.raise(halt(earlier, AT, "a"));
        List<Callable<Object>> atOnce = new ArrayList<>();
        atOnce.add(() -> acknowledge(earlier, "a", YEARS_AHEAD));
        atOnce.add(() -> log.raise(halt(later, AT, "a")));
        for (Future<Object> done : threads.invokeAll(atOnce)) {
          done.get();
        }
        assertThat(read().openHalts()).as("round %s", round).containsExactly(later);
        acknowledge(later, "a", AT);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void resolutionsOfTheLastTwoDifferencesAtOnceOpenTheGate() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 20; round++) {
        String id = "h-" + round;
        log.raise(halt(id, AT, "a", "b"));
        List<Callable<Object>> atOnce = new ArrayList<>();
        atOnce.add(() -> acknowledge(id, "a", AT));
        atOnce.add(() -> acknowledge(id, "b", AT));
        for (Future<Object> done : threads.invokeAll(atOnce)) {
          done.get();
        }
        assertThat(read().openHalts()).as("round %s", round).isEmpty();
        assertThat(log.find(id).orElseThrow().isOpen()).isFalse();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void unknownHaltAndDifferenceAreRefusedWithTheKnownOnes() throws Exception {
    log.raise(halt("h-1", AT, "a", "b"));

    assertThatThrownBy(() -> acknowledge("h-9", "a", AT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("halt: h-9 (expected: one of './tollgate halt status')");
    assertThatThrownBy(() -> acknowledge("h-1", "c", AT))
        .hasMessage("difference: c (expected: one of halt h-1: [a, b])");
    assertThat(read().openHalts()).containsExactly("h-1");
  }

  @Test
  void largestHaltIsRecordedWholeAndResolved() throws Exception {
    List<Difference> differences = new ArrayList<>();
    for (int i = 0; i < Halt.DIFFERENCES_MAX; i++) {
      differences.add(
          new Difference(
              "%03d %s".formatted(i, "i".repeat(190)),
              "ROW_MISSING",
              "x".repeat(Difference.DESCRIPTION_CHARS_MAX)));
    }
    Halt largest = new Halt("large", "everything is missing", "test", AT, differences);

    log.raise(largest);

    assertThat(read().openHalts()).containsExactly("large");
    assertThat(log.find("large").orElseThrow().halt()).isEqualTo(largest);
    for (Difference difference : differences) {
      assertThat(read().openHalts()).containsExactly("large");
      acknowledge("large", difference.id(), AT);
    }
    assertThat(read().openHalts()).isEmpty();
  }

  @Test
  void firstSavepointOfAJobStands() throws Exception {
    log.raise(halt("h-1", AT, "a"));
    HaltSavepoint first = new HaltSavepoint("job-1", "/savepoints/1", AT);

    assertThat(log.recordSavepoint("h-1", first)).isTrue();
    assertThat(log.recordSavepoint("h-1", new HaltSavepoint("job-1", "/savepoints/2", AT)))
        .isFalse();

    assertThat(log.find("h-1").orElseThrow().savepoints()).containsExactly(first);
  }

  @Test
  void heartbeatOnlyRises() throws Exception {
    assertThat(heartbeat.read()).isEmpty();
    assertThat(heartbeat.beat(7)).isTrue();
    assertThat(heartbeat.beat(7)).isFalse();
    assertThat(heartbeat.beat(6)).isFalse();
    assertThat(read().heartbeat()).hasValue(7);
    assertThat(heartbeat.beat(8)).isTrue();
    assertThat(heartbeat.read()).hasValue(8);
    assertThat(read().heartbeat()).hasValue(8);
    assertThat(new Heartbeat(session, "other").read()).isEmpty();
  }

  private static GateReading read() {
    return view.read().toCompletableFuture().join();
  }

  private static Acknowledgement acknowledge(String halt, String difference, Instant at)
      throws InterruptedException {
    return log.acknowledge(
        halt, new Acknowledgement(difference, Resolution.WRITE_OFF, "accepted", "alice", at));
  }

  private static Halt halt(String id, Instant at, String... differences) {
    return new Halt(
        id,
        "cause of " + id,
        "test",
        at,
        List.of(differences).stream()
            .map(difference -> new Difference(difference, "ROW_MISSING", "row " + difference))
            .toList());
  }
}
