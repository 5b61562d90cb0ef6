package io.tollgate.rating.receipts;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.rating.Result;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.Entry;
import io.tollgate.wire.Receipt.OffsetRange;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.ReceiptCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/** Collects outcomes between two barriers and makes receipts of them, one batch at a time. */
public final class ReceiptCollector {
  /** Most batch-seqs in one message. */
  static final int MAX_SEQS = 1_000_000;

  /** Most entries in one message: at 200 bytes each it stays below Kafka's default of 1 MiB. */
  static final int MAX_ENTRIES = 4_000;

  private final ReceiptCodec codec = new ReceiptCodec();
  private final Map<String, OfBatch> batches = new LinkedHashMap<>();

  /** Adds the outcome of one record. */
  public void add(Result result) {
    Origin origin = result.origin();
    OfBatch batch = batch(origin.source(), origin.batch(), result.tariffVersion());
    Charge charge = result.charge();
    if (charge != null && !charge.late()) {
      batch.rated(charge.usageHour(), origin);
    } else {
      batch.entries.add(entry(result));
    }
  }

  /** Unites a receipt with what was collected. */
  public void unite(Receipt receipt) {
    OfBatch batch = batch(receipt.source(), receipt.batch(), receipt.tariffVersion());
    for (RatedSet set : receipt.rated()) {
      batch.rated(set);
    }
    batch.entries.addAll(receipt.entries());
  }

  /** Hands out everything collected and starts anew. */
  public void drain(Consumer<ReceiptPart> out) {
    batches.forEach(
        (key, batch) ->
            batch.receipts(receipt -> out.accept(new ReceiptPart(key, codec.encode(receipt)))));
    batches.clear();
  }

  private OfBatch batch(String source, String batch, long tariffVersion) {
    OfBatch found =
        batches.computeIfAbsent(
            ReceiptCodec.key(source, batch), key -> new OfBatch(source, batch, tariffVersion));
    found.tariffVersion = Math.min(found.tariffVersion, tariffVersion);
    return found;
  }

  private static Entry entry(Result result) {
    Reason reason = result.reason();
    Cdr cdr = result.cdr();
    Origin origin = result.origin();
    return new Entry(
        origin.batchSeq(),
        origin.partition(),
        origin.offset(),
        reason == null ? Outcome.RATED : reason.outcome(),
        reason,
        result.late(),
        cdr == null ? "" : cdr.accountId(),
        cdr == null ? "" : cdr.eventId(),
        result.fingerprint(),
        cdr == null ? null : cdr.usageType(),
        cdr == null ? 0 : cdr.startMillis(),
        cdr == null ? 0 : cdr.usage());
  }

  /** What was collected of one batch. */
  private static final class OfBatch {
    private final String source;
    private final String batch;
    private final Map<Long, OfHour> hours = new TreeMap<>();
    private final List<Entry> entries = new ArrayList<>();
    private long tariffVersion;

    OfBatch(String source, String batch, long tariffVersion) {
      this.source = source;
      this.batch = batch;
      this.tariffVersion = tariffVersion;
    }

    void rated(long usageHour, Origin origin) {
      OfHour hour = hours.computeIfAbsent(usageHour, h -> new OfHour());
      hour.seqs.add((int) origin.batchSeq());
      hour.span(new OffsetRange(origin.partition(), origin.offset(), origin.offset()));
    }

    void rated(RatedSet set) {
      OfHour hour = hours.computeIfAbsent(set.usageHour(), h -> new OfHour());
      hour.seqs.or(set.batchSeqs());
      set.offsets().forEach(hour::span);
    }

    /** Splits what is too large for one message. */
    void receipts(Consumer<Receipt> out) {
      List<RatedSet> sets = new ArrayList<>();
      long seqs = 0;
      for (Map.Entry<Long, OfHour> hour : hours.entrySet()) {
        for (RoaringBitmap part : parts(hour.getValue().seqs)) {
          if (seqs + part.getLongCardinality() > MAX_SEQS && !sets.isEmpty()) {
            out.accept(new Receipt(source, batch, tariffVersion, sets, List.of()));
            sets = new ArrayList<>();
            seqs = 0;
          }
          sets.add(new RatedSet(hour.getKey(), part, hour.getValue().ranges()));
          seqs += part.getLongCardinality();
        }
      }
      int from = 0;
      do {
        int to = Math.min(entries.size(), from + MAX_ENTRIES);
        out.accept(
            new Receipt(
                source, batch, tariffVersion, sets, List.copyOf(entries.subList(from, to))));
        sets = List.of();
        from = to;
      } while (from < entries.size());
    }

    private static List<RoaringBitmap> parts(RoaringBitmap seqs) {
      if (seqs.getLongCardinality() <= MAX_SEQS) {
        return List.of(seqs);
      }
      List<RoaringBitmap> parts = new ArrayList<>();
      RoaringBitmap part = new RoaringBitmap();
      PeekableIntIterator each = seqs.getIntIterator();
      while (each.hasNext()) {
        part.add(each.next());
        if (part.getLongCardinality() == MAX_SEQS) {
          parts.add(part);
          part = new RoaringBitmap();
        }
      }
      if (!part.isEmpty()) {
        parts.add(part);
      }
      return parts;
    }
  }

  /** Rated records of one usage hour. */
  private static final class OfHour {
    private final RoaringBitmap seqs = new RoaringBitmap();
    private final Map<Integer, OffsetRange> rangeByPartition = new TreeMap<>();

    void span(OffsetRange range) {
      rangeByPartition.merge(range.partition(), range, OffsetRange::unite);
    }

    List<OffsetRange> ranges() {
      return List.copyOf(rangeByPartition.values());
    }
  }
}
