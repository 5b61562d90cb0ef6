package io.tollgate.ledger;

import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.localstack.LocalStack;
import io.tollgate.localstack.Ports;
import io.tollgate.localstack.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts one real Cassandra for all tests of the module, and stops it after the last. */
public final class CassandraExtension implements BeforeAllCallback {
  static final Placement PLACEMENT = new Placement(4, Set.of("wholesale"));
  static final LedgerLayout LAYOUT = LedgerLayout.always(PLACEMENT);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static RunningCassandra running;

  @Override
  public void beforeAll(ExtensionContext context) {
    running =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.GLOBAL)
            .getOrComputeIfAbsent(
                RunningCassandra.class, key -> RunningCassandra.start(), RunningCassandra.class);
  }

  /** Returns the server, to stop, freeze and start it. */
  public static Server server() {
    return running.server;
  }

  static int port() {
    return running.ports.cassandra();
  }

  public static LedgerConnection connection(String keyspace) {
    return connection(keyspace, port(), TIMEOUT);
  }

  public static LedgerConnection connection(String keyspace, int port, Duration timeout) {
    return new LedgerConnection(
        List.of("127.0.0.1:" + port), "datacenter1", keyspace, 1, timeout, null, null);
  }

  /** Opens a session with a ledger of its own. */
  public static LedgerSession newLedger(String keyspace) {
    LedgerSession session = LedgerSession.open(connection(keyspace));
    LedgerSchema.create(session, PLACEMENT);
    return session;
  }

  /** The server and its folder. */
  private static final class RunningCassandra implements AutoCloseable {
    private final Path folder;
    private final Ports ports;
    private final Server server;

    private RunningCassandra(Path folder, Ports ports, Server server) {
      this.folder = folder;
      this.ports = ports;
      this.server = server;
    }

    private static RunningCassandra start() {
      try {
        Path folder = Files.createTempDirectory("tollgate-ledger-test");
        Ports ports = Ports.free();
        Server server = LocalStack.builder().dataDir(folder).ports(ports).build().cassandra();
        server.start();
        return new RunningCassandra(folder, ports, server);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      server.kill();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
