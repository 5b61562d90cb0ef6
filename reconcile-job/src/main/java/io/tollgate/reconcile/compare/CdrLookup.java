package io.tollgate.reconcile.compare;

import io.tollgate.domain.cdr.Cdr;
import java.io.Serializable;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/** Finds records of a batch on the topic {@code cdr} again, for the few that need explaining. */
public interface CdrLookup extends AutoCloseable {
  /**
   * Returns those of the records that were found and can be read, by batch-seq. Looks no longer
   * than some seconds and at no more than some hundred thousand offsets.
   *
   * @param offsets first and last offset of the batch's records, by partition
   */
  Map<Integer, Cdr> find(
      String source, String batch, RoaringBitmap seqs, Map<Integer, long[]> offsets);

  @Override
  void close();

  /** Opens lookups; travels with the graph. */
  @FunctionalInterface
  interface Factory extends Serializable {
    /** Opens a lookup. */
    CdrLookup open();
  }
}
