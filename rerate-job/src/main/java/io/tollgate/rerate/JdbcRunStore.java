package io.tollgate.rerate;

import io.tollgate.settlement.Rerates;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.apache.flink.connector.jdbc.JdbcConnectionOptions;
import org.apache.flink.connector.jdbc.datasource.connections.JdbcConnectionProvider;
import org.apache.flink.connector.jdbc.datasource.connections.SimpleJdbcConnectionProvider;
import org.jspecify.annotations.Nullable;

/**
 * Runs in PostgreSQL. A failure ends the task; Flink begins again where it was, and records the
 * same.
 */
final class JdbcRunStore implements RunStore {
  private static final String CONNECT_SECONDS = "5";
  private static final String ANSWER_SECONDS = "60";

  private final JdbcConnectionProvider connections;
  private final InstantSource clock;

  private JdbcRunStore(JdbcConnectionProvider connections, InstantSource clock) {
    this.connections = connections;
    this.clock = clock;
  }

  /**
   * Where the database is.
   *
   * @param url JDBC URL
   * @param user user
   * @param password password, if it asks for one
   */
  record Database(String url, String user, @Nullable String password)
      implements Factory, Serializable {
    @Override
    public RunStore open() {
      JdbcConnectionOptions.JdbcConnectionOptionsBuilder options =
          new JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
              .withUrl(url)
              .withDriverName("org.postgresql.Driver")
              .withUsername(user)
              .withProperty("connectTimeout", CONNECT_SECONDS)
              .withProperty("socketTimeout", ANSWER_SECONDS)
              .withProperty("ApplicationName", RerateJob.NAME);
      Optional.ofNullable(password).ifPresent(options::withPassword);
      return new JdbcRunStore(
          new SimpleJdbcConnectionProvider(options.build()), InstantSource.system());
    }

    @Override
    public String toString() {
      return url + " as " + user;
    }
  }

  @Override
  public void totals(String run, List<Rerates.Total> totals) throws SQLException {
    new Rerates(connection()).totals(run, totals);
  }

  @Override
  public void progress(String run, Rerates.Progress progress) throws SQLException {
    new Rerates(connection()).progress(run, progress);
  }

  @Override
  public void finish(String run, Rerates.Progress progress) throws SQLException {
    new Rerates(connection()).finish(run, progress, clock.millis());
  }

  private Connection connection() throws SQLException {
    try {
      return connections.getOrEstablishConnection();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the driver of PostgreSQL is missing from the jar", e);
    }
  }

  @Override
  public void close() {
    connections.closeConnection();
  }
}
