package io.tollgate.rerate;

import io.tollgate.config.Secret;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.WriterSettings;
import io.tollgate.rating.RatingJob;
import io.tollgate.rating.write.CassandraLedger;
import io.tollgate.settlement.Postgres;
import io.tollgate.settlement.Rerates;
import io.tollgate.settlement.SettlementSchema;
import io.tollgate.wire.tariff.KafkaTariffFeed;
import io.tollgate.wire.tariff.RerateGoal;
import io.tollgate.wire.tariff.TariffTopic;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The rerate job: {@code flink run rerate-job.jar --hours A..B --reason TEXT}, the same jar
 * uploaded in the dashboard, or {@code ./tollgate rerate}. It ends by itself.
 */
public final class RerateJob {
  /** Name of the job in the dashboard and in metrics. */
  public static final String NAME = "tollgate-rerate";

  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(10);

  private RerateJob() {}

  /** Submits the job. */
  public static void main(String[] args) throws Exception {
    RerateArguments arguments = RerateArguments.parse(args);
    if (arguments.help()) {
      System.out.println(RerateArguments.USAGE);
      return;
    }
    TollgateConfig config = TollgateConfig.read(arguments.config());
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.enableCheckpointing(CHECKPOINT_INTERVAL.toMillis());
    build(env, config, arguments);
    System.out.println("Run " + arguments.run());
    env.execute(NAME);
  }

  /**
   * Adds the job to {@code env} and records that it begins. Waits until the rating job has read the
   * correction, so that what it writes meanwhile is not missed.
   */
  static void build(
      StreamExecutionEnvironment env, TollgateConfig config, RerateArguments arguments)
      throws SQLException {
    LedgerConnection connection = RatingJob.connection(config);
    LedgerLayout layout;
    try (LedgerSession session = LedgerSession.open(connection)) {
      layout = LedgerSchema.verify(session);
    }
    TollgateConfig.Kafka kafka = config.kafka();
    RerateGoal goal =
        RerateGoal.of(
            new TariffTopic(kafka.clientProperties(), kafka.topics().tariffs()).read(),
            arguments.hours().firstHour(),
            arguments.hours().lastHour(),
            arguments.correction());
    goal.await(
        kafka.clientProperties(),
        kafka.topics().receipts(),
        arguments.patience(),
        System.out::println);
    long correction = goal.correction();
    JdbcRunStore.Database database = database(config);
    SettlementSchema.migrate(database.url(), database.user(), database.password());
    Work work;
    try (Connection jdbc = Postgres.open(database.url(), database.user(), database.password())) {
      Rerates rerates = new Rerates(jdbc);
      long reratedTo =
          rerates.reratedTo(arguments.hours().firstHour(), arguments.hours().lastHour());
      work =
          Work.of(
              arguments.run(),
              arguments.hours(),
              arguments.accounts(),
              Math.min(reratedTo, correction - 1),
              correction,
              arguments.dryRun(),
              layout);
      rerates.begin(
          new Rerates.Order(
              work.run(),
              InstantSource.system().millis(),
              arguments.by(),
              arguments.reason(),
              work.firstHour(),
              work.lastHour(),
              work.accounts(),
              work.fromCorrection(),
              work.toCorrection(),
              work.dryRun(),
              work.units()));
    }
    RerateGraph.build(
        env,
        layout,
        work,
        new RerateGraph.Ends(
            new CassandraRows.FromLedger(connection, layout),
            new CassandraLedger(
                connection,
                layout,
                WriterSettings.of(config.ledger().maxInFlight(), config.ledger().batchRows())),
            new KafkaTariffFeed.FromTopic(kafka.clientProperties(), kafka.topics().tariffs()),
            RatingJob.receiptSink(kafka),
            database));
  }

  private static JdbcRunStore.Database database(TollgateConfig config) {
    Secret password = config.postgres().password();
    return new JdbcRunStore.Database(
        config.postgres().url(),
        config.postgres().user(),
        password == null ? null : password.value());
  }
}
