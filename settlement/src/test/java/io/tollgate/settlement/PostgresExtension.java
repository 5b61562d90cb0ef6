package io.tollgate.settlement;

import io.tollgate.localstack.LocalStack;
import io.tollgate.localstack.Ports;
import io.tollgate.localstack.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts one real PostgreSQL for all tests of the module, and stops it after the last. */
final class PostgresExtension implements BeforeAllCallback {
  static final String USER = "postgres";
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private static RunningPostgres running;

  @Override
  public void beforeAll(ExtensionContext context) {
    running =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.GLOBAL)
            .getOrComputeIfAbsent(
                RunningPostgres.class, key -> RunningPostgres.start(), RunningPostgres.class);
  }

  /** Returns the URL of an empty database that nobody else uses. */
  static String newDatabase() throws SQLException {
    return newDatabase("template0");
  }

  /** Returns the URL of a database with the schema: a copy of one that was migrated. */
  static String newMigratedDatabase() throws SQLException {
    synchronized (running) {
      if (running.migrated.isEmpty()) {
        String url = newDatabase();
        SettlementSchema.migrate(url, USER, null);
        running.migrated = url.substring(url.lastIndexOf('/') + 1);
      }
    }
    return newDatabase(running.migrated);
  }

  private static String newDatabase(String template) throws SQLException {
    String name = "test_" + NUMBERS.incrementAndGet();
    try (Connection connection = connect(running.url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name + " TEMPLATE " + template);
    }
    return running.url.substring(0, running.url.lastIndexOf('/') + 1) + name;
  }

  static Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url, USER, "");
  }

  /** The server and its folder. */
  private static final class RunningPostgres implements AutoCloseable {
    private final Path folder;
    private final Server server;
    private final String url;
    private String migrated = "";

    private RunningPostgres(Path folder, Server server, String url) {
      this.folder = folder;
      this.server = server;
      this.url = url;
    }

    private static RunningPostgres start() {
      try {
        Path folder = Files.createTempDirectory("tollgate-settlement-test");
        LocalStack stack = LocalStack.builder().dataDir(folder).ports(Ports.free()).build();
        stack.postgres().start();
        return new RunningPostgres(folder, stack.postgres(), stack.jdbcUrl());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      server.stop();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
