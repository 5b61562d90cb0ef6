package io.tollgate.settlement;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection with which something happens just before its n-th statement or commit. */
final class HookedConnection {
  private static final Set<String> COUNTED =
      Set.of("execute", "executeQuery", "executeUpdate", "executeBatch", "commit");

  private HookedConnection() {}

  /** What happens. */
  interface Hook {
    void run() throws SQLException;
  }

  /**
   * Ends the connection before a statement, as if the program or the network had died there.
   *
   * @param statements how many are let through
   */
  static Connection dyingAfter(Connection real, int statements) {
    return after(
        real,
        statements,
        () -> {
          real.abort(Runnable::run);
          throw new SQLException("connection: ended on purpose", "08006");
        });
  }

  /**
   * Runs a hook before a statement.
   *
   * @param statements how many are let through before
   */
  static Connection after(Connection real, int statements, Hook hook) {
    return proxy(Connection.class, real, hook, new AtomicInteger(statements));
  }

  private static <T> T proxy(Class<T> type, Object target, Hook hook, AtomicInteger left) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (COUNTED.contains(method.getName()) && left.getAndDecrement() == 0) {
                hook.run();
              }
              Object result;
              try {
                result = method.invoke(target, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (result instanceof PreparedStatement) {
                return proxy(PreparedStatement.class, result, hook, left);
              }
              return result instanceof Statement
                  ? proxy(Statement.class, result, hook, left)
                  : result;
            }));
  }
}
