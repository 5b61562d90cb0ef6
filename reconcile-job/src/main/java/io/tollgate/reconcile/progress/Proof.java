package io.tollgate.reconcile.progress;

import java.io.Serializable;
import java.util.Map;

/**
 * What has provably been read. The rating job commits an offset only after the checkpoint that
 * covers it: every record before it has its row, its receipt or its place on a side topic. A proof
 * is handed out only after this job has taken in everything that lay on its own topics when the
 * offsets had been read. So whatever is absent now, for a record before these offsets, is absent.
 *
 * @param takenNanos when the offsets were about to be read, on this process's monotonic clock
 * @param committed offset of the next record that the rating job has not committed, by partition
 * @param ends offset after the newest record of {@code cdr} at that time, by partition
 */
public record Proof(long takenNanos, Map<Integer, Long> committed, Map<Integer, Long> ends)
    implements Serializable {

  /** Proves nothing. */
  public static Proof none() {
    return new Proof(Long.MIN_VALUE, Map.of(), Map.of());
  }

  /** Returns whether the rating job has provably read past a record. */
  public boolean isPast(int partition, long offset) {
    return offset < committed.getOrDefault(partition, 0L);
  }

  /** Returns whether the topic has no such record: it cannot have been read, and cannot be yet. */
  public boolean isBeyondTheEnd(int partition, long offset) {
    return offset >= ends.getOrDefault(partition, 0L);
  }

  /** Returns whether this proof was taken after a moment of this process's monotonic clock. */
  public boolean isNewerThan(long nanos) {
    return takenNanos != Long.MIN_VALUE && takenNanos - nanos > 0;
  }
}
