package io.tollgate.cli.explain;

/**
 * Which batch.
 *
 * @param source declared id of the source
 * @param batch id of the batch, unique within its source
 */
public record BatchKey(String source, String batch) implements Comparable<BatchKey> {
  @Override
  public int compareTo(BatchKey other) {
    int bySource = source.compareTo(other.source);
    return bySource != 0 ? bySource : batch.compareTo(other.batch);
  }
}
