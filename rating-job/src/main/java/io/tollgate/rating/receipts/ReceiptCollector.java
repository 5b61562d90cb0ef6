package io.tollgate.rating.receipts;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.rating.Result;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.Entry;
import io.tollgate.wire.Receipt.HistoryReach;
import io.tollgate.wire.Receipt.OffsetRange;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.ReceiptCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.roaringbitmap.RoaringBitmap;

/**
 * Collects outcomes between two barriers and makes receipts of them, one batch at a time. No
 * receipt is larger than one message may be: one that Kafka refuses would restart the job for ever.
 */
public final class ReceiptCollector {
  /** Most batch-seqs in one message. */
  static final int MAX_SEQS = 1_000_000;

  /** Most entries in one message. */
  static final int MAX_ENTRIES = 4_000;

  /** Most bytes in one message, by an estimate from above; Kafka's default limit is 1 MiB. */
  static final int MAX_BYTES = 900_000;

  /** Numbers, flags and enum names of an entry at their longest. */
  private static final int ENTRY_BYTES = 120;

  private static final int SET_BYTES = 40;
  private static final int OFFSET_RANGE_BYTES = 25;
  private static final int MAX_BYTES_PER_CHARACTER = 3;

  /** Of all reaches, so that they are merged into one message. */
  private static final String REACHES_KEY = ReceiptCodec.key("", "");

  private final ReceiptCodec codec = new ReceiptCodec();
  private List<HistoryReach> reaches = new ArrayList<>();
  private final Map<BatchId, OfBatch> batches = new LinkedHashMap<>();

  /**
   * Adds the outcome of one record.
   *
   * @param bucket bucket of the row if there is one; of no meaning otherwise
   */
  public void add(Result result, int bucket) {
    Origin origin = result.origin();
    OfBatch batch = batch(origin.source(), origin.batch(), result.tariffVersion());
    Charge charge = result.charge();
    if (charge != null && !charge.late()) {
      batch.rated(new Place(charge.usageHour(), bucket), origin);
    } else {
      batch.entries.add(entry(result));
    }
  }

  /** Adds how far the correction history of a rating subtask went. */
  public void add(HistoryReach reach) {
    reaches.add(reach);
  }

  /** Unites a receipt with what was collected. */
  public void unite(Receipt receipt) {
    reaches.addAll(receipt.reaches());
    if (!receipt.reaches().isEmpty()) {
      return;
    }
    OfBatch batch = batch(receipt.source(), receipt.batch(), receipt.tariffVersion());
    for (RatedSet set : receipt.rated()) {
      batch.rated(set);
    }
    batch.entries.addAll(receipt.entries());
  }

  /** Hands out everything collected and starts anew. */
  public void drain(Consumer<ReceiptPart> out) {
    for (OfBatch batch : batches.values()) {
      String key = ReceiptCodec.key(batch.id.source(), batch.id.batch());
      batch.receipts(receipt -> out.accept(new ReceiptPart(key, codec.encode(receipt))));
    }
    batches.clear();
    if (!reaches.isEmpty()) {
      Receipt receipt = Receipt.ofReaches(reaches);
      out.accept(new ReceiptPart(REACHES_KEY, codec.encode(receipt)));
      reaches = new ArrayList<>();
    }
  }

  private OfBatch batch(String source, String batch, long tariffVersion) {
    OfBatch found =
        batches.computeIfAbsent(new BatchId(source, batch), id -> new OfBatch(id, tariffVersion));
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

  /** Both, because the key that joins them is not unique: ids may contain anything printable. */
  private record BatchId(String source, String batch) {}

  /** A partition of the ledger. */
  private record Place(long usageHour, int bucket) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byHour = Long.compare(usageHour, other.usageHour);
      return byHour != 0 ? byHour : Integer.compare(bucket, other.bucket);
    }
  }

  /** What was collected of one batch. */
  private static final class OfBatch {
    private final BatchId id;
    private final Map<Place, OfPlace> places = new TreeMap<>();
    private final List<Entry> entries = new ArrayList<>();
    private long tariffVersion;

    OfBatch(BatchId id, long tariffVersion) {
      this.id = id;
      this.tariffVersion = tariffVersion;
    }

    void rated(Place where, Origin origin) {
      OfPlace place = places.computeIfAbsent(where, key -> new OfPlace());
      place.seqs.add((int) origin.batchSeq());
      place.span(new OffsetRange(origin.partition(), origin.offset(), origin.offset()));
    }

    void rated(RatedSet set) {
      OfPlace place =
          places.computeIfAbsent(new Place(set.usageHour(), set.bucket()), key -> new OfPlace());
      place.seqs.or(set.batchSeqs());
      set.offsets().forEach(place::span);
    }

    /** Splits what is too large for one message. */
    void receipts(Consumer<Receipt> out) {
      Message message = new Message(this, out);
      places.forEach((place, rated) -> message.addParts(place, rated.seqs, rated.ranges()));
      entries.forEach(message::add);
      message.send();
    }
  }

  /** A receipt that is being filled; sent and begun anew when it is full. */
  private static final class Message {
    private final OfBatch batch;
    private final Consumer<Receipt> out;
    private List<RatedSet> sets = new ArrayList<>();
    private List<Entry> entries = new ArrayList<>();
    private long seqs;
    private long bytes;

    Message(OfBatch batch, Consumer<Receipt> out) {
      this.batch = batch;
      this.out = out;
    }

    /** Adds a set, halved until each part fits into one message. */
    void addParts(Place place, RoaringBitmap rated, List<OffsetRange> ranges) {
      long count = rated.getLongCardinality();
      RatedSet set = new RatedSet(place.usageHour(), place.bucket(), rated, ranges);
      boolean fits = count <= MAX_SEQS && size(set) <= MAX_BYTES;
      if (fits || count == 1) {
        add(set);
        return;
      }
      RoaringBitmap first = rated.limit((int) (count / 2));
      addParts(place, first, ranges);
      addParts(place, RoaringBitmap.andNot(rated, first), ranges);
    }

    void add(Entry entry) {
      long size = size(entry);
      if (entries.size() == MAX_ENTRIES || bytes + size > MAX_BYTES) {
        send();
      }
      entries.add(entry);
      bytes += size;
    }

    void send() {
      if (!sets.isEmpty() || !entries.isEmpty()) {
        BatchId id = batch.id;
        out.accept(new Receipt(id.source(), id.batch(), batch.tariffVersion, sets, entries));
      }
      sets = new ArrayList<>();
      entries = new ArrayList<>();
      seqs = 0;
      bytes = 0;
    }

    private void add(RatedSet set) {
      long count = set.batchSeqs().getLongCardinality();
      long size = size(set);
      if (seqs + count > MAX_SEQS || bytes + size > MAX_BYTES) {
        send();
      }
      sets.add(set);
      seqs += count;
      bytes += size;
    }

    private static long size(RatedSet set) {
      return SET_BYTES
          + set.batchSeqs().serializedSizeInBytes()
          + (long) set.offsets().size() * OFFSET_RANGE_BYTES;
    }

    private static long size(Entry entry) {
      int characters = entry.accountId().length() + entry.eventId().length();
      return ENTRY_BYTES + (long) characters * MAX_BYTES_PER_CHARACTER;
    }
  }

  /** Rated records whose rows lie in one partition of the ledger. */
  private static final class OfPlace {
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
