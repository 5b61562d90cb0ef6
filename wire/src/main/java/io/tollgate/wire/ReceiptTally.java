package io.tollgate.wire;

import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.Receipt.Entry;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * Receipts united: one outcome for each batch-seq. RATED is the strongest, whatever else is said of
 * the same record; among others the first one heard stands. Adding a receipt again changes nothing,
 * and neither does the order as far as RATED is concerned.
 */
public final class ReceiptTally {
  private final Map<String, OfBatch> batches = new TreeMap<>();
  private final HistoryReaches reaches = new HistoryReaches();

  /** Unites a receipt with those added before. */
  public void add(Receipt receipt) {
    receipt.reaches().forEach(reaches::add);
    if (receipt.rated().isEmpty() && receipt.entries().isEmpty()) {
      return;
    }
    OfBatch batch =
        batches.computeIfAbsent(
            ReceiptCodec.key(receipt.source(), receipt.batch()),
            key -> new OfBatch(receipt.source(), receipt.batch()));
    receipt.rated().forEach(set -> batch.rated.or(set.batchSeqs()));
    for (Entry entry : receipt.entries()) {
      if (entry.outcome() == Outcome.RATED) {
        batch.rated.add((int) entry.batchSeq());
      } else {
        batch.unrated.putIfAbsent(entry.batchSeq(), entry);
      }
    }
  }

  /** Returns how far the correction histories of rating subtasks went. */
  public HistoryReaches reaches() {
    return reaches;
  }

  /** Returns what is known of each batch. */
  public Collection<OfBatch> batches() {
    return Collections.unmodifiableCollection(batches.values());
  }

  /** Returns what is known of a batch; null if no receipt spoke of it. */
  public @Nullable OfBatch batch(String source, String batch) {
    return batches.get(ReceiptCodec.key(source, batch));
  }

  /** What the receipts of one batch say, united. */
  public static final class OfBatch {
    private final String source;
    private final String batch;
    private final RoaringBitmap rated = new RoaringBitmap();
    private final Map<Long, Entry> unrated = new HashMap<>();

    OfBatch(String source, String batch) {
      this.source = source;
      this.batch = batch;
    }

    /** Returns the source. */
    public String source() {
      return source;
    }

    /** Returns the id of the batch. */
    public String batch() {
      return batch;
    }

    /** Returns the batch-seqs that were rated. */
    public RoaringBitmap rated() {
      return rated.clone();
    }

    /** Returns the entry of each batch-seq that was not rated. */
    public Map<Long, Entry> unrated() {
      Map<Long, Entry> left = new TreeMap<>(unrated);
      left.keySet().removeIf(seq -> seq >= 0 && rated.contains(seq.intValue()));
      return left;
    }

    /** Returns how many batch-seqs have an outcome. */
    public long outcomes() {
      return rated.getLongCardinality() + unrated().size();
    }

    /**
     * Returns whether each of the batch-seqs 0 to {@code records} - 1 has an outcome, and no other.
     */
    public boolean covers(long records) {
      RoaringBitmap all = rated();
      for (long seq : unrated().keySet()) {
        if (seq < 0 || seq >= records) {
          return false;
        }
        all.add((int) seq);
      }
      return all.getLongCardinality() == records
          && (records == 0 || all.last() == (int) records - 1);
    }

    /** Returns how many records had each outcome. */
    public Map<Outcome, Long> byOutcome() {
      Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
      if (!rated.isEmpty()) {
        counts.put(Outcome.RATED, rated.getLongCardinality());
      }
      unrated().values().forEach(entry -> counts.merge(entry.outcome(), 1L, Long::sum));
      return counts;
    }

    /** Returns how many records were not rated for each reason. */
    public Map<Reason, Long> byReason() {
      Map<Reason, Long> counts = new EnumMap<>(Reason.class);
      for (Entry entry : unrated().values()) {
        Reason reason = entry.reason();
        if (reason != null) {
          counts.merge(reason, 1L, Long::sum);
        }
      }
      return counts;
    }
  }
}
