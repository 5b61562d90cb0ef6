package io.tollgate.rerate;

import io.tollgate.domain.ledger.Charge;
import java.io.Serializable;
import java.util.Iterator;

/** The rows of the ledger that a rerate reads. Used from the task's thread only. */
public interface LedgerRows extends AutoCloseable {

  /** Opens a reader for a subtask. */
  interface Factory extends Serializable {
    /** Opens it; waits for the ledger as long as that takes. */
    LedgerRows open() throws InterruptedException;
  }

  /** Returns the rows of a partition, all revisions, by account, event and revision. */
  Iterator<Charge> partition(long usageHour, int bucket);

  /** Returns the rows of an account in one hour, all revisions, by event and revision. */
  Iterator<Charge> account(long usageHour, String accountId);

  @Override
  void close();
}
