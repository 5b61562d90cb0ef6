package io.tollgate.rating.gate;

import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.GateReading;
import io.tollgate.ledger.gate.GateView;
import io.tollgate.rating.write.LedgerSessions;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * The gate in Cassandra.
 *
 * @param ledger how to reach it
 * @param timeout after which a read has failed
 */
public record CassandraGate(LedgerConnection ledger, Duration timeout) implements GateLedger {

  @Override
  public Connection open(BooleanSupplier cancelled) throws InterruptedException {
    LedgerSession session = LedgerSessions.open(ledger, cancelled);
    return new View(session, new GateView(session, timeout));
  }

  private record View(LedgerSession session, GateView view) implements Connection {
    @Override
    public CompletionStage<GateReading> read() {
      return view.read();
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
