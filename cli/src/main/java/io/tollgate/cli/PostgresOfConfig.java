package io.tollgate.cli;

import io.tollgate.config.Secret;
import io.tollgate.config.TollgateConfig;
import io.tollgate.settlement.SettlementSchema;
import io.tollgate.settlement.SqlFailures;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** The database of the configuration. */
final class PostgresOfConfig {
  private static final String NO_SUCH_TABLE = "42P01";
  private static final String CONNECT_SECONDS = "10";
  private static final String ANSWER_SECONDS = "60";

  private PostgresOfConfig() {}

  /** Work with the database. */
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Brings the schema about. */
  static void migrate(TollgateConfig config) {
    Secret password = config.postgres().password();
    SettlementSchema.migrate(
        config.postgres().url(),
        config.postgres().user(),
        password == null ? null : password.value());
  }

  /**
   * Runs work on a connection of its own.
   *
   * @throws IllegalStateException in words for people, if the database cannot be reached, has no
   *     schema, or refuses
   */
  static <T> T with(TollgateConfig config, Work<T> work) {
    try (Connection connection = open(config)) {
      return work.run(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "PostgreSQL at " + config.postgres().url() + ": " + explained(e), e);
    }
  }

  private static Connection open(TollgateConfig config) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", config.postgres().user());
    Secret password = config.postgres().password();
    if (password != null) {
      properties.setProperty("password", password.value());
    }
    properties.setProperty("connectTimeout", CONNECT_SECONDS);
    properties.setProperty("socketTimeout", ANSWER_SECONDS);
    properties.setProperty("ApplicationName", "tollgate");
    return DriverManager.getConnection(config.postgres().url(), properties);
  }

  private static String explained(SQLException failure) {
    if (NO_SUCH_TABLE.equals(failure.getSQLState())) {
      return "no tables of Tollgate (expected: the schema that ./tollgate up makes)";
    }
    return (SqlFailures.isTransient(failure)
            ? "not reachable (expected: a running server; try again): "
            : "refused: ")
        + failure.getMessage();
  }
}
