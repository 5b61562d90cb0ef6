package io.tollgate.ledger;

import java.io.Serializable;

/**
 * How a writer sends.
 *
 * @param maxInFlight requests not yet acknowledged, at most
 * @param batchRows rows of one partition that fill a request
 * @param batchBytes bytes of cells and keys that fill a request; a single larger row is sent alone.
 *     Far below the commit log's limit of half a segment (16 MiB), and small enough that a request
 *     does not hold up others
 * @param bufferedRows rows waiting for their request to fill, over all partitions, at most; beyond
 *     it the oldest request is sent as it is. Bounds memory when many hours are open at once
 */
public record WriterSettings(int maxInFlight, int batchRows, int batchBytes, int bufferedRows)
    implements Serializable {
  private static final int BATCH_BYTES = 32 * 1024;
  private static final int BUFFERED_REQUESTS = 200;

  public WriterSettings {
    requirePositive("maxInFlight", maxInFlight);
    requirePositive("batchRows", batchRows);
    requirePositive("batchBytes", batchBytes);
    requirePositive("bufferedRows", bufferedRows);
  }

  /** Returns settings with the usual bounds of bytes and buffered rows. */
  public static WriterSettings of(int maxInFlight, int batchRows) {
    return new WriterSettings(
        maxInFlight, batchRows, BATCH_BYTES, Math.multiplyExact(batchRows, BUFFERED_REQUESTS));
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: 1 or more)");
    }
  }
}
