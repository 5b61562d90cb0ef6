package io.tollgate.rating.write;

import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.LedgerUnreachableException;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens sessions from within the running job, where an absent ledger is waited for. */
public final class LedgerSessions {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerSessions.class);
  private static final long PAUSE_MILLIS = 1_000;

  private LedgerSessions() {}

  /** Opens a session; tries again until the ledger answers. */
  public static LedgerSession open(LedgerConnection connection) throws InterruptedException {
    return open(connection, () -> false);
  }

  /**
   * Opens a session; tries again until the ledger answers.
   *
   * @param cancelled whether nobody wants the session any more
   * @throws CancellationException if that is so
   */
  public static LedgerSession open(LedgerConnection connection, BooleanSupplier cancelled)
      throws InterruptedException {
    while (true) {
      if (cancelled.getAsBoolean()) {
        throw new CancellationException("not wanted any more: a session with " + connection);
      }
      try {
        return LedgerSession.open(connection);
      } catch (LedgerUnreachableException e) {
        LOG.warn(
            "The ledger does not answer, charging waits for it. Check Cassandra and the network:"
                + " {}",
            e.getMessage());
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }
}
