package io.tollgate.reconcile.message;

/**
 * Records of one batch that the rating job says it has written to one partition of the ledger.
 *
 * @param usageHour hours since 1970 in UTC
 * @param bucket bucket of the hour
 * @param source declared id of the source
 * @param batch id of the batch
 * @param seqs their batch-seqs, a RoaringBitmap in its portable format
 * @param partitions Kafka partitions that they span
 * @param firstOffsets lowest offset in each of these
 * @param lastOffsets highest offset in each of these
 * @param accountId account of the record if it was late, and so is looked up by its key; empty for
 *     records in time, whose partition is read
 * @param eventId event id of a late record
 */
@SuppressWarnings("ArrayRecordComponent") // arrays pass through; facts are never compared
public record PartitionFact(
    long usageHour,
    int bucket,
    String source,
    String batch,
    byte[] seqs,
    int[] partitions,
    long[] firstOffsets,
    long[] lastOffsets,
    String accountId,
    String eventId) {
  /** In the place of a source, which is never blank. */
  private static final String REVISED = " ";

  /** Returns the fact that a partition exists, whoever wrote to it. */
  public static PartitionFact exists(long usageHour, int bucket) {
    return new PartitionFact(
        usageHour, bucket, "", "", new byte[0], new int[0], new long[0], new long[0], "", "");
  }

  /** Returns the fact that revisions were written to a partition, so that it is read again. */
  public static PartitionFact revised(long usageHour, int bucket) {
    return new PartitionFact(
        usageHour, bucket, REVISED, "", new byte[0], new int[0], new long[0], new long[0], "", "");
  }

  /** Returns whether nothing is said but that the partition exists. */
  public boolean existsOnly() {
    return seqs.length == 0 && source.isEmpty();
  }

  /** Returns whether nothing is said but that revisions were written to it. */
  public boolean isRevised() {
    return seqs.length == 0 && source.equals(REVISED);
  }

  /** Returns the key of the partition. */
  public long partitionKey() {
    return key(usageHour, bucket);
  }

  /** Returns whether the record came late. */
  public boolean late() {
    return !accountId.isEmpty();
  }

  /**
   * Returns the key of a partition. Its {@link Long#hashCode} is the bucket, so all hours of a
   * bucket meet in one subtask and can be compared there.
   */
  public static long key(long usageHour, int bucket) {
    int hour = Math.toIntExact(usageHour);
    return ((long) hour << Integer.SIZE) | ((hour ^ bucket) & 0xffff_ffffL);
  }

  /** Returns the hour of a partition's key. */
  public static long usageHour(long key) {
    return key >> Integer.SIZE;
  }

  /** Returns the bucket of a partition's key. */
  public static int bucket(long key) {
    return (int) key ^ (int) (key >> Integer.SIZE);
  }
}
