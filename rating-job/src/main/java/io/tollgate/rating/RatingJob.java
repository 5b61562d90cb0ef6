package io.tollgate.rating;

import io.tollgate.config.Secret;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.ledger.JobLease;
import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.ledger.WriterSettings;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.rating.dedup.DeduplicateAndRate.DedupSettings;
import io.tollgate.rating.gate.CassandraGate;
import io.tollgate.rating.gate.GateSettings;
import io.tollgate.rating.ingest.Arrival;
import io.tollgate.rating.ingest.ArrivalWatermarks;
import io.tollgate.rating.ingest.CdrDeserializer;
import io.tollgate.rating.ingest.CdrSource;
import io.tollgate.rating.ingest.StartPositions;
import io.tollgate.rating.ingest.TopicGuard;
import io.tollgate.rating.ingest.TopicStart;
import io.tollgate.rating.receipts.ReceiptPart;
import io.tollgate.rating.receipts.ReceiptSerializer;
import io.tollgate.rating.write.CassandraLedger;
import io.tollgate.rating.write.SideTopicSerializer;
import io.tollgate.source.CommittingSource;
import io.tollgate.wire.TopicSetup;
import io.tollgate.wire.tariff.KafkaTariffFeed;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ParameterTool;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rating job: {@code flink run rating-job.jar --config tollgate.yaml}, or the same jar uploaded
 * in the dashboard.
 */
public final class RatingJob {
  /** Name of the job in the dashboard and in metrics. */
  public static final String NAME = "tollgate-rating";

  private static final Logger LOG = LoggerFactory.getLogger(RatingJob.class);
  private static final Duration PARTITION_DISCOVERY = Duration.ofSeconds(30);
  private static final Duration LONGEST_READ = Duration.ofSeconds(15);

  private RatingJob() {}

  /** Submits the job. */
  public static void main(String[] args) throws Exception {
    RatingArguments arguments = RatingArguments.parse(args);
    if (arguments.help()) {
      System.out.println(RatingArguments.USAGE);
      return;
    }
    TollgateConfig config = TollgateConfig.read(arguments.config());
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    build(env, config, arguments, UnaryOperator.identity());
    env.getConfig()
        .setGlobalJobParameters(
            ParameterTool.fromMap(Map.of(TollgateConfig.INSTALLATION, config.installation())));
    env.execute(NAME);
  }

  /**
   * Adds the job to {@code env}. Looks at the ledger and at the topic first, so that what is absent
   * or unsuitable is said at submission and not by a job that restarts for ever.
   *
   * @param ledger what stands between the job and its ledger; nothing, except in tests of what a
   *     faulty writer does
   */
  static void build(
      StreamExecutionEnvironment env,
      TollgateConfig config,
      RatingArguments arguments,
      UnaryOperator<LedgerAccess> ledger)
      throws InterruptedException {
    TollgateConfig.Kafka kafka = config.kafka();
    LedgerConnection connection = connection(config);
    TopicStart start =
        TopicStart.resolve(
            kafka.clientProperties(),
            kafka.topics().cdr(),
            config.rating().group(),
            arguments.from(),
            InstantSource.system());
    LedgerLayout layout;
    boolean ledgerEmpty;
    try (LedgerSession session = LedgerSession.open(connection)) {
      layout =
          LedgerSchema.verify(
              session,
              new Placement(
                  config.ledger().buckets(), Set.copyOf(config.ledger().saltedAccounts())));
      ledgerEmpty =
          new LedgerReader(session, layout, ReadLimit.of(LONGEST_READ))
              .isEmpty()
              .toCompletableFuture()
              .join();
      requireNoHalt(new HaltLog(session).open());
    }
    warnIfAlone(config.reconcile());
    // Nothing was ever charged, so a state that starts empty has seen everything.
    long birthMillis = ledgerEmpty ? Long.MIN_VALUE : start.birthMillis();
    LedgerAccess access =
        ledger.apply(
            new CassandraLedger(
                connection,
                layout,
                WriterSettings.of(config.ledger().maxInFlight(), config.ledger().batchRows())));

    RatingGraph.build(
        env,
        layout,
        new DedupSettings(
            birthMillis, config.rating().idempotency().ttl(), config.rating().maxAhead()),
        new RatingGraph.Ends(
            new CdrSource(
                kafkaSource(config, start),
                guard(config, connection),
                gate(config, connection),
                arguments.fresh()),
            ArrivalWatermarks.strategy(
                config.rating().maxOutOfOrderness(), config.rating().idleAfter()),
            new KafkaTariffFeed.FromTopic(kafka.clientProperties(), kafka.topics().tariffs()),
            access,
            receiptSink(kafka),
            sink(kafka, new SideTopicSerializer(kafka.topics().suspended(), kafka.topics().cdr())),
            sink(kafka, new SideTopicSerializer(kafka.topics().rejected(), kafka.topics().cdr()))));
  }

  /** Returns how the jobs that write to the ledger reach it. */
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

  private static CommittingSource<Arrival> kafkaSource(TollgateConfig config, TopicStart start) {
    Properties client = config.kafka().clientProperties();
    String group = config.rating().group();
    KafkaSourceBuilder<Arrival> kafka =
        KafkaSource.<Arrival>builder()
            .setProperties(client)
            .setTopics(config.kafka().topics().cdr())
            .setClientIdPrefix(group)
            .setStartingOffsets(new StartPositions(start.offsetByPartition()))
            .setDeserializer(new CdrDeserializer(config.rating().maxAhead().toMillis()))
            .setProperty(
                KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(),
                Long.toString(PARTITION_DISCOVERY.toMillis()));
    return new CommittingSource<>(kafka, client, group);
  }

  private static TopicGuard guard(TollgateConfig config, LedgerConnection connection) {
    return new TopicGuard(
        connection,
        new JobLease.Key(
            config.kafka().topics().cdr(),
            config.rating().group(),
            UUID.randomUUID().toString(),
            NAME + " submitted at " + Instant.now()),
        config.kafka().clientProperties(),
        config.rating().group());
  }

  private static CdrSource.Gate gate(TollgateConfig config, LedgerConnection connection) {
    TollgateConfig.Gate gate = config.rating().gate();
    TollgateConfig.Reconcile reconcile = config.reconcile();
    return new CdrSource.Gate(
        new CassandraGate(connection, gate.lease()),
        GateSettings.of(
            reconcile.required(),
            reconcile.interval().multipliedBy(reconcile.missedCycles()),
            gate.poll(),
            gate.lease()));
  }

  /** Said here, where somebody reads it; the enumerator stays closed all the same. */
  static void requireNoHalt(List<RecordedHalt> open) {
    if (open.isEmpty()) {
      return;
    }
    throw new IllegalStateException(
        "Charging is halted, so the rating job does not start:\n"
            + open.stream()
                .map(
                    halt ->
                        "  "
                            + halt.halt().id()
                            + ": "
                            + halt.halt().cause()
                            + " ("
                            + halt.unresolved().size()
                            + " differences to be resolved)\n")
                .collect(Collectors.joining())
            + "Look at them with './tollgate halt status', resolve each with './tollgate halt"
            + " acknowledge', then start from the savepoint that the halt names.");
  }

  private static void warnIfAlone(TollgateConfig.Reconcile reconcile) {
    if (!reconcile.required()) {
      String warning =
          "reconcile.required: false. The rating job charges whether or not anybody proves the"
              + " ledger. Set it to true where money is at stake, and run the reconcile job.";
      LOG.warn(warning);
      System.err.println("WARNING: " + warning);
    }
  }

  /** Returns the sink of receipts, for each job that gives some. */
  public static Sink<ReceiptPart> receiptSink(TollgateConfig.Kafka kafka) {
    return sink(kafka, new ReceiptSerializer(kafka.topics().receipts()));
  }

  private static <T> KafkaSink<T> sink(
      TollgateConfig.Kafka kafka, KafkaRecordSerializationSchema<T> serializer) {
    Properties client = kafka.clientProperties();
    client.put(ProducerConfig.ACKS_CONFIG, "all");
    client.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    client.put(ProducerConfig.LINGER_MS_CONFIG, "20");
    client.put(
        ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(TopicSetup.SIDE_MESSAGE_BYTES));
    return KafkaSink.<T>builder()
        .setKafkaProducerConfig(client)
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .setRecordSerializer(serializer)
        .build();
  }
}
