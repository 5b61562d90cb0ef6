package io.tollgate.reconcile;

import io.tollgate.config.Secret;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.reconcile.compare.CompareSettings;
import io.tollgate.reconcile.compare.SourceRules;
import io.tollgate.reconcile.halt.HaltExecutor;
import io.tollgate.reconcile.halt.HaltPolicy;
import io.tollgate.reconcile.halt.LedgerHaltDesk;
import io.tollgate.reconcile.halt.StopHaltedJobs;
import io.tollgate.reconcile.progress.KafkaProgressWatch;
import io.tollgate.reconcile.read.ControlDeserializer;
import io.tollgate.reconcile.read.ReceiptDeserializer;
import io.tollgate.reconcile.read.SideRecordDeserializer;
import io.tollgate.reconcile.record.JdbcResultStore;
import io.tollgate.settlement.SettlementSchema;
import io.tollgate.source.CommittingSource;
import io.tollgate.wire.tariff.KafkaTariffFeed;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ParameterTool;

/**
 * The reconcile job: {@code flink run reconcile-job.jar --config tollgate.yaml}, or the same jar
 * uploaded in the dashboard.
 */
public final class ReconcileJob {
  /** Name of the job in the dashboard and in metrics. */
  public static final String NAME = "tollgate-reconcile";

  /** Name of the rating job in the Flink cluster. */
  private static final String RATING_JOB = "tollgate-rating";

  private static final Duration PARTITION_DISCOVERY = Duration.ofSeconds(30);
  private static final Duration SHORTEST_CHECKPOINT_INTERVAL = Duration.ofSeconds(1);
  private static final Duration LONGEST_CHECKPOINT_INTERVAL = Duration.ofSeconds(10);
  private static final int CHECKPOINTS_A_CYCLE = 6;
  private static final Duration VERIFY_FOR = Duration.ofDays(80);

  /** The hours that a wrong time zone reaches, and files that are a day late. */
  private static final Duration IDENTITIES_FOR = Duration.ofDays(2);

  /** Of sources that are not declared: what a declared one has if it says nothing. */
  private static final Duration TOTAL_DEADLINE = Duration.ofHours(1);

  private ReconcileJob() {}

  /** Submits the job. */
  public static void main(String[] args) throws Exception {
    ReconcileArguments arguments = ReconcileArguments.parse(args);
    if (arguments.help()) {
      System.out.println(ReconcileArguments.USAGE);
      return;
    }
    TollgateConfig config = TollgateConfig.read(arguments.config());
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    checkpointOften(env, config.reconcile().interval());
    build(env, config);
    env.getConfig()
        .setGlobalJobParameters(
            ParameterTool.fromMap(Map.of(TollgateConfig.INSTALLATION, config.installation())));
    env.execute(NAME);
  }

  /**
   * Adds the job to {@code env}. Looks at the ledger and at the database first, so that what is
   * absent or unsuitable is said at submission and not by a job that restarts for ever.
   */
  static void build(StreamExecutionEnvironment env, TollgateConfig config) {
    LedgerConnection connection = connection(config);
    LedgerLayout layout;
    try (LedgerSession session = LedgerSession.open(connection)) {
      layout =
          LedgerSchema.verify(
              session,
              new Placement(
                  config.ledger().buckets(), Set.copyOf(config.ledger().saltedAccounts())));
    }
    JdbcResultStore.Database database = database(config);
    SettlementSchema.migrate(database.url(), database.user(), database.password());

    TollgateConfig.Topics topics = config.kafka().topics();
    // A group of its own for each submission: see KafkaProgressWatch.
    String group = NAME + "-" + UUID.randomUUID();
    ReconcileGraph.build(
        env,
        layout,
        settings(config),
        new HaltPolicy(config.reconcile().onMismatch().equals("halt"), sources(config)),
        new ReconcileGraph.Ends(
            source(config, group, topics.control(), new ControlDeserializer()),
            source(config, group, topics.receipts(), new ReceiptDeserializer()),
            source(config, group, topics.suspended(), new SideRecordDeserializer()),
            source(config, group, topics.rejected(), new SideRecordDeserializer()),
            new CassandraLedgerView.FromCassandra(connection, layout),
            new KafkaTariffFeed.FromTopic(config.kafka().clientProperties(), topics.tariffs()),
            new KafkaProgressWatch.FromKafka(
                config.kafka().clientProperties(),
                new KafkaProgressWatch.Names(
                    topics.cdr(),
                    config.rating().group(),
                    List.of(
                        topics.control(), topics.receipts(), topics.suspended(), topics.rejected()),
                    Set.of(topics.suspended(), topics.rejected()),
                    group)),
            new TopicCdrLookup.FromKafka(config.kafka().clientProperties(), topics.cdr()),
            () ->
                new LedgerHaltDesk(
                    SharedSessions.take(connection), () -> SharedSessions.giveBack(connection)),
            database,
            config.reconcile().stopJob() ? executors(connection, config) : null));
  }

  /**
   * Each verdict waits for a checkpoint, which proves what was taken in. So there are several in a
   * cycle, whatever the cluster's own interval is.
   */
  private static void checkpointOften(StreamExecutionEnvironment env, Duration cycle) {
    long millis =
        Math.max(
            SHORTEST_CHECKPOINT_INTERVAL.toMillis(),
            Math.min(
                LONGEST_CHECKPOINT_INTERVAL.toMillis(), cycle.toMillis() / CHECKPOINTS_A_CYCLE));
    env.enableCheckpointing(millis);
    env.getCheckpointConfig().setMinPauseBetweenCheckpoints(millis / 2);
  }

  private static StopHaltedJobs.Executors executors(
      LedgerConnection connection, TollgateConfig config) {
    URI rest = config.flink().rest();
    String savepoints = config.flink().savepoints();
    String installation = config.installation();
    return () ->
        HaltExecutor.of(
            new HaltLog(SharedSessions.take(connection)),
            rest,
            RATING_JOB,
            installation,
            savepoints);
  }

  private static CompareSettings settings(TollgateConfig config) {
    return new CompareSettings(
        config.reconcile().interval(),
        config.reconcile().sweep(),
        config.rating().maxOutOfOrderness(),
        config.reconcile().verifyAgain(),
        VERIFY_FOR,
        IDENTITIES_FOR);
  }

  private static SourceRules sources(TollgateConfig config) {
    Map<String, SourceRules.Rules> declared = new HashMap<>();
    config
        .sources()
        .forEach(
            (id, source) ->
                declared.put(
                    id,
                    new SourceRules.Rules(
                        source.market(),
                        source.controlTotalDeadline(),
                        source.onMissing().equals("halt"),
                        source.cadence(),
                        source.sequence())));
    return new SourceRules(declared, new SourceRules.Rules("", TOTAL_DEADLINE, false, null, null));
  }

  private static JdbcResultStore.Database database(TollgateConfig config) {
    Secret password = config.postgres().password();
    return new JdbcResultStore.Database(
        config.postgres().url(),
        config.postgres().user(),
        password == null ? null : password.value(),
        config.reconcile().settleAfter(),
        config.reconcile().keepCycles(),
        config.reconcile().keepResults());
  }

  private static LedgerConnection connection(TollgateConfig config) {
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

  private static <T> CommittingSource<T> source(
      TollgateConfig config,
      String group,
      String topic,
      KafkaRecordDeserializationSchema<T> deserializer) {
    Properties client = config.kafka().clientProperties();
    KafkaSourceBuilder<T> kafka =
        KafkaSource.<T>builder()
            .setProperties(client)
            .setTopics(topic)
            .setClientIdPrefix(group + "-" + topic)
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setDeserializer(deserializer)
            .setProperty(
                KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(),
                Long.toString(PARTITION_DISCOVERY.toMillis()));
    return new CommittingSource<>(kafka, client, group);
  }
}
