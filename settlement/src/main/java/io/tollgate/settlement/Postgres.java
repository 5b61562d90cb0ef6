package io.tollgate.settlement;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Connections to PostgreSQL, made by the driver that lies beside this class and not by the registry
 * of drivers: that is filled once in a process, and a JobManager loads each job's classes anew, so
 * that the registry would know only the driver of the first job that was ever submitted there.
 */
public final class Postgres {
  private Postgres() {}

  /**
   * Opens a connection.
   *
   * @param url JDBC URL
   * @param password null if the database asks for none
   * @throws SQLException if the database cannot be reached or refuses, or the URL is not of
   *     PostgreSQL
   */
  public static Connection open(String url, String user, @Nullable String password)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    if (password != null) {
      properties.setProperty("password", password);
    }
    for (Driver driver : ServiceLoader.load(Driver.class, Postgres.class.getClassLoader())) {
      if (driver.acceptsURL(url)) {
        Connection connection = driver.connect(url, properties);
        if (connection != null) {
          return connection;
        }
      }
    }
    throw new SQLException("URL: " + url + " (expected: jdbc:postgresql:...)", "08001");
  }
}
