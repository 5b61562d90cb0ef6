package io.tollgate.acceptance;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.tollgate.cli.Provision;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rating;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerRepair;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.localstack.LocalStack;
import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.Entry;
import io.tollgate.wire.Receipt.OffsetRange;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.ReceiptCodec;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.roaringbitmap.RoaringBitmap;

/** Does to ledger and topics what nobody should. */
final class Sabotage implements AutoCloseable {
  private static final long HOUR_MILLIS = 3_600_000;

  private final TollgateConfig config;
  private final LedgerSession session;
  private final LedgerLayout layout;
  private final CqlSession cql;
  private final KafkaProducer<byte[], byte[]> producer;
  private final List<Charge> charges = new ArrayList<>();

  Sabotage(Installation installation, LocalStack stack) {
    config = installation.config();
    session = LedgerSession.open(Provision.connection(config));
    layout = LedgerSchema.verify(session);
    String address = stack.cassandraContactPoint();
    int colon = address.lastIndexOf(':');
    cql =
        CqlSession.builder()
            .addContactPoint(
                new InetSocketAddress(
                    address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))))
            .withLocalDatacenter(stack.cassandraDatacenter())
            .withKeyspace(config.cassandra().keyspace())
            .build();
    producer =
        new KafkaProducer<>(
            config.kafka().clientProperties(),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    new LedgerReader(session, layout, ReadLimit.of(Duration.ofMinutes(1)))
        .all()
        .forEachRemaining(charges::add);
    charges.sort(Comparator.comparing((Charge charge) -> charge.cdr().eventId()));
  }

  /** Returns one of the charges that were there at first. */
  Charge charge(int index) {
    return charges.get(index);
  }

  /** Empties the ledger, as if its disks were gone: not even tombstones are left. */
  void loseEverything() {
    cql.execute(SimpleStatement.newInstance("TRUNCATE charges").setTimeout(Duration.ofMinutes(1)));
  }

  void delete(Charge charge) {
    cql.execute(
        "DELETE FROM charges WHERE usage_hour = ? AND bucket = ? AND account_id = ? AND event_id ="
            + " ?",
        Math.toIntExact(charge.usageHour()),
        layout.at(charge.usageHour()).bucket(charge.cdr().accountId(), charge.cdr().eventId()),
        charge.cdr().accountId(),
        charge.cdr().eventId());
  }

  private Optional<Charge> read(Charge charge) {
    return new LedgerReader(session, layout, ReadLimit.of(Duration.ofMinutes(1)))
        .find(charge.usageHour(), charge.cdr().accountId(), charge.cdr().eventId(), 0)
        .toCompletableFuture()
        .join();
  }

  /**
   * Returns whether a charge lies in the ledger, in everything but whether it came late: only the
   * job that saw it come knows that.
   */
  boolean holds(Charge charge) {
    return read(charge)
        .filter(
            found ->
                found.cdr().equals(charge.cdr())
                    && found.origin().equals(charge.origin())
                    && found.rating().equals(charge.rating()))
        .isPresent();
  }

  /** Returns what is owed for a charge: the amount of its newest revision. */
  BigDecimal owed(Charge charge) {
    Iterator<Charge> rows =
        new LedgerReader(session, layout, ReadLimit.of(Duration.ofMinutes(1)))
            .account(charge.cdr().accountId(), charge.usageHour(), charge.usageHour() + 1);
    Charge newest = null;
    while (rows.hasNext()) {
      Charge row = rows.next();
      if (row.cdr().eventId().equals(charge.cdr().eventId())) {
        newest = row;
      }
    }
    return Objects.requireNonNull(newest, "no row").rating().amount();
  }

  void insert(Charge charge) {
    if (!new LedgerRepair(session, layout).writeIfAbsent(charge)) {
      throw new IllegalStateException("there is a row already: " + charge.cdr());
    }
  }

  void replace(Charge before, Charge after) {
    delete(before);
    insert(after);
  }

  void control(ControlTotal total) throws InterruptedException {
    send(config.kafka().topics().control(), total.source(), ControlMessage.encode(total));
  }

  void garbage() throws InterruptedException {
    send(
        config.kafka().topics().control(),
        "x",
        "{\"kind\": \"total\", \"records\": -5".getBytes(StandardCharsets.UTF_8));
  }

  void receipt(Receipt receipt) throws InterruptedException {
    send(
        config.kafka().topics().receipts(),
        ReceiptCodec.key(receipt.source(), receipt.batch()),
        new ReceiptCodec().encode(receipt));
  }

  private void send(String topic, String key, byte[] value) throws InterruptedException {
    try {
      producer.send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value)).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  static Receipt duplicateOfNothing(String source, String batch) {
    Entry entry =
        new Entry(
            0,
            0,
            0,
            Outcome.DUPLICATE,
            Reason.SAME_CONTENT,
            false,
            "no-such-account",
            "no-such-event",
            1,
            UsageType.VOICE,
            Instant.now().toEpochMilli(),
            1);
    return new Receipt(source, batch, 1, List.of(), List.of(entry));
  }

  static Receipt ratedWithoutRow(String source, String batch, long usageHour) {
    RatedSet set =
        new RatedSet(usageHour, 0, RoaringBitmap.bitmapOf(0), List.of(new OffsetRange(0, 0, 0)));
    return new Receipt(source, batch, 1, List.of(set), List.of());
  }

  /** Returns an answered call of a minute that began a day ago. */
  static Cdr call(String eventId) {
    return call(eventId, Instant.now().minus(Duration.ofDays(1)));
  }

  /** Returns an answered call of a minute. */
  static Cdr call(String eventId, Instant start) {
    return new Cdr(
        eventId,
        "account-1",
        UsageType.VOICE,
        "+4930111",
        "+4930222",
        start.toEpochMilli(),
        3_600,
        60_000,
        "ANSWERED",
        Map.of(),
        "",
        "");
  }

  static Charge withAmount(Charge charge, BigDecimal amount) {
    Rating.Priced rating = charge.rating();
    return with(
        charge,
        charge.cdr(),
        charge.origin(),
        new Rating.Priced(
            rating.plan(),
            rating.tariffVersion(),
            rating.prefix(),
            rating.destination(),
            rating.chargedUsage(),
            rating.steps(),
            rating.unroundedAmount(),
            amount,
            rating.currency()));
  }

  /** Changes the usage and not the fingerprint. */
  static Charge withUsage(Charge charge, long usage) {
    Cdr cdr = charge.cdr();
    Cdr longer = cdr(cdr, cdr.eventId(), cdr.accountId(), cdr.startMillis(), usage);
    return new Charge(
        longer,
        charge.fingerprint(),
        charge.origin(),
        charge.late(),
        charge.rating(),
        charge.revision());
  }

  /** Another event, said to come from a batch that never was. */
  static Charge inBatch(Charge charge, String eventId, String source, long seq) {
    Cdr cdr = charge.cdr();
    Origin origin = charge.origin();
    return with(
        charge,
        cdr(cdr, eventId, cdr.accountId(), cdr.startMillis(), cdr.usage()),
        new Origin(source, "b", seq, origin.partition(), origin.offset(), origin.appendMillis()),
        charge.rating());
  }

  /** The same record charged to another account. */
  static Charge ofAccount(Charge charge, String accountId) {
    Cdr cdr = charge.cdr();
    return with(
        charge,
        cdr(cdr, cdr.eventId(), accountId, cdr.startMillis(), cdr.usage()),
        charge.origin(),
        charge.rating());
  }

  /** The same record charged to another account, in the same partition of the ledger. */
  Charge twinBeside(Charge charge) {
    Cdr cdr = charge.cdr();
    Placement placement = layout.at(charge.usageHour());
    int bucket = placement.bucket(cdr.accountId(), cdr.eventId());
    int number = 0;
    while (placement.bucket(cdr.accountId() + "-twin-" + number, cdr.eventId()) != bucket) {
      number++;
    }
    return ofAccount(charge, cdr.accountId() + "-twin-" + number);
  }

  /** The same record charged in another hour as well. */
  static Charge hoursLater(Charge charge, int hours) {
    Cdr cdr = charge.cdr();
    return with(
        charge,
        cdr(
            cdr,
            cdr.eventId(),
            cdr.accountId(),
            cdr.startMillis() + hours * HOUR_MILLIS,
            cdr.usage()),
        charge.origin(),
        charge.rating());
  }

  private static Cdr cdr(Cdr cdr, String eventId, String accountId, long startMillis, long usage) {
    return new Cdr(
        eventId,
        accountId,
        cdr.usageType(),
        cdr.calling(),
        cdr.called(),
        startMillis,
        cdr.utcOffsetSeconds(),
        usage,
        cdr.cause(),
        cdr.attributes(),
        cdr.callingOriginal(),
        cdr.calledOriginal());
  }

  private static Charge with(Charge charge, Cdr cdr, Origin origin, Rating.Priced rating) {
    return new Charge(
        cdr, ContentFingerprint.of(cdr), origin, charge.late(), rating, charge.revision());
  }

  @Override
  public void close() {
    producer.close();
    cql.close();
    session.close();
  }
}
