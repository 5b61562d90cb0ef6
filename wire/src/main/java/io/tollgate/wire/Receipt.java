package io.tollgate.wire;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * What the rating job did with records of one batch, emitted ahead of a checkpoint barrier after
 * the ledger acknowledged everything in it. Readers unite receipts, so repeats and reordering
 * change nothing; RATED is the strongest outcome of a batch-seq.
 *
 * @param source declared id of the source
 * @param batch id of the batch
 * @param tariffVersion newest tariff book that the rating subtask had read; 0 if none
 * @param rated RATED records in time, as sets
 * @param entries late RATED records and every other outcome, one by one
 * @param reaches how far the correction history of rating subtasks went, in a receipt of its own
 *     without source and batch
 * @param revised where a rerate has written revisions, in a receipt of its own without source and
 *     batch
 */
public record Receipt(
    String source,
    String batch,
    long tariffVersion,
    List<RatedSet> rated,
    List<Entry> entries,
    List<HistoryReach> reaches,
    List<RevisedPartition> revised) {

  /** Creates a receipt of records. */
  public Receipt(
      String source, String batch, long tariffVersion, List<RatedSet> rated, List<Entry> entries) {
    this(source, batch, tariffVersion, rated, entries, List.of(), List.of());
  }

  /** Returns a receipt that speaks of no record, only of how far histories went. */
  public static Receipt ofReaches(List<HistoryReach> reaches) {
    return new Receipt("", "", 0, List.of(), List.of(), reaches, List.of());
  }

  /** Returns a receipt that speaks of no record, only of where revisions were written. */
  public static Receipt ofRevised(List<RevisedPartition> revised) {
    return new Receipt("", "", 0, List.of(), List.of(), List.of(), revised);
  }

  /**
   * How far the correction history of one rating subtask went when it passed a barrier. Every
   * charge that it rated by an older history has been acknowledged by the ledger before this was
   * sent, and every later one is rated by at least this history, whatever restarts come between:
   * each start reads the history to its end.
   *
   * @param subtask index of the subtask, from 0
   * @param parallelism how many there were
   * @param correction number of the last correction that it had read
   */
  public record HistoryReach(int subtask, int parallelism, long correction) {}

  /**
   * A partition of the ledger in which the ledger has acknowledged new revisions of old charges.
   *
   * @param usageHour hours since 1970 in UTC
   * @param bucket bucket of the hour
   */
  public record RevisedPartition(long usageHour, int bucket) {}

  /**
   * RATED records whose rows lie in one partition of the ledger.
   *
   * @param usageHour hours since 1970 in UTC
   * @param bucket bucket of the hour
   * @param batchSeqs their numbers in the batch
   * @param offsets what they span in the topic, one range per partition
   */
  public record RatedSet(
      long usageHour, int bucket, RoaringBitmap batchSeqs, List<OffsetRange> offsets) {}

  /**
   * A range of Kafka offsets, both ends included. Other batches' records may lie in between.
   *
   * @param partition Kafka partition
   * @param first lowest offset
   * @param last highest offset
   */
  public record OffsetRange(int partition, long first, long last) {
    /** Returns the smallest range that holds both. */
    public OffsetRange unite(OffsetRange other) {
      return new OffsetRange(partition, Math.min(first, other.first), Math.max(last, other.last));
    }
  }

  /**
   * The outcome of one record.
   *
   * @param batchSeq its number in the batch; -1 if its headers were unreadable
   * @param partition Kafka partition
   * @param offset Kafka offset
   * @param outcome what became of it
   * @param reason why it was not rated; absent for RATED
   * @param late whether it came after the watermark had passed its start
   * @param accountId who pays; empty if the record was unreadable
   * @param eventId id within the account; empty if the record was unreadable
   * @param fingerprint content fingerprint; 0 if the record was unreadable
   * @param usageType what was used; absent if the record was unreadable
   * @param startMillis when usage began, UTC milliseconds; 0 if the record was unreadable
   * @param usage raw usage; 0 if the record was unreadable
   */
  public record Entry(
      long batchSeq,
      int partition,
      long offset,
      Outcome outcome,
      @Nullable Reason reason,
      boolean late,
      String accountId,
      String eventId,
      long fingerprint,
      @Nullable UsageType usageType,
      long startMillis,
      long usage) {}
}
