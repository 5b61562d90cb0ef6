package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.acceptance.FlinkJobs.Job;
import io.tollgate.cli.Provision;
import io.tollgate.cli.TariffPublication;
import io.tollgate.cli.demo.DemoConfiguration;
import io.tollgate.cli.demo.ReceiptWatch;
import io.tollgate.cli.demo.ReferenceRating;
import io.tollgate.cli.demo.Verdict;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.ingest.kafka.KafkaAddress;
import io.tollgate.ingest.kafka.KafkaOutbox;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.localstack.CommandResult;
import io.tollgate.localstack.LocalStack;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.ReceiptTally;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Topics, ledger and job of one test, apart from those of other tests on the same servers. */
final class Installation {
  static final Path HOME = Path.of(System.getProperty("tollgate.home", "..")).toAbsolutePath();
  static final Path JAR = HOME.resolve("rating-job/target/rating-job.jar");

  static final Path RECONCILE_JAR = HOME.resolve("reconcile-job/target/reconcile-job.jar");

  private static final Pattern JOB_ID = Pattern.compile("JobID ([0-9a-f]{32})");
  private static final Pattern SAVEPOINT = Pattern.compile("Path: (\\S+)");
  private static final Duration OUTAGE = Duration.ofMinutes(3);

  private final LocalStack stack;
  private final Path configFile;
  private final TollgateConfig config;
  private final FlinkJobs jobs;
  private final TariffBook book;
  private final ReferenceRating reference;

  /**
   * Makes topics, ledger and database, and publishes the sample tariffs.
   *
   * @param name tells this installation from others on the same servers
   */
  Installation(LocalStack stack, Path folder, String name) throws Exception {
    this(stack, folder, name, DemoConfiguration.RATING_ALONE);
  }

  /**
   * Makes topics, ledger and database, and publishes the sample tariffs.
   *
   * @param name tells this installation from others on the same servers
   * @param reconcile the configuration's part about reconciliation
   */
  Installation(LocalStack stack, Path folder, String name, String reconcile) throws Exception {
    this.stack = stack;
    String lower = name.toLowerCase(Locale.ROOT);
    this.configFile =
        DemoConfiguration.write(
            folder.resolve(name),
            stack,
            """
            rating:
              group: %1$s-rating
              max_out_of_orderness: 1h
            """
                    .formatted(lower)
                + reconcile);
    String yaml = Files.readString(configFile);
    Files.writeString(
        configFile,
        yaml.replaceFirst(
                "(?m)^kafka:$",
                """
                kafka:
                  topics:
                    cdr: %1$s.cdr
                    control: %1$s.control
                    rejected: %1$s.rejected
                    suspended: %1$s.suspended
                    tariffs: %1$s.tariffs
                    receipts: %1$s.receipts\
                """
                    .formatted(lower))
            .replaceFirst("(?m)^cassandra:$", "cassandra:\n  keyspace: " + lower)
            .replace(stack.jdbcUrl(), database(stack, lower)));
    this.config = TollgateConfig.read(configFile);
    this.jobs = new FlinkJobs(stack.flinkRest());
    Provision.run(config);
    this.book = TariffPublication.publish(config, HOME.resolve("tariffs"));
    this.reference = new ReferenceRating(book, config.rating().maxAhead().toMillis());
  }

  /** Creates a database beside the one that everything else of the stack shares. */
  private static String database(LocalStack stack, String name) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(stack.jdbcUrl(), stack.postgresUser(), "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE \"" + name + "\"");
    }
    return stack.jdbcUrl().replaceFirst("/[^/?]*($|\\?)", "/" + name + "$1");
  }

  TollgateConfig config() {
    return config;
  }

  Path configFile() {
    return configFile;
  }

  FlinkJobs jobs() {
    return jobs;
  }

  /** Submits with Flink's own command line; more arguments go before the jar. */
  CommandResult flinkRun(List<String> options, String... arguments) {
    return flinkRun(JAR, options, arguments);
  }

  private CommandResult flinkRun(Path jar, List<String> options, String... arguments) {
    ArrayList<String> line = new ArrayList<>(List.of("run", "-d", "-p", "2"));
    line.addAll(options);
    line.add(jar.toString());
    line.addAll(List.of("--config", configFile.toString()));
    line.addAll(List.of(arguments));
    return stack.flinkCli().run(line);
  }

  /** Submits, expects success, and returns the job's id. */
  String submit(List<String> options, String... arguments) {
    return submitted(flinkRun(options, arguments));
  }

  /** Submits the reconcile job, expects success, and returns the job's id. */
  String submitReconcile(List<String> options) {
    return submitted(flinkRun(RECONCILE_JAR, options));
  }

  private static String submitted(CommandResult result) {
    assertThat(result.exitCode()).as(result.output()).isZero();
    Matcher id = JOB_ID.matcher(result.output());
    assertThat(id.find()).as(result.output()).isTrue();
    return id.group(1);
  }

  void awaitState(String job, String state) {
    await("job " + job + " is " + state)
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions()
        .until(() -> jobs.state(job).equals(state));
  }

  void awaitCheckpoints(String job, long count) {
    await("checkpoint " + count + " of job " + job)
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions()
        .until(() -> jobs.completedCheckpoints(job) >= count);
  }

  /** Stops a job with a canonical savepoint; returns where that is. */
  String stop(String job) {
    CommandResult result =
        stack
            .flinkCli()
            .run("stop", "-p", stack.savepoints().toString(), "-type", "canonical", job);
    assertThat(result.exitCode()).as(result.output()).isZero();
    Matcher path = SAVEPOINT.matcher(result.output());
    assertThat(path.find()).as(result.output()).isTrue();
    return path.group(1);
  }

  void cancel(String job) throws Exception {
    jobs.cancel(job);
    awaitState(job, "CANCELED");
  }

  /** Cancels whatever this test left running. */
  void cancelAll() throws Exception {
    for (Job job : jobs.all()) {
      if (!List.of("CANCELED", "FAILED", "FINISHED").contains(job.state())) {
        cancel(job.id());
      }
    }
  }

  WatchedOutbox outbox() {
    TollgateConfig.Kafka kafka = config.kafka();
    return new WatchedOutbox(
        new KafkaOutbox(
            new KafkaAddress(
                kafka.bootstrapServers(), kafka.topics().cdr(), kafka.topics().control(), Map.of()),
            OUTAGE,
            message -> {}),
        reference,
        InstantSource.system());
  }

  /** Waits until each record of these batches has its outcome. */
  ReceiptTally awaitOutcomes(List<ControlTotal> totals, Duration patience) {
    long expected = totals.stream().mapToLong(ControlTotal::records).sum();
    ReceiptWatch watch = new ReceiptWatch(config);
    return await("outcomes of " + expected + " records")
        .atMost(patience)
        .pollInterval(Duration.ofSeconds(2))
        .ignoreExceptions()
        .until(watch::read, tally -> ReceiptWatch.outcomes(tally, totals) >= expected);
  }

  Verdict verdict(List<ControlTotal> totals, ReceiptTally receipts) {
    try (LedgerSession session = LedgerSession.open(Provision.connection(config))) {
      LedgerReader ledger =
          new LedgerReader(
              session, LedgerSchema.verify(session), ReadLimit.of(Duration.ofMinutes(1)));
      return Verdict.of(reference, totals, receipts, ledger.all());
    }
  }
}
