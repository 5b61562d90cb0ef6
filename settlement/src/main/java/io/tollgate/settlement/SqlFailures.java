package io.tollgate.settlement;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells failures that pass from those that stay.
 *
 * <table>
 * <caption>SQLSTATE: what may pass on a repeat, with a new connection</caption>
 * <tr><td>08xxx</td><td>connection lost or refused</td></tr>
 * <tr><td>40xxx</td><td>rolled back: serialization failure, deadlock</td></tr>
 * <tr><td>53xxx</td><td>no memory, disk or connections left</td></tr>
 * <tr><td>55P03</td><td>somebody else holds the lock</td></tr>
 * <tr><td>57xxx</td><td>an operator stopped the server or the statement; it is starting</td></tr>
 * <tr><td>58xxx</td><td>the system below failed</td></tr>
 * <tr><td>25006</td><td>read only: a failover has just taken the primary role away</td></tr>
 * <tr><td>25P03</td><td>idle for too long in a transaction</td></tr>
 * <tr><td>any other</td><td>stays: a repeat would fail the same way</td></tr>
 * </table>
 */
public final class SqlFailures {
  private static final Set<String> TRANSIENT_CLASSES = Set.of("08", "40", "53", "57", "58");
  private static final Set<String> TRANSIENT_STATES = Set.of("25006", "25P03", "55P03");
  private static final int CLASS_LENGTH = 2;

  private SqlFailures() {}

  /** Returns whether the same work may succeed if it is repeated, on a new connection. */
  public static boolean isTransient(SQLException failure) {
    // A batch hides what failed in it behind the first exception.
    for (SQLException one = failure; one != null; one = one.getNextException()) {
      if (one instanceof SQLTransientException
          || one instanceof SQLRecoverableException
          || isTransient(one.getSQLState())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTransient(@Nullable String state) {
    return state != null
        && state.length() >= CLASS_LENGTH
        && (TRANSIENT_CLASSES.contains(state.substring(0, CLASS_LENGTH))
            || TRANSIENT_STATES.contains(state));
  }
}
