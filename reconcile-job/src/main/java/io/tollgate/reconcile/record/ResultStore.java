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
   * Settles what is ready to be settled; does nothing if the store does not answer.
   *
   * @param isHalted whether charging is halted: then nothing is settled
   * @return where the ledger is not what was settled, and what was told of that and is gone
   */
  List<Found> settle(boolean isHalted);

  @Override
  void close();

  /** Opens stores; travels with the graph. */
  @FunctionalInterface
  interface Factory extends Serializable {
    /** Opens a store; does not wait for it to answer. */
    ResultStore open();
  }
}
