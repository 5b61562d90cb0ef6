package io.tollgate.reconcile.compare;

import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.reconcile.compare.PartitionReading.Unnamed;
import io.tollgate.reconcile.compare.Suspicions.Disagreement;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import io.tollgate.reconcile.progress.Proof;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/**
 * Compares a finished reading with what receipts say. First rows are read, then a proof is taken,
 * then receipts are looked at:
 *
 * <table>
 *   <caption>Each record</caption>
 *   <tr><th>receipt</th><th>row</th><th>and</th><th>is</th></tr>
 *   <tr><td>before the reading</td><td>there</td><td></td><td>right</td></tr>
 *   <tr><td>before the reading</td><td>absent</td><td></td><td>MISSING_ROW</td></tr>
 *   <tr><td>since the reading began</td><td>any</td><td></td><td>left to the next reading</td></tr>
 *   <tr><td>none</td><td>there</td><td>proof past its offset, or the topic has no such offset</td>
 *       <td>SURPLUS_ROW</td></tr>
 *   <tr><td>none</td><td>there</td><td>otherwise</td><td>left to the next reading: its receipt is
 *       still to come</td></tr>
 * </table>
 */
public final class PartitionJudgement {
  private final Map<Subject, Disagreement> disagreements = new HashMap<>();
  private boolean isComplete = true;
  private boolean isOverflowed;

  private PartitionJudgement() {}

  /**
   * Judges a reading, and puts what it found into {@code now}.
   *
   * @param reading rows, read to the end
   * @param now what receipts say now, by key of the batch; holds all that was known at the start
   * @param proof taken after the last row was read
   */
  public static PartitionJudgement of(
      PartitionReading reading, Map<String, PartitionBatch> now, Proof proof) {
    PartitionJudgement judgement = new PartitionJudgement();
    judgement.takeRows(reading, now);
    judgement.judgeReceipts(reading, now);
    judgement.judgeRows(reading, now, proof);
    reading
        .faults()
        .forEach(
            (subject, faulty) ->
                judgement.disagreements.put(
                    subject,
                    Disagreement.about(
                        faulty.seqs, faulty.expected, faulty.found, faulty.example)));
    return judgement;
  }

  /** Returns what disagrees. */
  public Map<Subject, Disagreement> disagreements() {
    return disagreements;
  }

  /** Returns whether everything was judged; if not, the partition is to be read again. */
  public boolean isComplete() {
    return isComplete;
  }

  /**
   * Returns whether so many rows had no receipt yet that their usage was not kept: nothing can be
   * said of the batches then.
   */
  public boolean isOverflowed() {
    return isOverflowed;
  }

  private void takeRows(PartitionReading reading, Map<String, PartitionBatch> now) {
    for (PartitionBatch batch : now.values()) {
      PartitionReading.RowsOfBatch rows = reading.rows().get(batch.key());
      if (rows == null) {
        batch.found(new RoaringBitmap(), new HashMap<>(), 0);
      } else {
        batch.found(rows.seqs, rows.usage, rows.withoutUsage);
      }
    }
  }

  private void judgeReceipts(PartitionReading reading, Map<String, PartitionBatch> now) {
    for (PartitionBatch batch : now.values()) {
      RoaringBitmap missing = batch.missing();
      if (missing.isEmpty()) {
        continue;
      }
      RoaringBitmap before = reading.receiptsAtStart(batch.key());
      if (!RoaringBitmap.andNot(missing, before).isEmpty()) {
        isComplete = false;
      }
      missing.and(before);
      if (!missing.isEmpty()) {
        disagreements.put(
            new Subject(DifferenceKind.MISSING_ROW, batch.source(), batch.batch()),
            Disagreement.about(
                missing,
                "a row for each record that a receipt calls RATED",
                missing.getLongCardinality() + " without",
                "batch-seq " + missing.first()));
      }
    }
  }

  private void judgeRows(PartitionReading reading, Map<String, PartitionBatch> now, Proof proof) {
    isOverflowed = reading.unnamedOverflowed();
    isComplete &= !isOverflowed;
    Map<Subject, List<Unnamed>> surplus = new HashMap<>();
    for (Unnamed row : reading.unnamed()) {
      PartitionBatch batch = now.get(row.source() + "\n" + row.batch());
      if (batch != null && batch.receipts().contains(row.seq())) {
        batch.named(row.usageType(), row.usage());
        continue;
      }
      if (proof.isPast(row.partition(), row.offset())
          || proof.isBeyondTheEnd(row.partition(), row.offset())) {
        surplus
            .computeIfAbsent(
                new Subject(DifferenceKind.SURPLUS_ROW, row.source(), row.batch()),
                key -> new ArrayList<>())
            .add(row);
      } else {
        isComplete = false;
      }
    }
    surplus.forEach(
        (subject, rows) -> {
          RoaringBitmap seqs = new RoaringBitmap();
          rows.forEach(row -> seqs.add(row.seq()));
          disagreements.put(
              subject,
              Disagreement.about(
                  seqs,
                  "a receipt for each row",
                  rows.size() + " without: " + rows.get(0).key(),
                  rows.get(0).key()));
        });
  }
}
