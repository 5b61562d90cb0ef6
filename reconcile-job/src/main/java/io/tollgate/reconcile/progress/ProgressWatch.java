package io.tollgate.reconcile.progress;

import java.io.Serializable;

/** Knows the newest {@link Proof}. */
public interface ProgressWatch extends AutoCloseable {
  /** Returns the newest proof; {@link Proof#none()} before the first. Never waits. */
  Proof latest();

  @Override
  void close();

  /** Opens watches; travels with the graph. */
  @FunctionalInterface
  interface Factory extends Serializable {
    /** Opens a watch. */
    ProgressWatch open();
  }
}
