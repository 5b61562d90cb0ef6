package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.cli.Provision;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.LedgerWriter;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.ledger.WriterMetrics;
import io.tollgate.ledger.WriterSettings;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.localstack.CommandResult;
import io.tollgate.localstack.LocalStack;
import io.tollgate.localstack.Server;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Whatever comes late, twice, in another order or after a fault is no difference: nothing halts,
 * every hour settles, and what is settled is what the ledger says is owed.
 */
class CalmITCase {
  private static final int CYCLES_MISSED = 5;

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private Installation installation;
  private Reconciliation reconciliation;
  private Settling settling;

  @AfterEach
  void cancelJobs() throws Exception {
    if (installation != null) {
      installation.cancelAll();
    }
  }

  @Test
  void haltsForNothingAndSettlesWhatIsOwed() throws Exception {
    LocalStack stack = STACK.stack();
    installation =
        new Installation(
            stack,
            STACK.folder(),
            "calm",
            Reconciliation.SETTINGS.replace("reconcile:\n", "reconcile:\n  settle_after: 5s\n"));
    reconciliation = new Reconciliation(installation, stack);
    settling = new Settling(installation, reconciliation);
    String rating = installation.submit(List.of(), "--fresh");
    String reconcile = installation.submitReconcile(List.of());

    // 5 % duplicates are in every load.
    reconciliation.sendLoad(1, "first");
    sendReversed();
    sendSharingHalf();
    sendAgainAfterThreeMonths();
    sendThreeHoursLate();
    reconciliation.awaitBalanced(19);

    // A crash right after something was settled, before the checkpoint that knows of it.
    awaitSettlement();
    crash(stack.taskManager(1));
    crash(stack.taskManager(2));
    reconciliation.sendLoad(1, "copy");
    rewriteAsAZombieWould();
    reconciliation.awaitBalanced(29);

    // Away for some cycles, and behind when it comes back.
    String savepoint = installation.stop(rating);
    reconciliation.sendLoad(2, "second");
    awaitCycles(CYCLES_MISSED);
    rating = installation.submit(List.of("-s", savepoint));
    stack.postgres().stop();
    reconciliation.sendLoad(3, "third");
    installation.awaitState(rating, "RUNNING");
    installation.awaitCheckpoints(rating, 2);
    awaitStatusWithoutDatabase();
    stack.postgres().start();
    reconciliation.awaitBalanced(49);

    // Everything since that savepoint is read, written and receipted again; then all of it, by a
    // job without state, while reconciliation has lost its own.
    installation.cancel(rating);
    rating = installation.submit(List.of("-s", savepoint));
    installation.cancel(reconcile);
    installation.awaitCheckpoints(rating, 1);
    installation.cancel(rating);
    installation.submit(List.of(), "--fresh");
    installation.submitReconcile(List.of());

    // A new price for suspended records, and another one for what has long been charged.
    Path tariffs = Tariffs.copy(STACK.folder().resolve("calm-tariffs"));
    Tariffs.priceForAll(tariffs);
    installation.tollgate("tariff", "publish", tariffs.toString());
    installation.tollgate("redrive", "suspended");
    Tariffs.raise(tariffs);
    installation.tollgate(
        "tariff", "publish", "--correction", "--reason", "a test", tariffs.toString());
    reconciliation.sendLoad(4, "fourth");
    reconciliation.awaitBalanced(59);

    settling.awaitOwedSettled();
    try (LedgerSession session = session()) {
      assertThat(new HaltLog(session).halts()).isEmpty();
    }
  }

  /** With more partitions, most accounts change theirs: duplicates lie on both sides. */
  @Test
  void partitionsMayBeAdded() throws Exception {
    LocalStack stack = STACK.stack();
    installation = new Installation(stack, STACK.folder(), "wider", Reconciliation.SETTINGS);
    reconciliation = new Reconciliation(installation, stack);
    installation.submit(List.of(), "--fresh");
    installation.submitReconcile(List.of());
    long rated = reconciliation.sendLoad(1, "before").expected(Outcome.RATED);
    doublePartitions();
    reconciliation.sendLoad(1, "copy");
    rated += reconciliation.sendLoad(2, "after").expected(Outcome.RATED);
    reconciliation.awaitBalanced(30);
    assertThat(installation.ledger()).hasSize((int) rated);
    try (LedgerSession session = session()) {
      assertThat(new HaltLog(session).halts()).isEmpty();
    }
  }

  private void doublePartitions() throws Exception {
    String topic = installation.config().kafka().topics().cdr();
    int wanted = installation.config().kafka().partitions() * 2;
    try (Admin admin = Admin.create(installation.config().kafka().clientProperties())) {
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(wanted))).all().get();
      // A producer that sends before each has its log may be refused until it gives up.
      await("all partitions of " + topic)
          .ignoreExceptions()
          .until(
              () -> {
                Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
                for (int partition = 0; partition < wanted; partition++) {
                  ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
                }
                return admin.listOffsets(ends).all().get().size() == wanted;
              });
    }
  }

  /** The last file first, and each control total before its records. */
  private void sendReversed() throws Exception {
    for (int i = 3; i > 0; i--) {
      BatchAnnounced batch = Reconciliation.batch("reversed", "reversed-" + i + ".csv");
      try (WatchedOutbox outbox = installation.outbox()) {
        outbox.close(Reconciliation.total(batch, 10, 60_000L * 10, Map.of()));
        Reconciliation.sendCalls(outbox, batch, IntStream.range(0, 10));
      }
    }
  }

  private void sendSharingHalf() throws Exception {
    Instant start = Instant.now().minus(Duration.ofHours(5));
    sendShared("half-1.csv", 0, start);
    sendShared("half-2.csv", 5, start);
  }

  private void sendAgainAfterThreeMonths() throws Exception {
    Instant start = Instant.now().minus(Duration.ofDays(91));
    sendShared("old-1.csv", 100, start);
    sendShared("old-2.csv", 100, start);
  }

  private void sendThreeHoursLate() throws Exception {
    // Not in the hour that still fills: that would be settled when it is over.
    Instant newest = Instant.now().minus(Duration.ofHours(2));
    sendShared("late-1.csv", 200, newest);
    sendShared("late-2.csv", 300, newest.minus(Duration.ofHours(3)));
  }

  /** Sends ten calls whose ids are numbers from {@code first} on. */
  private void sendShared(String file, int first, Instant start) throws Exception {
    try (WatchedOutbox outbox = installation.outbox()) {
      BatchAnnounced batch = Reconciliation.batch("shared", file);
      Map<Integer, Long> offsets =
          Reconciliation.sendCalls(
              outbox,
              batch,
              IntStream.range(0, 10),
              seq -> Sabotage.call("shared/" + (first + seq), start));
      outbox.close(Reconciliation.total(batch, 10, 60_000L * 10, offsets));
    }
  }

  /** The database is away: cycles go on, and the status says both. */
  private void awaitStatusWithoutDatabase() {
    await("cycles that go on without the database")
        .atMost(Reconciliation.PATIENCE)
        .untilAsserted(
            () -> {
              CommandResult status = installation.tryTollgate("reconcile", "status");
              assertThat(status.exitCode()).isEqualTo(1);
              assertThat(status.output())
                  .contains("UNKNOWN: what was found cannot be asked", "cycles go on");
            });
  }

  private void awaitSettlement() {
    await("something is settled")
        .atMost(Reconciliation.PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptions()
        .until(() -> !settling.settled().isEmpty());
  }

  private static void crash(Server server) {
    server.kill();
    server.start();
  }

  /** Writes every row again, each a millicent dearer, as a writer that opened later. */
  private void rewriteAsAZombieWould() throws Exception {
    try (LedgerSession session = session()) {
      List<Charge> charges = new ArrayList<>();
      reader(session).all().forEachRemaining(charges::add);
      try (LedgerWriter writer =
          LedgerWriter.open(
              session,
              LedgerSchema.verify(session),
              WriterSettings.of(16, 20),
              WriterMetrics.NONE)) {
        for (Charge charge : charges) {
          if (charge.revision() == 0) {
            writer.add(
                Sabotage.withAmount(
                    charge, charge.rating().amount().add(new BigDecimal("0.00001"))));
          }
        }
        writer.flush();
      }
    }
  }

  private void awaitCycles(int more) throws SQLException {
    long now = cycles();
    await(more + " cycles")
        .atMost(Reconciliation.PATIENCE)
        .ignoreExceptions()
        .until(() -> cycles() >= now + more);
  }

  private long cycles() throws SQLException {
    long[] count = {0};
    reconciliation.query("SELECT count(*) FROM cycles", row -> count[0] = row.getLong(1));
    return count[0];
  }

  private LedgerSession session() {
    return LedgerSession.open(Provision.connection(installation.config()));
  }

  private static LedgerReader reader(LedgerSession session) throws InterruptedException {
    return new LedgerReader(
        session, LedgerSchema.verify(session), ReadLimit.of(Duration.ofMinutes(1)));
  }
}
