package io.tollgate.reconcile;

import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.LedgerUnreachableException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One session with the ledger for all operators of a process: each of them asks little, and a
 * session holds connections to every node.
 */
final class SharedSessions {
  private static final Logger LOG = LoggerFactory.getLogger(SharedSessions.class);
  private static final long PAUSE_MILLIS = 1_000;
  private static final Map<LedgerConnection, Shared> OPEN = new HashMap<>();

  private SharedSessions() {}

  /** A session and how many use it. */
  private static final class Shared {
    final LedgerSession session;
    int users;

    Shared(LedgerSession session) {
      this.session = session;
    }
  }

  /** Returns a session; tries again until the ledger answers. Give it back when done. */
  static LedgerSession take(LedgerConnection connection) {
    while (true) {
      try {
        return takeNow(connection);
      } catch (LedgerUnreachableException e) {
        LOG.warn(
            "The ledger does not answer, reconciliation waits for it. Check Cassandra and the"
                + " network: {}",
            e.getMessage());
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting for the ledger", e);
      }
    }
  }

  private static synchronized LedgerSession takeNow(LedgerConnection connection) {
    Shared shared = OPEN.get(connection);
    if (shared == null) {
      shared = new Shared(LedgerSession.open(connection));
      OPEN.put(connection, shared);
    }
    shared.users++;
    return shared.session;
  }

  /** Gives a session back; the last user closes it. */
  static synchronized void giveBack(LedgerConnection connection) {
    Shared shared = OPEN.get(connection);
    if (shared != null && --shared.users == 0) {
      OPEN.remove(connection);
      shared.session.close();
    }
  }
}
