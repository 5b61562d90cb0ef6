package io.tollgate.ingest.batch;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.ingest.batch.FileReport.NonRecords;
import io.tollgate.ingest.format.Format;
import io.tollgate.ingest.format.Frame;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts every byte and record of a file into its {@link FileReport}. */
final class FileTally {
  private static final int MAX_EXAMPLES = 5;

  private final String file;
  private final Format format;
  private final List<String> examples = new ArrayList<>();
  private final Map<String, NonRecords> nonRecords = new TreeMap<>();
  private final Map<UsageType, Long> usage = new EnumMap<>(UsageType.class);
  private final List<String> warnings = new ArrayList<>();
  private long records;
  private long recordBytes;
  private long rejected;
  private long indistinguishable;
  private long batchesNew;
  private long batchesResumed;
  private long batchesSkipped;
  private long skippedRecords;
  private long skippedBytes;
  private long pendingBytes;
  private String pendingReason = "";

  FileTally(String file, Format format) {
    this.file = file;
    this.format = format;
  }

  void record(Frame frame) {
    records++;
    recordBytes += frame.length();
  }

  void rejected(String place, String reason) {
    rejected++;
    if (examples.size() < MAX_EXAMPLES) {
      examples.add(place + ": " + reason);
    }
  }

  void indistinguishable() {
    indistinguishable++;
  }

  void nonRecord(String name, Frame frame) {
    nonRecords.put(name, nonRecords.getOrDefault(name, new NonRecords(0, 0)).plus(frame.length()));
  }

  void sent(PlannedBatch batch, BatchTally tally) {
    if (batch.state() == PlannedBatch.State.NEW) {
      batchesNew++;
    } else {
      batchesResumed++;
    }
    tally.usage().forEach((type, sum) -> usage.merge(type, sum, Long::sum));
  }

  void skipped(PlannedBatch batch, long recordsOfBatch) {
    batchesSkipped++;
    skippedRecords += recordsOfBatch;
    skippedBytes += batch.length();
  }

  void pending(long bytes, String reason) {
    pendingBytes = bytes;
    pendingReason = reason;
  }

  void warning(String text) {
    warnings.add(text);
  }

  long records() {
    return records;
  }

  FileReport refused(String reason, long bytes) {
    return report(reason, bytes);
  }

  /**
   * Returns the report.
   *
   * @throws IllegalStateException if a byte is not accounted for, or twice
   */
  FileReport finished(long bytes) {
    FileReport report = report("", bytes);
    long accounted = recordBytes + report.nonRecordBytes() + skippedBytes + pendingBytes;
    if (accounted != bytes) {
      throw new IllegalStateException(
          file
              + ": "
              + accounted
              + " bytes accounted for (expected: all "
              + bytes
              + "): records "
              + recordBytes
              + ", non-records "
              + report.nonRecordBytes()
              + ", sent before "
              + skippedBytes
              + ", waiting "
              + pendingBytes);
    }
    return report;
  }

  private FileReport report(String refused, long bytes) {
    return new FileReport(
        file,
        format.id(),
        refused,
        bytes,
        records,
        recordBytes,
        rejected,
        indistinguishable,
        List.copyOf(examples),
        Map.copyOf(nonRecords),
        Map.copyOf(usage),
        batchesNew,
        batchesResumed,
        batchesSkipped,
        skippedRecords,
        skippedBytes,
        pendingBytes,
        pendingReason,
        List.copyOf(warnings));
  }
}
