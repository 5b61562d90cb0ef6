package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.cli.Provision;
import io.tollgate.cli.Tollgate;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.localstack.CommandResult;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Rating and reconciliation on the real stack: clean load balances, and everything that is done to
 * the ledger or to the sources behind their backs is found, named, and got out of.
 */
class ReconcileITCase {
  private static final int RECORDS = 5_000;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final BigDecimal ONE = BigDecimal.ONE;
  private static final String SETTINGS =
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

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private Installation installation;

  @AfterEach
  void cancelJobs() throws Exception {
    if (installation != null) {
      installation.cancelAll();
    }
  }

  @Test
  void findsWhatIsDoneBehindItsBack() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "sabotage", SETTINGS);
    installation.submit(List.of(), "--fresh");
    installation.submitReconcile(List.of());
    sendLoad(1, "clean");
    awaitBalanced();
    assertThat(openHalts()).isEmpty();

    try (Sabotage sabotage = new Sabotage(installation, STACK.stack())) {
      Charge deleted = sabotage.charge(0);
      sabotage.delete(deleted);
      RecordedHalt missing = awaitHalt(DifferenceKind.MISSING_ROW, deleted.cdr().accountId());
      assertThat(explain(deleted.origin().batch()))
          .contains("batch-seq " + deleted.origin().batchSeq())
          .contains("at " + deleted.origin().partition() + ":" + deleted.origin().offset())
          .contains("event " + deleted.cdr().eventId())
          .contains("receipt   RATED, hour " + UsageHours.text(deleted.usageHour()))
          .contains("it was charged, and its row was removed or never written")
          .doesNotContain("could not be asked");
      assertThat(explain(UsageHours.text(deleted.usageHour())))
          .contains("differ", "its row was removed or never written");
      acknowledge(missing, "repair");
      awaitBalanced();
      assertThat(sabotage.read(deleted)).contains(deleted);

      Charge dearer = sabotage.charge(1);
      sabotage.replace(dearer, Sabotage.withAmount(dearer, dearer.rating().amount().add(ONE)));
      found(
          DifferenceKind.CHANGED_AMOUNT,
          "rerate",
          dearer.cdr().accountId(),
          dearer.cdr().eventId());

      Charge longer = sabotage.charge(2);
      sabotage.replace(longer, Sabotage.withUsage(longer, longer.cdr().usage() + 1_000));
      found(
          DifferenceKind.CHANGED_CONTENT,
          "rerate",
          longer.cdr().accountId(),
          longer.cdr().eventId());

      sabotage.insert(Sabotage.inBatch(sabotage.charge(3), "nobody/1", "nobody", 0));
      found(DifferenceKind.SURPLUS_ROW, "void", "nobody/1");

      Charge once = sabotage.charge(4);
      sabotage.insert(Sabotage.ofAccount(once, once.cdr().accountId() + "-twin"));
      found(DifferenceKind.SURPLUS_ROW, "void", once.cdr().accountId() + "-twin");

      Charge early = sabotage.charge(5);
      sabotage.insert(Sabotage.hoursLater(early, 30));
      found(DifferenceKind.SURPLUS_ROW, "void", early.cdr().eventId());

      // The same record charged to two accounts whose rows lie side by side.
      Charge neighbour = sabotage.charge(6);
      Charge twin = sabotage.twinBeside(neighbour);
      sabotage.insert(twin);
      found(DifferenceKind.DOUBLE_CHARGE, "void", neighbour.origin().batch());
      assertThat(sabotage.owed(twin)).isEqualByComparingTo("0");
      assertThat(sabotage.owed(neighbour)).isEqualByComparingTo(neighbour.rating().amount());

      sendBatch("too-high", 10, 11);
      found(DifferenceKind.MISSING_OUTCOME, "write-off", "too-high", "10");
      assertThat(explain("b"))
          .contains("control total: 11 records", "none for batch-seqs 10")
          .contains("the topic ends with batch-seq 9");
      sendBatch("too-low", 10, 9);
      found(DifferenceKind.SURPLUS_OUTCOME, "write-off", "too-low", "9");
      sendBatch("nonsense", 10, 1_000_000);
      found(DifferenceKind.MISSING_OUTCOME, "write-off", "nonsense", "10-999999");
      sendBatch("wrong-usage", 10, 10, 12_345);
      found(DifferenceKind.USAGE_MISMATCH, "write-off", "wrong-usage");
      sendBatch("changing", 10, 10);
      awaitBalanced();
      sabotage.control(total("changing", 12, 60_000 * 10));
      found(DifferenceKind.CONTRADICTING_TOTALS, "write-off", "changing");

      sabotage.receipt(Sabotage.duplicateOfNothing("liar", "b"));
      found(DifferenceKind.DUPLICATE_WITHOUT_ROW, "write-off", "liar", "no-such-event");
      sabotage.receipt(Sabotage.ratedWithoutRow("liar", "c", once.usageHour()));
      found(DifferenceKind.MISSING_ROW, "write-off", "liar");

      // What is owed is right again, beside the rows that were changed.
      assertThat(sabotage.owed(dearer)).isEqualByComparingTo(dearer.rating().amount());
      assertThat(sabotage.owed(longer)).isEqualByComparingTo(longer.rating().amount());

      sabotage.garbage();
      awaitDifference(DifferenceKind.UNREADABLE_CONTROL);
      assertThat(openHalts()).as("garbage is told, and halts nobody").isEmpty();
    }
  }

  @Test
  void stopsTheRatingJobWithASavepointFromWhichItGoesOn() throws Exception {
    installation =
        new Installation(
            STACK.stack(),
            STACK.folder(),
            "stopping",
            SETTINGS.replace("stop_job: false", "stop_job: true"));
    String rating = installation.submit(List.of(), "--fresh");
    installation.submitReconcile(List.of());
    sendLoad(1, "first");
    awaitBalanced(10);
    try (Sabotage sabotage = new Sabotage(installation, STACK.stack())) {
      Charge deleted = sabotage.charge(0);
      sabotage.delete(deleted);
      RecordedHalt halt = awaitHalt(DifferenceKind.MISSING_ROW, deleted.cdr().accountId());
      installation.awaitState(rating, "FINISHED");
      String savepoint =
          await("the savepoint of halt " + halt.halt().id())
              .atMost(PATIENCE)
              .ignoreExceptions()
              .until(() -> openHalts().get(0).savepoints().get(0).path(), path -> true);

      CommandResult refused = installation.flinkRun(List.of("-s", savepoint));
      assertThat(refused.exitCode()).isNotZero();
      assertThat(refused.output()).contains(halt.halt().id(), "halt status");

      acknowledge(halt, "repair");
      installation.submit(List.of("-s", savepoint));
      sendLoad(2, "second");
      awaitBalanced(20);
      assertThat(sabotage.read(deleted)).contains(deleted);
    }
  }

  @Test
  void haltsForNothingThatIsOnlyLateOrRepeated() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "twins", SETTINGS);
    String rating = installation.submit(List.of(), "--fresh");
    String reconcile = installation.submitReconcile(List.of());
    sendLoad(1, "first");
    awaitBalanced(10);
    String savepoint = installation.stop(rating);

    sendLoad(2, "second");
    // Every record again from another source: all of them repeats.
    sendLoad(1, "copy");
    rating = installation.submit(List.of("-s", savepoint));
    STACK.stack().taskManager(1).kill();
    STACK.stack().taskManager(1).start();
    awaitBalanced(30);

    // From the older savepoint everything since is read, written and receipted again.
    installation.cancel(rating);
    rating = installation.submit(List.of("-s", savepoint));
    installation.cancel(reconcile);
    sendLoad(3, "third");
    installation.submitReconcile(List.of());
    awaitBalanced(40);

    installation.cancel(rating);
    installation.submit(List.of(), "--fresh");
    sendLoad(4, "fourth");
    awaitBalanced(50);
    try (LedgerSession session = LedgerSession.open(Provision.connection(installation.config()))) {
      assertThat(new HaltLog(session).halts()).isEmpty();
    }
  }

  /** The difference halts, names the culprit, is resolved, and everything balances again. */
  private void found(DifferenceKind kind, String how, String... names) throws InterruptedException {
    RecordedHalt halt = awaitHalt(kind, names[0]);
    assertThat(halt.halt().differences().get(0).description()).contains(names);
    acknowledge(halt, how);
    awaitBalanced();
  }

  private void sendBatch(String source, int records, long claimed) throws Exception {
    sendBatch(source, records, claimed, 60_000L * records);
  }

  /** Sends calls of a minute, and a control total that may claim something else. */
  private void sendBatch(String source, int records, long claimed, long usage) throws Exception {
    try (WatchedOutbox outbox = installation.outbox()) {
      outbox.announce(new BatchAnnounced(source, "b", source + ".csv", 0, 1));
      for (int seq = 0; seq < records; seq++) {
        outbox.send(
            new OutgoingRecord(
                seq, "", new OutgoingRecord.Good(Sabotage.call(source + "/" + seq), false)));
      }
      Map<Integer, Long> offsets = outbox.awaitAcknowledged();
      outbox.close(
          new ControlTotal(
              source, "b", source + ".csv", claimed, 0, Map.of(UsageType.VOICE, usage), offsets));
    }
  }

  private static ControlTotal total(String source, long records, long usage) {
    return new ControlTotal(
        source, "b", source + ".csv", records, 0, Map.of(UsageType.VOICE, usage), Map.of());
  }

  private void sendLoad(long seed, String source) throws Exception {
    try (WatchedOutbox outbox = installation.outbox()) {
      CdrGenerator generator =
          new CdrGenerator(
              GeneratorSettings.clean(RECORDS, 500, seed).withShares(250, 25, 125, 50, 25));
      new OutboxLoad(generator, source, 500).send(outbox, Progress.NONE);
    }
  }

  private List<RecordedHalt> openHalts() throws InterruptedException {
    try (LedgerSession session = LedgerSession.open(Provision.connection(installation.config()))) {
      return new HaltLog(session).open();
    }
  }

  private RecordedHalt awaitHalt(DifferenceKind kind, String name) {
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

  private void acknowledge(RecordedHalt halt, String how) {
    StringWriter output = new StringWriter();
    int exitCode =
        Tollgate.commandLine()
            .setOut(new PrintWriter(output))
            .setErr(new PrintWriter(output))
            .execute(
                "halt",
                "acknowledge",
                halt.halt().id(),
                "--resolve",
                how,
                "--reason",
                "a test",
                "--config",
                installation.configFile().toString());
    assertThat(exitCode).as(output.toString()).isZero();
  }

  private String explain(String what) {
    StringWriter output = new StringWriter();
    int exitCode =
        Tollgate.commandLine()
            .setOut(new PrintWriter(output))
            .setErr(new PrintWriter(output))
            .execute(
                "reconcile", "explain", what, "--config", installation.configFile().toString());
    assertThat(exitCode).as(output.toString()).isZero();
    return output.toString();
  }

  private void awaitDifference(DifferenceKind kind) {
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

  private void awaitBalanced() {
    awaitBalanced(1);
  }

  private void awaitBalanced(int atLeast) {
    await("everything is balanced, nothing open")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              Map<String, Integer> states = new HashMap<>();
              List<String> open = new ArrayList<>();
              query(
                  "SELECT state, waiting_for, source, batch FROM batches"
                      + " WHERE source NOT IN ('liar')",
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
                  "SELECT kind, items, expected, found, status FROM differences WHERE status IN"
                      + " ('CONFIRMED', 'RESOLVING')",
                  row -> differences.add(row.getString(1) + " " + row.getString(2)));
              assertThat(differences).isEmpty();
              List<String> partitions = new ArrayList<>();
              query(
                  "SELECT usage_hour, bucket, state FROM partitions WHERE state <> 'BALANCED'",
                  row -> partitions.add(row.getString(1) + "/" + row.getString(2)));
              assertThat(partitions).isEmpty();
            });
  }

  private interface RowUse {
    void of(ResultSet row) throws SQLException;
  }

  private void query(String sql, RowUse use) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                installation.config().postgres().url(), STACK.stack().postgresUser(), "");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        use.of(rows);
      }
    }
  }
}
