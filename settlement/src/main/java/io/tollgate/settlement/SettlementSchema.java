package io.tollgate.settlement;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;

/**
 * Brings the database to the schema that this code expects. Safe to repeat, and for several
 * programs at once: the first one migrates, the others wait for it.
 */
public final class SettlementSchema {
  private static final String LOCATION = "classpath:io/tollgate/settlement/migration";
  private static final String HISTORY = "tollgate_schema_history";
  private static final String BEFORE_ALL = "0";

  // Flyway locks its history, but two programs that make the history at once get in each other's
  // way before that. Held by the session, so it ends with a program that is killed.
  private static final String LIMIT = "SET lock_timeout = '300s'";
  private static final String LOCK = "SELECT pg_advisory_lock(hashtext('" + HISTORY + "'))";

  private SettlementSchema() {}

  /**
   * Migrates.
   *
   * @param url JDBC URL
   * @param password null if the database asks for none
   * @throws SettlementSchemaException if the database cannot be reached or refuses
   */
  public static void migrate(String url, String user, @Nullable String password) {
    try (Connection connection = Postgres.open(url, user, password);
        Statement statement = connection.createStatement()) {
      statement.execute(LIMIT);
      statement.execute(LOCK);
      migrateAlone(url, user, password == null ? "" : password);
    } catch (SQLException | FlywayException e) {
      throw new SettlementSchemaException(url, e);
    }
  }

  private static void migrateAlone(String url, String user, String password) {
    Flyway.configure(SettlementSchema.class.getClassLoader())
        .dataSource(url, user, password)
        .loggers("slf4j")
        .locations(LOCATION)
        .table(HISTORY)
        // The database may hold tables of others.
        .baselineOnMigrate(true)
        .baselineVersion(BEFORE_ALL)
        .load()
        .migrate();
  }
}
