package io.tollgate.reconcile.halt;

import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.HaltSavepoint;
import io.tollgate.ledger.gate.RecordedHalt;
import java.util.List;

/** The halts that keep charging stopped, and where their savepoints are recorded. */
interface OpenHalts {

  /** Returns them. */
  List<RecordedHalt> open() throws InterruptedException;

  /** Records a savepoint with a halt; the first of a job stands. */
  void record(String haltId, HaltSavepoint savepoint) throws InterruptedException;

  /** Returns those of the ledger. */
  static OpenHalts of(HaltLog log) {
    return new OpenHalts() {
      @Override
      public List<RecordedHalt> open() throws InterruptedException {
        return log.open();
      }

      @Override
      public void record(String haltId, HaltSavepoint savepoint) throws InterruptedException {
        log.recordSavepoint(haltId, savepoint);
      }
    };
  }
}
