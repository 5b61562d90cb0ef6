package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.cli.Provision;
import io.tollgate.cli.Tollgate;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.localstack.LocalStack;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.OffsetRange;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.tariff.TariffTopic;
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
import java.util.List;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/** What a person sees of reconciliation and settlement, and does about it. */
final class Reconciliation {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long USAGE = 60_000;

  private final Installation installation;
  private final LocalStack stack;

  Reconciliation(Installation installation, LocalStack stack) {
    this.installation = installation;
    this.stack = stack;
  }

  /** Sends a batch of calls of a minute that began a day ago, and its control total. */
  void sendCalls(String source, int calls) throws Exception {
    try (WatchedOutbox outbox = installation.outbox()) {
      outbox.announce(new BatchAnnounced(source, "b", source + ".csv", 0, 1));
      for (int seq = 0; seq < calls; seq++) {
        outbox.send(
            new OutgoingRecord(
                seq, "", new OutgoingRecord.Good(Sabotage.call(source + "/" + seq), false)));
      }
      Map<Integer, Long> offsets = outbox.awaitAcknowledged();
      outbox.close(total(source, calls, offsets));
    }
  }

  private static ControlTotal total(String source, int calls, Map<Integer, Long> offsets) {
    return new ControlTotal(
        source, "b", source + ".csv", calls, 0, Map.of(UsageType.VOICE, USAGE * calls), offsets);
  }

  /**
   * Makes it look as if a second collector with a clock of another zone had delivered a call, and
   * the rating job had charged it: a row, its receipt and a control total that agree.
   */
  Charge chargeAgain(Charge call, String source, int hoursLater, Sabotage sabotage)
      throws Exception {
    Cdr moved = Sabotage.hoursLater(call, hoursLater).cdr();
    Origin origin = call.origin();
    Charge again =
        new Charge(
            moved,
            ContentFingerprint.of(moved),
            new Origin(
                source, "b", 0, origin.partition(), origin.offset(), origin.appendMillis() + 1_000),
            false,
            price(moved),
            0);
    sabotage.insert(again);
    sabotage.receipt(
        new Receipt(
            source,
            "b",
            1,
            List.of(
                new RatedSet(
                    again.usageHour(),
                    bucket(again),
                    RoaringBitmap.bitmapOf(0),
                    List.of(
                        new OffsetRange(origin.partition(), origin.offset(), origin.offset())))),
            List.of()));
    try (WatchedOutbox outbox = installation.outbox()) {
      outbox.announce(new BatchAnnounced(source, "b", source + ".csv", 0, 1));
      outbox.close(total(source, 1, Map.of()));
    }
    return again;
  }

  /** Returns another call under the same key, with everything about it consistent. */
  Charge withCalled(Charge call, String called) {
    Cdr cdr = call.cdr();
    Cdr other =
        new Cdr(
            cdr.eventId(),
            cdr.accountId(),
            cdr.usageType(),
            cdr.calling(),
            called,
            cdr.startMillis(),
            cdr.utcOffsetSeconds(),
            cdr.usage(),
            cdr.cause(),
            cdr.attributes(),
            cdr.callingOriginal(),
            cdr.calledOriginal());
    return new Charge(
        other, ContentFingerprint.of(other), call.origin(), call.late(), price(other), 0);
  }

  private Rating.Priced price(Cdr cdr) {
    TariffTopic tariffs =
        new TariffTopic(
            installation.config().kafka().clientProperties(),
            installation.config().kafka().topics().tariffs());
    return (Rating.Priced) tariffs.read().history().rate(cdr);
  }

  private int bucket(Charge charge) {
    try (LedgerSession session = LedgerSession.open(Provision.connection(installation.config()))) {
      LedgerLayout layout = LedgerSchema.verify(session);
      return layout.at(charge.usageHour()).bucket(charge.cdr().accountId(), charge.cdr().eventId());
    }
  }

  /** The difference halts, names the culprit, is resolved, and everything balances and settles. */
  void found(DifferenceKind kind, String how, String... names) throws InterruptedException {
    RecordedHalt halt = awaitHalt(kind);
    assertThat(halt.halt().differences().get(0).description()).contains(names);
    acknowledge(halt, how);
    awaitSettled();
    assertThat(openHalts()).isEmpty();
  }

  private RecordedHalt awaitHalt(DifferenceKind kind) {
    return await("a halt because of " + kind)
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

  List<RecordedHalt> openHalts() throws InterruptedException {
    try (LedgerSession session = LedgerSession.open(Provision.connection(installation.config()))) {
      return new HaltLog(session).open();
    }
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

  /** Waits until batches and partitions are balanced and all hours settled. */
  void awaitSettled() {
    await("everything is balanced and settled")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(
                      lines(
                          "SELECT source || ' waits for ' || waiting_for FROM batches"
                              + " WHERE state <> 'BALANCED'"))
                  .isEmpty();
              assertThat(
                      lines(
                          "SELECT kind || ' ' || items FROM differences WHERE status IN"
                              + " ('CONFIRMED', 'RESOLVING')"))
                  .isEmpty();
              assertThat(
                      lines(
                          "SELECT source || ' ' || state || ' ' || waiting_for FROM hours"
                              + " WHERE state <> 'SETTLED'"))
                  .isEmpty();
              assertThat(lines("SELECT usage_hour FROM hours")).isNotEmpty();
            });
  }

  /** Returns what finance reads: all charges and their sum. */
  BigDecimal settledAmount() throws SQLException {
    return new BigDecimal(lines("SELECT coalesce(sum(amount), 0) FROM settled_charges").get(0));
  }

  private List<String> lines(String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(
                installation.config().postgres().url(), stack.postgresUser(), "");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return lines;
  }
}
