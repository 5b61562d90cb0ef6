package io.tollgate.rating.gate;

import io.tollgate.ledger.gate.GateReading;
import java.io.Serializable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** Where the gate is read. */
public interface GateLedger extends Serializable {

  /**
   * Connects; waits until that is possible.
   *
   * @param cancelled whether nobody wants the connection any more
   * @throws CancellationException if that is so
   */
  Connection open(BooleanSupplier cancelled) throws InterruptedException;

  /** A connection with the ledger. */
  interface Connection extends AutoCloseable {

    /** Reads once; never waits, and fails within the length of a lease. */
    CompletionStage<GateReading> read();

    @Override
    void close();
  }
}
