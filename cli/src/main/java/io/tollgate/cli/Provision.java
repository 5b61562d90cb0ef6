package io.tollgate.cli;

import io.tollgate.config.Secret;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.wire.TopicSetup;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** Makes the topics, the ledger and the tables of settlement where they are missing. */
public final class Provision {
  private Provision() {}

  /**
   * Makes what is missing.
   *
   * @return names of the topics that were made
   */
  public static List<String> run(TollgateConfig config) throws InterruptedException {
    List<String> topics;
    try (Admin admin = Admin.create(config.kafka().clientProperties())) {
      topics = TopicSetup.create(admin, config.kafka());
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "Kafka at "
              + config.kafka().bootstrapServers()
              + " did not make the topics: "
              + e.getMessage(),
          e);
    }
    try (LedgerSession session = LedgerSession.open(connection(config))) {
      LedgerSchema.create(
          session,
          new Placement(config.ledger().buckets(), Set.copyOf(config.ledger().saltedAccounts())));
    }
    PostgresOfConfig.migrate(config);
    return topics;
  }

  /** Returns how to reach the ledger. */
  public static LedgerConnection connection(TollgateConfig config) {
    TollgateConfig.Cassandra cassandra = config.cassandra();
    Secret password = cassandra.password();
    return new LedgerConnection(
        cassandra.contactPoints(),
        cassandra.datacenter(),
        cassandra.keyspace(),
        cassandra.replicationFactor(),
        config.ledger().requestTimeout(),
        cassandra.username(),
        password == null ? null : password.value());
  }
}
