package io.tollgate.cli.demo;

import io.tollgate.config.TollgateConfig;
import io.tollgate.localstack.LocalStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Writes the configuration of an installation on a local stack. */
public final class DemoConfiguration {
  /** Cycles of reconciliation that a person can wait for. */
  public static final String QUICK_CYCLES =
      """
      reconcile:
        interval: 5s
        sweep: 5s
        settle_after: 10s
      """;

  /** For a run of the rating job without the reconcile job. */
  public static final String RATING_ALONE =
      """
      reconcile:
        required: false    # nothing but the rating job runs here
      """;

  private DemoConfiguration() {}

  /**
   * Writes {@code tollgate.yaml} into a folder and reads it.
   *
   * @param stack where the servers are
   * @param more further lines, such as the sources
   */
  public static Path write(Path folder, LocalStack stack, String more) {
    return write(folder, "", servers(stack, "", "", stack.jdbcUrl()) + "\n" + more);
  }

  /**
   * Writes {@code tollgate.yaml} of an installation with topics, a keyspace, a database and a
   * consumer group of its own, beside others on the same servers.
   *
   * @param name tells this installation from the others: small letters and digits
   * @param more further keys of {@code rating}, indented, and then further parts
   * @throws SQLException if the database cannot be made
   */
  public static Path writeApart(Path folder, LocalStack stack, String name, String more)
      throws SQLException {
    String topics =
        """
          topics:
            cdr: %1$s.cdr
            control: %1$s.control
            rejected: %1$s.rejected
            suspended: %1$s.suspended
            tariffs: %1$s.tariffs
            receipts: %1$s.receipts
        """
            .formatted(name);
    String rating =
        """
        rating:
          group: %s-rating
        """
            .formatted(name);
    return write(
        folder,
        name,
        servers(stack, topics, "  keyspace: " + name + "\n", database(stack, name))
            + rating
            + more);
  }

  private static String servers(
      LocalStack stack, String topics, String keyspace, String databaseUrl) {
    return """
    # Written for this run of the local stack.
    kafka:
      bootstrap: %s
    %scassandra:
      contact_points: %s
      datacenter: %s
    %spostgres:
      url: %s
      user: %s
    flink:
      rest: %s
    """
        .formatted(
            stack.kafkaBootstrap(),
            topics,
            stack.cassandraContactPoint(),
            stack.cassandraDatacenter(),
            keyspace,
            databaseUrl,
            stack.postgresUser(),
            stack.flinkRest());
  }

  private static String database(LocalStack stack, String name) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(stack.jdbcUrl(), stack.postgresUser(), "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE \"" + name + "\"");
    }
    return stack.jdbcUrl().replaceFirst("/[^/?]*($|\\?)", "/" + name + "$1");
  }

  private static Path write(Path folder, String name, String yaml) {
    Path file = folder.resolve(name).resolve("tollgate.yaml");
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, yaml);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
    TollgateConfig.read(file);
    return file;
  }
}
