package io.tollgate.settlement;

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

  private SettlementSchema() {}

  /**
   * Migrates.
   *
   * @param url JDBC URL
   * @param password null if the database asks for none
   * @throws SettlementSchemaException if the database cannot be reached or refuses
   */
  public static void migrate(String url, String user, @Nullable String password) {
    try {
      Flyway.configure(SettlementSchema.class.getClassLoader())
          .dataSource(url, user, password == null ? "" : password)
          .locations(LOCATION)
          .table(HISTORY)
          // The database may hold tables of others.
          .baselineOnMigrate(true)
          .baselineVersion(BEFORE_ALL)
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new SettlementSchemaException(url, e);
    }
  }
}
