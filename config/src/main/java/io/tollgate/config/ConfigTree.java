package io.tollgate.config;

import io.tollgate.config.TollgateConfig.Cassandra;
import io.tollgate.config.TollgateConfig.Flink;
import io.tollgate.config.TollgateConfig.Gate;
import io.tollgate.config.TollgateConfig.Idempotency;
import io.tollgate.config.TollgateConfig.Kafka;
import io.tollgate.config.TollgateConfig.Ledger;
import io.tollgate.config.TollgateConfig.Ports;
import io.tollgate.config.TollgateConfig.Postgres;
import io.tollgate.config.TollgateConfig.Rating;
import io.tollgate.config.TollgateConfig.Reconcile;
import io.tollgate.config.TollgateConfig.Source;
import io.tollgate.config.TollgateConfig.Stack;
import io.tollgate.config.TollgateConfig.Tariffs;
import io.tollgate.config.TollgateConfig.Topics;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Puts the values of a file into the tree of records. */
final class ConfigTree {
  private ConfigTree() {}

  static TollgateConfig build(ConfigValues values) {
    return new TollgateConfig(
        kafka(values),
        cassandra(values),
        new Postgres(
            values.get(Keys.POSTGRES_URL),
            values.get(Keys.POSTGRES_USER),
            values.getOrNull(Keys.POSTGRES_PASSWORD)),
        new Flink(values.get(Keys.FLINK_REST), values.getOrNull(Keys.FLINK_SAVEPOINTS)),
        rating(values),
        ledger(values),
        new Reconcile(
            values.get(Keys.RECONCILE_INTERVAL),
            values.get(Keys.RECONCILE_ON_MISMATCH),
            values.get(Keys.RECONCILE_REQUIRED),
            values.get(Keys.RECONCILE_MISSED_CYCLES),
            values.get(Keys.RECONCILE_STOP_JOB),
            values.get(Keys.RECONCILE_SWEEP),
            values.get(Keys.RECONCILE_VERIFY_AGAIN),
            values.get(Keys.RECONCILE_SETTLE_AFTER),
            values.get(Keys.RECONCILE_KEEP_CYCLES),
            values.get(Keys.RECONCILE_KEEP_RESULTS)),
        sources(values),
        new Tariffs(values.get(Keys.TARIFFS_LEAD_TIME)),
        stack(values));
  }

  private static Kafka kafka(ConfigValues values) {
    Topics topics =
        new Topics(
            values.get(Keys.KAFKA_TOPICS_CDR),
            values.get(Keys.KAFKA_TOPICS_CONTROL),
            values.get(Keys.KAFKA_TOPICS_REJECTED),
            values.get(Keys.KAFKA_TOPICS_SUSPENDED),
            values.get(Keys.KAFKA_TOPICS_TARIFFS),
            values.get(Keys.KAFKA_TOPICS_RECEIPTS));
    return new Kafka(
        values.get(Keys.KAFKA_BOOTSTRAP),
        topics,
        values.get(Keys.KAFKA_PARTITIONS),
        values.get(Keys.KAFKA_REPLICATION_FACTOR),
        values.get(Keys.KAFKA_RETENTION),
        values.get(Keys.KAFKA_PROPERTIES));
  }

  private static Cassandra cassandra(ConfigValues values) {
    return new Cassandra(
        values.get(Keys.CASSANDRA_CONTACT_POINTS),
        values.get(Keys.CASSANDRA_DATACENTER),
        values.get(Keys.CASSANDRA_KEYSPACE),
        values.get(Keys.CASSANDRA_REPLICATION_FACTOR),
        values.getOrNull(Keys.CASSANDRA_USERNAME),
        values.getOrNull(Keys.CASSANDRA_PASSWORD));
  }

  private static Rating rating(ConfigValues values) {
    Idempotency idempotency =
        new Idempotency(
            values.get(Keys.RATING_IDEMPOTENCY_STORE), values.get(Keys.RATING_IDEMPOTENCY_TTL));
    return new Rating(
        values.get(Keys.RATING_GROUP),
        values.get(Keys.RATING_MAX_OUT_OF_ORDERNESS),
        values.get(Keys.RATING_IDLE_AFTER),
        values.get(Keys.RATING_MAX_AHEAD),
        idempotency,
        new Gate(values.get(Keys.RATING_GATE_POLL), values.get(Keys.RATING_GATE_LEASE)));
  }

  private static Ledger ledger(ConfigValues values) {
    return new Ledger(
        values.get(Keys.LEDGER_BUCKETS),
        values.get(Keys.LEDGER_SALTED_ACCOUNTS),
        values.get(Keys.LEDGER_MAX_IN_FLIGHT),
        values.get(Keys.LEDGER_BATCH_ROWS),
        values.get(Keys.LEDGER_REQUEST_TIMEOUT));
  }

  private static Map<String, Source> sources(ConfigValues values) {
    Map<String, Source> sources = new LinkedHashMap<>();
    for (String id : values.chosenNames("sources")) {
      String switchId = values.getOrNull(Keys.SOURCE_SWITCH, id);
      String market = values.getOrNull(Keys.SOURCE_MARKET, id);
      sources.put(
          id,
          new Source(
              id,
              switchId == null ? id : switchId,
              values.required(Keys.SOURCE_FORMAT, id),
              values.getOrNull(Keys.SOURCE_ZONE, id),
              values.getOrNull(Keys.SOURCE_COUNTRY, id),
              values.getOrNull(Keys.SOURCE_ACCOUNT, id),
              values.get(Keys.SOURCE_LEGS, id),
              values.get(Keys.SOURCE_IDENTITY, id),
              values.getOrNull(Keys.SOURCE_COLUMNS, id),
              market == null ? id : market,
              values.get(Keys.SOURCE_CONTROL_TOTAL_DEADLINE, id),
              values.get(Keys.SOURCE_ON_MISSING, id),
              values.getOrNull(Keys.SOURCE_CADENCE, id),
              values.getOrNull(Keys.SOURCE_SEQUENCE, id)));
    }
    return Collections.unmodifiableMap(sources);
  }

  private static Stack stack(ConfigValues values) {
    Ports ports =
        new Ports(
            values.get(Keys.STACK_PORTS_KAFKA),
            values.get(Keys.STACK_PORTS_KAFKA_CONTROLLER),
            values.get(Keys.STACK_PORTS_CASSANDRA),
            values.get(Keys.STACK_PORTS_CASSANDRA_STORAGE),
            values.get(Keys.STACK_PORTS_POSTGRES),
            values.get(Keys.STACK_PORTS_FLINK_REST),
            values.get(Keys.STACK_PORTS_FLINK_RPC),
            values.get(Keys.STACK_PORTS_FLINK_METRICS));
    return new Stack(values.get(Keys.STACK_DATA), ports);
  }
}
