package io.tollgate.rating.write;

import io.tollgate.domain.ledger.Charge;

/** Writes charges so that the first one of a key stands. Used from the task's thread only. */
public interface ChargeWriter extends AutoCloseable {

  /** Takes a charge; waits while too many are under way. */
  void add(Charge charge) throws InterruptedException;

  /** Returns when every charge added before is acknowledged; repeats for as long as it takes. */
  void flush() throws InterruptedException;

  @Override
  void close();
}
