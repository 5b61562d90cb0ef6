package io.tollgate.ingest.batch;

import io.tollgate.domain.cdr.UsageType;
import java.util.List;
import java.util.Map;

/**
 * What became of a file. Every byte is in exactly one of: {@code recordBytes}, {@code nonRecords},
 * {@code skippedBytes}, {@code pendingBytes}.
 *
 * @param file its path as it was named
 * @param format see {@link io.tollgate.ingest.format.Format#id()}
 * @param refused why nothing of it was sent, empty if it was read
 * @param bytes its size
 * @param records records sent in this run, bad lines among them
 * @param recordBytes their bytes, line ends included
 * @param rejected how many of them are bad lines
 * @param indistinguishable how many of them cannot be told from an earlier row
 * @param examples first bad lines, each {@code file:line: reason}
 * @param nonRecords what else was in the ranges sent: name, number and bytes
 * @param usage raw usage of the records sent, by type
 * @param batchesNew batches announced and closed
 * @param batchesResumed batches announced by an earlier run and closed now, or sent again on demand
 * @param batchesSkipped batches closed by an earlier run
 * @param skippedRecords their records
 * @param skippedBytes their bytes
 * @param pendingBytes bytes at the end that wait for next time
 * @param pendingReason why they wait, empty if there are none
 * @param warnings what an operator should look at
 */
public record FileReport(
    String file,
    String format,
    String refused,
    long bytes,
    long records,
    long recordBytes,
    long rejected,
    long indistinguishable,
    List<String> examples,
    Map<String, NonRecords> nonRecords,
    Map<UsageType, Long> usage,
    long batchesNew,
    long batchesResumed,
    long batchesSkipped,
    long skippedRecords,
    long skippedBytes,
    long pendingBytes,
    String pendingReason,
    List<String> warnings) {

  /**
   * Bytes that are no records.
   *
   * @param count how many stretches of them
   * @param bytes their sum
   */
  public record NonRecords(long count, long bytes) {
    NonRecords plus(long moreBytes) {
      return new NonRecords(count + 1, bytes + moreBytes);
    }
  }

  /** Returns whether an operator should look at this file. */
  public boolean needsAttention() {
    return !refused.isEmpty() || rejected > 0 || !warnings.isEmpty();
  }

  /** Returns the bytes of all non-records. */
  public long nonRecordBytes() {
    return nonRecords.values().stream().mapToLong(NonRecords::bytes).sum();
  }
}
