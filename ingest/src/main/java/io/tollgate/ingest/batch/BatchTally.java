package io.tollgate.ingest.batch;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import java.util.EnumMap;
import java.util.Map;

/** Counts what a control total says of a batch. */
public final class BatchTally {
  private final Map<UsageType, Long> usage = new EnumMap<>(UsageType.class);
  private long records;
  private long unreadable;

  /** Counts a CDR. Usage stops at the largest number instead of wrapping round. */
  public void addCdr(Cdr cdr) {
    records++;
    usage.merge(cdr.usageType(), cdr.usage(), BatchTally::sum);
  }

  /** Counts a record that is no CDR. */
  public void addUnreadable() {
    records++;
    unreadable++;
  }

  /** Returns the number of records: the batch-seq of the next one. */
  public long records() {
    return records;
  }

  /** Returns how many of them are no CDRs. */
  public long unreadable() {
    return unreadable;
  }

  /** Returns raw usage by type. */
  public Map<UsageType, Long> usage() {
    return usage;
  }

  private static long sum(long a, long b) {
    long sum = a + b;
    return ((a ^ sum) & (b ^ sum)) < 0 ? Long.MAX_VALUE : sum;
  }
}
