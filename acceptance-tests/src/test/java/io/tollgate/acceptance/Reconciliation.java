package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.cli.Provision;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.LoadSummary;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.localstack.LocalStack;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** What a test of reconciliation sends, waits for, and answers. */
final class Reconciliation {
  static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Cycles of three seconds, in which everything is read again soon. */
  static final String SETTINGS =
      """
      reconcile:
        interval: 3s
        missed_cycles: 20
        stop_job: false
        sweep: 3s
        verify_again: 6s
      ledger:
        buckets: 4
      """;

  private static final int RECORDS = 5_000;

  private final Installation installation;
  private final LocalStack stack;

  Reconciliation(Installation installation, LocalStack stack) {
    this.installation = installation;
    this.stack = stack;
  }

  /**
   * A difference that must halt.
   *
   * @param how its resolution
   * @param names what its description must contain
   */
  record Expected(DifferenceKind kind, String how, List<String> names) {
    static Expected of(DifferenceKind kind, String how, String... names) {
      return new Expected(kind, how, List.of(names));
    }

    private boolean matches(Difference difference) {
      return kind.name().equals(difference.kind())
          && names.stream().allMatch(difference.description()::contains);
    }
  }

  /** As {@link #halted}, and waits until everything balances again. */
  void found(Expected... differences) {
    halted(differences);
    awaitBalanced();
  }

  /**
   * Waits until each of these differences has halted and nothing else has, and resolves them as
   * they are found.
   */
  void halted(Expected... differences) {
    List<Expected> missing = new ArrayList<>(List.of(differences));
    await("halts because of " + missing)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptionsMatching(Exception.class::isInstance)
        .until(
            () -> {
              for (RecordedHalt halt : openHalts()) {
                Difference difference = halt.halt().differences().get(0);
                Expected found =
                    missing.stream()
                        .filter(each -> each.matches(difference))
                        .findFirst()
                        .orElseThrow(
                            () ->
                                new AssertionError(
                                    "not expected: " + difference + " (expected: " + missing));
                acknowledge(halt, found.how());
                missing.remove(found);
              }
              return missing.isEmpty();
            });
  }

  void sendBatch(String source, int records, long claimed) throws Exception {
    sendBatch(source, records, claimed, 60_000L * records);
  }

  /** Sends calls of a minute, and a control total that may claim something else. */
  void sendBatch(String source, int records, long claimed, long usage) throws Exception {
    try (WatchedOutbox outbox = installation.outbox()) {
      BatchAnnounced batch = batch(source, source + ".csv");
      Map<Integer, Long> offsets = sendCalls(outbox, batch, IntStream.range(0, records));
      outbox.close(total(batch, claimed, usage, offsets));
    }
  }

  /** Sends a file of ten calls of a minute with its control total. */
  void sendFile(String source, String file) throws Exception {
    BatchAnnounced batch = batch(source, file);
    try (WatchedOutbox outbox = installation.outbox()) {
      Map<Integer, Long> offsets = sendCalls(outbox, batch, IntStream.range(0, 10));
      outbox.close(total(batch, 10, 60_000L * 10, offsets));
    }
  }

  static BatchAnnounced batch(String source, String file) {
    return new BatchAnnounced(source, file.replace(".csv", ""), file, 0, 1);
  }

  /**
   * Announces a batch and sends calls of a minute; the control total is the caller's.
   *
   * @return the offsets to put there
   */
  static Map<Integer, Long> sendCalls(WatchedOutbox outbox, BatchAnnounced batch, IntStream seqs) {
    String name = batch.source() + "/" + batch.batch() + "/";
    return sendCalls(outbox, batch, seqs, seq -> Sabotage.call(name + seq));
  }

  /** As the other one, with the calls that {@code call} makes of batch-seqs. */
  static Map<Integer, Long> sendCalls(
      WatchedOutbox outbox, BatchAnnounced batch, IntStream seqs, IntFunction<Cdr> call) {
    outbox.announce(batch);
    seqs.forEach(
        seq ->
            outbox.send(
                new OutgoingRecord(seq, "", new OutgoingRecord.Good(call.apply(seq), false))));
    return outbox.awaitAcknowledged();
  }

  static ControlTotal total(
      BatchAnnounced batch, long records, long usage, Map<Integer, Long> offsets) {
    return new ControlTotal(
        batch.source(),
        batch.batch(),
        batch.file(),
        records,
        0,
        Map.of(UsageType.VOICE, usage),
        offsets);
  }

  /**
   * Sends a load with 5 % duplicates, and some that conflict, wait for a price, are late or bad.
   */
  LoadSummary sendLoad(long seed, String source) throws Exception {
    try (WatchedOutbox outbox = installation.outbox()) {
      CdrGenerator generator =
          new CdrGenerator(
              GeneratorSettings.clean(RECORDS, 500, seed)
                  .withShares(50_000, 5_000, 25_000, 10_000, 5_000));
      return new OutboxLoad(generator, source, 500).send(outbox, Progress.NONE);
    }
  }

  List<RecordedHalt> openHalts() throws InterruptedException {
    try (LedgerSession session = LedgerSession.open(Provision.connection(installation.config()))) {
      return new HaltLog(session).open();
    }
  }

  RecordedHalt awaitHalt(DifferenceKind kind, String name) {
    return await("a halt because of " + kind + " of " + name)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .until(
            () ->
                openHalts().stream()
                    .filter(halt -> halt.halt().differences().get(0).kind().equals(kind.name()))
                    .findFirst()
                    .orElse(null),
            halt -> halt != null);
  }

  void acknowledge(RecordedHalt halt, String how) {
    installation.tollgate(
        "halt", "acknowledge", halt.halt().id(), "--resolve", how, "--reason", "a test");
  }

  void awaitDifference(DifferenceKind kind) {
    await("a difference " + kind)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              List<String> found = new ArrayList<>();
              query(
                  "SELECT items FROM differences WHERE kind = '" + kind + "'",
                  row -> found.add(row.getString(1)));
              assertThat(found).isNotEmpty();
            });
  }

  void awaitBalanced() {
    awaitBalanced(1);
  }

  void awaitBalanced(int atLeast) {
    await("everything is balanced, nothing open")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(() -> assertBalanced(atLeast));
  }

  /** What a forged receipt says of the source {@code liar} stays open, as nobody closes it. */
  void assertBalanced(int atLeast) throws SQLException {
    Map<String, Integer> states = new HashMap<>();
    List<String> open = new ArrayList<>();
    query(
        "SELECT state, waiting_for, source, batch FROM batches WHERE source <> 'liar'",
        row -> {
          states.merge(row.getString(1), 1, Integer::sum);
          if (!row.getString(1).equals("BALANCED")) {
            open.add(row.getString(3) + " waits for " + row.getString(2));
          }
        });
    assertThat(states).as(open.toString()).containsOnlyKeys("BALANCED");
    assertThat(states.get("BALANCED")).isGreaterThanOrEqualTo(atLeast);
    List<String> differences = new ArrayList<>();
    query(
        "SELECT kind, items FROM differences WHERE status IN ('CONFIRMED', 'RESOLVING')",
        row -> differences.add(row.getString(1) + " " + row.getString(2)));
    assertThat(differences).isEmpty();
    List<String> partitions = new ArrayList<>();
    query(
        "SELECT usage_hour, bucket FROM partitions WHERE state <> 'BALANCED'",
        row -> partitions.add(row.getString(1) + "/" + row.getString(2)));
    assertThat(partitions).isEmpty();
  }

  interface RowUse {
    void of(ResultSet row) throws SQLException;
  }

  void query(String sql, RowUse use) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                installation.config().postgres().url(), stack.postgresUser(), "");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        use.of(rows);
      }
    }
  }
}
