package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A session with the ledger's cluster, configured so that an acknowledgement can be trusted. Safe
 * for use from many threads; expensive to open, so keep one per process or operator.
 */
public final class LedgerSession implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration FIRST_RECONNECT_DELAY = Duration.ofMillis(250);
  // The driver's own limit is a minute: too long to leave a job waiting for a node that is back.
  private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofSeconds(5);

  private final CqlSession cql;
  private final LedgerConnection connection;

  private LedgerSession(CqlSession cql, LedgerConnection connection) {
    this.cql = cql;
    this.connection = connection;
  }

  /**
   * Connects. Does not look at the schema: see {@link LedgerSchema}.
   *
   * @throws LedgerUnreachableException if no contact point answers, within half a minute
   * @throws LedgerException if the user is refused, the datacenter is unknown, or the driver's
   *     configuration would weaken the ledger
   */
  public static LedgerSession open(LedgerConnection connection) {
    CqlSession cql = connect(connection);
    try {
      DriverRules.check(cql.getContext().getConfig());
      requireDatacenter(cql, connection);
      return new LedgerSession(cql, connection);
    } catch (RuntimeException e) {
      cql.close();
      throw e;
    }
  }

  /** Returns the driver's session. */
  public CqlSession cql() {
    return cql;
  }

  /** Returns the name of the ledger's keyspace. */
  public String keyspace() {
    return connection.keyspace();
  }

  /** Returns how this session was reached. */
  public LedgerConnection connection() {
    return connection;
  }

  @Override
  public void close() {
    cql.close();
  }

  private static CqlSession connect(LedgerConnection connection) {
    // The driver looks for its classes and files with the thread's class loader, which in a Flink
    // task need not be the one that holds the driver.
    ClassLoader loader = LedgerSession.class.getClassLoader();
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withClassLoader(loader)
            .withConfigLoader(driverConfig(connection, loader))
            .withLocalDatacenter(connection.datacenter());
    for (String contactPoint : connection.contactPoints()) {
      builder.addContactPoint(address(contactPoint));
    }
    String username = connection.username();
    String password = connection.password();
    if (username != null && password != null) {
      builder.withAuthCredentials(username, password);
    }
    try {
      return builder.build();
    } catch (AllNodesFailedException | DriverTimeoutException e) {
      throw unreachable(connection, e);
    } catch (DriverException e) {
      throw new LedgerException("The ledger refused: " + connection + ": " + e.getMessage(), e);
    }
  }

  static DriverConfigLoader driverConfig(
      LedgerConnection connection, @Nullable ClassLoader loader) {
    Duration timeout = connection.requestTimeout();
    return DriverConfigLoader.programmaticBuilder(loader)
        .withString(DefaultDriverOption.SESSION_NAME, "tollgate")
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, timeout)
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, CONNECT_TIMEOUT)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, CONNECT_TIMEOUT)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, CONNECT_TIMEOUT)
        .withString(
            DefaultDriverOption.REQUEST_CONSISTENCY, DefaultConsistencyLevel.LOCAL_QUORUM.name())
        .withString(
            DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY,
            DefaultConsistencyLevel.LOCAL_SERIAL.name())
        .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, RethrowPolicy.class)
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, FIRST_RECONNECT_DELAY)
        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, LONGEST_RECONNECT_DELAY)
        // Schema answers of a large cluster, and creating tables, may take their time.
        .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, Duration.ofSeconds(20))
        .build();
  }

  private static InetSocketAddress address(String hostPort) {
    int colon = hostPort.lastIndexOf(':');
    String host = hostPort.substring(0, colon).replace("[", "").replace("]", "");
    return new InetSocketAddress(host, Integer.parseInt(hostPort.substring(colon + 1)));
  }

  private static LedgerException unreachable(LedgerConnection connection, DriverException cause) {
    if (RequestFailure.of(cause) == RequestFailure.REFUSED) {
      return new LedgerException(
          "The ledger refused: " + connection + ": " + cause.getMessage(), cause);
    }
    return new LedgerUnreachableException(
        "Cassandra does not answer: "
            + connection.contactPoints()
            + " (expected: a running node at cassandra.contact_points; start the local stack with"
            + " './tollgate up'): "
            + cause.getMessage(),
        cause);
  }

  private static void requireDatacenter(CqlSession cql, LedgerConnection connection) {
    boolean isKnown =
        cql.getMetadata().getNodes().values().stream()
            .anyMatch(node -> connection.datacenter().equals(node.getDatacenter()));
    if (!isKnown) {
      throw new LedgerException(
          "cassandra.datacenter: "
              + connection.datacenter()
              + " (expected: one of "
              + cql.getMetadata().getNodes().values().stream()
                  .map(node -> String.valueOf(node.getDatacenter()))
                  .distinct()
                  .sorted()
                  .toList()
              + ")");
    }
  }
}
