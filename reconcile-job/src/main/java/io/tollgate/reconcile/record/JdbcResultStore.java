package io.tollgate.reconcile.record;

import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.settlement.ResultWriter;
import io.tollgate.settlement.Retention;
import io.tollgate.settlement.Settlement;
import io.tollgate.settlement.SqlFailures;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.connector.jdbc.JdbcConnectionOptions;
import org.apache.flink.connector.jdbc.datasource.connections.JdbcConnectionProvider;
import org.apache.flink.connector.jdbc.datasource.connections.SimpleJdbcConnectionProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Results in PostgreSQL. */
public final class JdbcResultStore implements ResultStore {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcResultStore.class);
  private static final int CONNECT_SECONDS = 5;
  private static final int STEPS_OF_RETENTION = 10;

  private final JdbcConnectionProvider connections;
  private final ResultWriter writer = new ResultWriter();
  private final Settlement settlement;
  private final Retention retention;
  private boolean failing;

  /**
   * Where the database is.
   *
   * @param url JDBC URL
   * @param user user
   * @param password password, if it asks for one
   * @param settleAfter how long an hour must have been without change to be settled
   * @param keepCycles how long cycles are kept
   * @param keepResults how long balanced batches and differences that are gone are kept
   */
  public record Database(
      String url,
      String user,
      @Nullable String password,
      Duration settleAfter,
      Duration keepCycles,
      Duration keepResults)
      implements Factory, Serializable {
    @Override
    public ResultStore open() {
      JdbcConnectionOptions.JdbcConnectionOptionsBuilder options =
          new JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
              .withUrl(url)
              .withDriverName("org.postgresql.Driver")
              .withUsername(user)
              .withProperty("connectTimeout", Integer.toString(CONNECT_SECONDS))
              .withProperty("socketTimeout", "60")
              .withProperty("ApplicationName", "tollgate-reconcile");
      Optional.ofNullable(password).ifPresent(options::withPassword);
      return new JdbcResultStore(
          new SimpleJdbcConnectionProvider(options.build()),
          new Settlement(settleAfter),
          new Retention(keepCycles, keepResults));
    }

    @Override
    public String toString() {
      return url + " as " + user;
    }
  }

  JdbcResultStore(JdbcConnectionProvider connections, Settlement settlement, Retention retention) {
    this.connections = connections;
    this.settlement = settlement;
    this.retention = retention;
  }

  @Override
  public boolean record(List<ReconcileResult> results) {
    return run("The results cannot be recorded", connection -> writer.write(connection, results));
  }

  @Override
  public Settled settle(boolean isHalted) {
    long[] lines = new long[1];
    List<Found> found = new ArrayList<>();
    boolean isSettled =
        run(
            "Nothing could be settled",
            connection -> {
              Settlement.Step step;
              do {
                step = settlement.step(connection, System.currentTimeMillis(), isHalted);
                lines[0] += step.lines();
                found.addAll(step.found());
              } while (step.isMoreDue());
            });
    if (isSettled) {
      run("Old results could not be forgotten", this::forget);
    }
    return new Settled(lines[0], found);
  }

  /** A few steps in each cycle: nobody waits for it, and the database is for others too. */
  private void forget(Connection connection) throws SQLException {
    long nowMillis = System.currentTimeMillis();
    for (int step = 0; step < STEPS_OF_RETENTION; step++) {
      if (!retention.step(connection, nowMillis)) {
        return;
      }
    }
  }

  @Override
  public void close() {
    connections.closeConnection();
  }

  private interface Work {
    void on(Connection connection) throws SQLException;
  }

  private boolean run(String what, Work work) {
    try {
      work.on(connections.getOrEstablishConnection());
      if (failing) {
        LOG.info("The database answers again; what was waiting is being recorded.");
        failing = false;
      }
      return true;
    } catch (SQLException e) {
      connections.closeConnection();
      if (!SqlFailures.isTransient(e)) {
        throw new IllegalStateException(what, e);
      }
      if (!failing) {
        LOG.warn(
            "{}. Cycles go on, and what they find is kept until it can be recorded; nothing is"
                + " settled meanwhile. Check PostgreSQL: {}",
            what,
            e.getMessage());
        failing = true;
      }
      return false;
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the driver of PostgreSQL is missing from the jar", e);
    }
  }
}
