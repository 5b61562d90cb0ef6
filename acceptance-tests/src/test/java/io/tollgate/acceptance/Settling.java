package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.acceptance.Reconciliation.Expected;
import io.tollgate.cli.Provision;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.rating.Rating;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.OffsetRange;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.tariff.TariffTopic;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/** What settlement is tested with, beside {@link Reconciliation}. */
final class Settling {
  private static final long USAGE = 60_000;

  private final Installation installation;
  private final Reconciliation reconciliation;

  Settling(Installation installation, Reconciliation reconciliation) {
    this.installation = installation;
    this.reconciliation = reconciliation;
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
      BatchAnnounced batch = new BatchAnnounced(source, "b", source + ".csv", 0, 1);
      outbox.announce(batch);
      outbox.close(Reconciliation.total(batch, 1, USAGE, Map.of()));
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

  /** The difference halts and is resolved, and everything balances and settles. */
  void found(Expected difference) throws InterruptedException {
    reconciliation.halted(difference);
    awaitSettled();
    assertThat(reconciliation.openHalts()).isEmpty();
  }

  /** Waits until batches and partitions are balanced and all hours settled. */
  void awaitSettled() {
    await("everything is balanced and settled")
        .atMost(Reconciliation.PATIENCE)
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

  /** Waits until what is settled is what is owed. */
  void awaitOwedSettled() {
    await("what is settled is what is owed")
        .atMost(Reconciliation.PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(settled()).isEqualTo(owed()));
  }

  /** Returns what finance reads, by currency. */
  Map<String, BigDecimal> settled() throws SQLException {
    Map<String, BigDecimal> sums = new TreeMap<>();
    reconciliation.query(
        "SELECT currency, sum(amount) FROM settled_charges GROUP BY currency",
        row -> sums.put(row.getString(1), row.getBigDecimal(2).stripTrailingZeros()));
    return sums;
  }

  /** Returns what the ledger says is owed, by currency. */
  Map<String, BigDecimal> owed() {
    Map<String, Charge> newest = new HashMap<>();
    for (Charge charge : installation.ledger()) {
      newest.merge(
          charge.cdr().accountId() + ":" + charge.cdr().eventId(),
          charge,
          (one, other) -> one.revision() > other.revision() ? one : other);
    }
    Map<String, BigDecimal> sums = new TreeMap<>();
    newest
        .values()
        .forEach(
            charge ->
                sums.merge(charge.rating().currency(), charge.rating().amount(), BigDecimal::add));
    sums.replaceAll((currency, sum) -> sum.stripTrailingZeros());
    return sums;
  }

  private List<String> lines(String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    reconciliation.query(sql, row -> lines.add(row.getString(1)));
    return lines;
  }
}
