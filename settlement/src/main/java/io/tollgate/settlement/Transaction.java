package io.tollgate.settlement;

import java.sql.Connection;
import java.sql.SQLException;

/** Does all of a piece of work or nothing, and leaves the connection as it was. */
final class Transaction {
  private Transaction() {}

  /** Work in a transaction. */
  interface Work<T> {
    T run() throws SQLException;
  }

  /**
   * Runs work in a transaction of its own.
   *
   * @param isolation one of the levels of {@link Connection}
   * @throws SQLException if anything failed; nothing was changed, unless the failure came from the
   *     commit itself, whose outcome is then unknown
   */
  static <T> T run(Connection connection, int isolation, Work<T> work) throws SQLException {
    boolean formerAutoCommit = connection.getAutoCommit();
    if (!formerAutoCommit) {
      // What somebody else began is not ours to commit.
      throw new SQLException("connection: in a transaction (expected: auto-commit)", "25001");
    }
    int formerIsolation = connection.getTransactionIsolation();
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(false);
    try {
      T result = work.run();
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException e) {
      rollBack(connection, e);
      throw e;
    } finally {
      if (!connection.isClosed()) {
        connection.setAutoCommit(true);
        connection.setTransactionIsolation(formerIsolation);
      }
    }
  }

  private static void rollBack(Connection connection, Exception cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      // The server rolls back what a lost connection had begun.
      cause.addSuppressed(e);
    }
  }
}
