package io.tollgate.rating.receipts;

import io.tollgate.domain.outcome.Outcome;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.ReceiptCodec;
import io.tollgate.wire.UnreadableException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Receipts as a reader unites them: one outcome per batch-seq, RATED the strongest. */
public final class UnitedReceipts {
  private final ReceiptCodec codec = new ReceiptCodec();
  private final Map<String, NavigableMap<Long, Outcome>> outcomeBySeqByBatch = new HashMap<>();
  private final Map<String, NavigableMap<Long, Long>> hourBySeqByBatch = new HashMap<>();

  public static UnitedReceipts of(Collection<ReceiptPart> parts) throws UnreadableException {
    UnitedReceipts united = new UnitedReceipts();
    for (ReceiptPart part : parts) {
      united.unite(part);
    }
    return united;
  }

  public void unite(ReceiptPart part) throws UnreadableException {
    Receipt receipt = codec.decode(part.receipt());
    String batch = batch(receipt.source(), receipt.batch());
    NavigableMap<Long, Outcome> outcomes =
        outcomeBySeqByBatch.computeIfAbsent(batch, name -> new TreeMap<>());
    NavigableMap<Long, Long> hours =
        hourBySeqByBatch.computeIfAbsent(batch, name -> new TreeMap<>());
    for (Receipt.RatedSet set : receipt.rated()) {
      set.batchSeqs()
          .forEach(
              (int seq) -> {
                outcomes.put((long) seq, Outcome.RATED);
                hours.put((long) seq, set.usageHour());
              });
    }
    for (Receipt.Entry entry : receipt.entries()) {
      outcomes.merge(entry.batchSeq(), entry.outcome(), UnitedReceipts::stronger);
    }
  }

  /** Outcomes by batch-seq, of each batch. */
  public Map<String, NavigableMap<Long, Outcome>> outcomes() {
    return outcomeBySeqByBatch;
  }

  public NavigableMap<Long, Outcome> outcomes(String source, String batch) {
    return outcomeBySeqByBatch.getOrDefault(batch(source, batch), new TreeMap<>());
  }

  /** Usage hours of what was rated in time. */
  public NavigableMap<Long, Long> hours(String source, String batch) {
    return hourBySeqByBatch.getOrDefault(batch(source, batch), new TreeMap<>());
  }

  private static String batch(String source, String batch) {
    return source + "\n" + batch;
  }

  private static Outcome stronger(Outcome one, Outcome other) {
    return one == Outcome.RATED ? one : other;
  }
}
