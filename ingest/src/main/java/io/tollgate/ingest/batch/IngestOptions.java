package io.tollgate.ingest.batch;

/**
 * How files are sent.
 *
 * @param batchBytes wanted size of a batch, 1 KiB to 1 GiB
 * @param complete whether the files will not grow: a last record without its end is a record
 * @param resend whether batches that were closed before are sent again
 */
public record IngestOptions(long batchBytes, boolean complete, boolean resend) {
  /** Wanted size of a batch unless another is asked for. */
  public static final long DEFAULT_BATCH_BYTES = 8L << 20;

  private static final long MIN_BATCH_BYTES = 1L << 10;
  private static final long MAX_BATCH_BYTES = 1L << 30;

  /** The usual options. */
  public static final IngestOptions DEFAULT = new IngestOptions(DEFAULT_BATCH_BYTES, false, false);

  public IngestOptions {
    if (batchBytes < MIN_BATCH_BYTES || batchBytes > MAX_BATCH_BYTES) {
      throw new IllegalArgumentException(
          "batch-bytes: "
              + batchBytes
              + " (expected: "
              + MIN_BATCH_BYTES
              + " to "
              + MAX_BATCH_BYTES
              + ")");
    }
  }
}
