package io.tollgate.settlement;

import io.tollgate.domain.reconcile.ReconcileResult;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about a usage hour of a source when it is judged.
 *
 * @param usageHour hours since 1970 in UTC
 * @param source declared id of the source
 * @param market market that the source's charges are settled for; null if nothing was heard of the
 *     source itself
 * @param sourceState how the source is; null likewise
 * @param partitions partitions of the hour in which rows of the source were read
 * @param partitionsNotBalanced those of them in which receipts and rows do not agree (yet)
 * @param charges rows that were read
 * @param batchesNotBalanced batches with rows in the hour that are not balanced
 * @param exampleBatch one of those; empty if none
 * @param batchCharges rows that were found in the hour for all its batches
 * @param acceptedMissing rows that are missing in the hour, which a person has accepted
 * @param confirmed id of a confirmed difference that concerns the hour; empty if none
 * @param changedMillis when the newest finding told something new about the hour
 */
record HourFacts(
    long usageHour,
    String source,
    @Nullable String market,
    ReconcileResult.@Nullable State sourceState,
    long partitions,
    long partitionsNotBalanced,
    long charges,
    long batchesNotBalanced,
    String exampleBatch,
    long batchCharges,
    long acceptedMissing,
    String confirmed,
    long changedMillis) {

  private static final long MILLIS_PER_HOUR = 3_600_000;

  /** Returns when the hour is over, UTC milliseconds. */
  long endMillis() {
    return (usageHour + 1) * MILLIS_PER_HOUR;
  }
}
