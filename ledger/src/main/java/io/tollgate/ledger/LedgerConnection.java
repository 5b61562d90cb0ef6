package io.tollgate.ledger;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How to reach the ledger.
 *
 * @param contactPoints nodes to ask first, as host:port
 * @param datacenter whose replicas acknowledge writes (LOCAL_QUORUM)
 * @param keyspace keyspace of the ledger
 * @param replicationFactor replicas in that datacenter, used when the keyspace is created
 * @param requestTimeout how long one request may take before its outcome counts as unknown
 * @param username null if the cluster asks for none
 * @param password null if the cluster asks for none; never printed
 */
public record LedgerConnection(
    List<String> contactPoints,
    String datacenter,
    String keyspace,
    int replicationFactor,
    Duration requestTimeout,
    @Nullable String username,
    @Nullable String password)
    implements Serializable {

  public LedgerConnection {
    contactPoints = List.copyOf(contactPoints);
    if (contactPoints.isEmpty()) {
      throw new IllegalArgumentException("contact points: none (expected: at least one host:port)");
    }
    Objects.requireNonNull(datacenter, "datacenter");
    if (!keyspace.matches("[a-z][a-z0-9_]{0,47}")) {
      throw new IllegalArgumentException(
          "keyspace: '" + keyspace + "' (expected: small letters, digits, underscores)");
    }
  }

  @Override
  public String toString() {
    return "keyspace " + keyspace + " of Cassandra at " + contactPoints + " (" + datacenter + ")";
  }
}
