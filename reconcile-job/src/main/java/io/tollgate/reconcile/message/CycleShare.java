package io.tollgate.reconcile.message;

/**
 * What one subtask did in a cycle. A cycle is complete when every subtask of every comparing
 * operator has reported.
 *
 * @param stage name of the operator
 * @param subtask its index
 * @param parallelism how many there are
 * @param cycle number of the cycle: intervals since 1970
 * @param startedMillis when it began, UTC milliseconds
 * @param partitionsRead ledger partitions that it read
 * @param rowsRead rows that it read
 * @param batchesJudged batches that it compared
 * @param differences differences that it has found and that are not gone
 */
public record CycleShare(
    String stage,
    int subtask,
    int parallelism,
    long cycle,
    long startedMillis,
    long partitionsRead,
    long rowsRead,
    long batchesJudged,
    long differences) {}
