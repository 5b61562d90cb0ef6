package io.tollgate.reconcile.record;

import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import java.io.Serializable;
import java.util.List;

/** Where results are recorded. */
public interface ResultStore extends AutoCloseable {
  /**
   * Records results, all or none. Recording one again changes nothing.
   *
   * @return whether they were recorded; false if the store does not answer and may later
   */
  boolean record(List<ReconcileResult> results);

  /**
   * Settles what is ready to be settled, and forgets a little of what is older than results are
   * kept; does nothing if the store does not answer.
   *
   * @param isHalted whether charging is halted: then nothing is settled
   * @return what was done, and what was found
   */
  Settled settle(boolean isHalted);

  /**
   * What a step of settlement did.
   *
   * @param lines settlement lines that were made
   * @param found where the ledger is not what was settled, and what was told of that and is gone
   */
  record Settled(long lines, List<Found> found) {}

  @Override
  void close();

  /** Opens stores; travels with the graph. */
  @FunctionalInterface
  interface Factory extends Serializable {
    /** Opens a store; does not wait for it to answer. */
    ResultStore open();
  }
}
