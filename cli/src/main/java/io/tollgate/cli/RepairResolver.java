package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerRepair;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import io.tollgate.wire.BatchRecords;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.ReceiptCodec;
import io.tollgate.wire.SeqText;
import io.tollgate.wire.TopicScan;
import io.tollgate.wire.UnreadableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.roaringbitmap.RoaringBitmap;

/**
 * Writes rows that are lost: reads the records from the topic again, prices them by the pure
 * function, writes each row if it is absent, and reads it back.
 */
final class RepairResolver implements Resolver {
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Duration LONGEST_READ = Duration.ofSeconds(30);

  private final TollgateConfig config;
  private final Supplier<Rater> rater;

  /**
   * Creates the resolver.
   *
   * @param rater the tariff history, read when it is needed
   */
  RepairResolver(TollgateConfig config, Supplier<Rater> rater) {
    this.config = config;
    this.rater = rater;
  }

  @Override
  public Resolution resolution() {
    return Resolution.REPAIR;
  }

  @Override
  public Optional<String> refusal(RecordedHalt halt, Difference difference) {
    return difference.kind().equals(DifferenceKind.MISSING_ROW.name())
        ? Optional.empty()
        : Optional.of(
            difference.kind() + " (expected for repair: " + DifferenceKind.MISSING_ROW + ")");
  }

  @Override
  public List<String> plan(RecordedHalt halt, Difference difference) {
    List<String> plan = new ArrayList<>();
    for (Charge charge : charges(difference)) {
      plan.add(
          "write the row of account "
              + charge.cdr().accountId()
              + ", event "
              + charge.cdr().eventId()
              + ", "
              + charge.rating().amount().toPlainString()
              + " "
              + charge.rating().currency()
              + ", if it is absent");
    }
    return plan;
  }

  @Override
  public void resolve(RecordedHalt halt, Difference difference) {
    List<Charge> charges = charges(difference);
    try (LedgerSession session = LedgerSession.open(Provision.connection(config))) {
      var layout = LedgerSchema.verify(session);
      LedgerRepair repair = new LedgerRepair(session, layout);
      LedgerReader reader = new LedgerReader(session, layout, ReadLimit.of(LONGEST_READ));
      for (Charge charge : charges) {
        repair.writeIfAbsent(charge);
        Cdr cdr = charge.cdr();
        Charge standing =
            reader
                .find(charge.usageHour(), cdr.accountId(), cdr.eventId(), 0)
                .toCompletableFuture()
                .join()
                .orElseThrow(
                    () ->
                        new IllegalStateException(
                            "account "
                                + cdr.accountId()
                                + ", event "
                                + cdr.eventId()
                                + ": written, and not there when read back"));
        if (standing.fingerprint() != charge.fingerprint()) {
          throw new IllegalStateException(
              "account "
                  + cdr.accountId()
                  + ", event "
                  + cdr.eventId()
                  + ": a row with other content stands there (expected: none; look at it with"
                  + " ./tollgate ledger, then void or write off)");
        }
      }
    }
  }

  private List<Charge> charges(Difference difference) {
    io.tollgate.domain.reconcile.Difference found =
        io.tollgate.domain.reconcile.Difference.ofPlace(difference.items());
    RoaringBitmap seqs = SeqText.parse(found.items());
    Map<Integer, BatchRecords.Found> records;
    try (BatchRecords topic =
        new BatchRecords(config.kafka().clientProperties(), config.kafka().topics().cdr())) {
      records =
          topic.find(found.source(), found.batch(), seqs, offsets(found), Long.MAX_VALUE, LONGEST);
    }
    RoaringBitmap absent = seqs.clone();
    records.keySet().forEach(seq -> absent.remove((int) seq));
    if (!absent.isEmpty()) {
      throw new IllegalStateException(
          "batch-seqs "
              + SeqText.parts(absent, 20).get(0)
              + " of source "
              + found.source()
              + ", batch "
              + found.batch()
              + " are not in the topic (expected: still kept; otherwise write off)");
    }
    Rater prices = rater.get();
    List<Charge> charges = new ArrayList<>();
    for (BatchRecords.Found record : new TreeMap<>(records).values()) {
      Rating rating = prices.rate(record.cdr());
      if (!(rating instanceof Rating.Priced priced)) {
        throw new IllegalStateException(
            "account "
                + record.cdr().accountId()
                + ", event "
                + record.cdr().eventId()
                + ": no price ("
                + ((Rating.Unpriced) rating).detail()
                + ")");
      }
      charges.add(
          new Charge(
              record.cdr(),
              ContentFingerprint.of(record.cdr()),
              record.origin(),
              false,
              priced,
              0));
    }
    return charges;
  }

  /** Receipts say in which stretches of the topic the records lie. */
  private Map<Integer, long[]> offsets(io.tollgate.domain.reconcile.Difference found) {
    ReceiptCodec codec = new ReceiptCodec();
    Map<Integer, long[]> offsets = new TreeMap<>();
    TopicScan.read(
        config.kafka().clientProperties(),
        config.kafka().topics().receipts(),
        record -> {
          Receipt receipt;
          try {
            receipt = codec.decode(record.value());
          } catch (UnreadableException e) {
            return; // speaks of nothing that could be found
          }
          if (receipt.source().equals(found.source()) && receipt.batch().equals(found.batch())) {
            receipt
                .rated()
                .forEach(
                    set ->
                        set.offsets()
                            .forEach(
                                range ->
                                    widen(
                                        offsets, range.partition(), range.first(), range.last())));
            receipt
                .entries()
                .forEach(
                    entry -> widen(offsets, entry.partition(), entry.offset(), entry.offset()));
          }
        });
    return offsets;
  }

  private static void widen(Map<Integer, long[]> offsets, int partition, long first, long last) {
    offsets.merge(
        partition,
        new long[] {first, last},
        (one, other) -> new long[] {Math.min(one[0], other[0]), Math.max(one[1], other[1])});
  }
}
