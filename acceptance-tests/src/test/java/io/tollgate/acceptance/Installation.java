package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.acceptance.FlinkJobs.Job;
import io.tollgate.cli.Provision;
import io.tollgate.cli.TariffPublication;
import io.tollgate.cli.Tollgate;
import io.tollgate.cli.demo.DemoConfiguration;
import io.tollgate.cli.demo.ReceiptWatch;
import io.tollgate.cli.demo.ReferenceRating;
import io.tollgate.cli.demo.Verdict;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.tariff.TariffHistory;
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
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** Topics, ledger and job of one test, apart from those of other tests on the same servers. */
final class Installation {
  static final Path HOME = Path.of(System.getProperty("tollgate.home", "..")).toAbsolutePath();
  static final Path JAR = HOME.resolve("rating-job/target/rating-job.jar");

  /** Where {@code FaultyWriterJob} is. */
  private static final Path RATING_TEST_CLASSES = HOME.resolve("rating-job/target/test-classes");

  static final Path RECONCILE_JAR = HOME.resolve("reconcile-job/target/reconcile-job.jar");

  private static final Pattern JOB_ID = Pattern.compile("JobID ([0-9a-f]{32})");
  private static final Pattern SAVEPOINT = Pattern.compile("Path: (\\S+)");

  /** Receipts and verdicts come with checkpoints, and a test waits for many of them. */
  private static final String FREQUENT_CHECKPOINTS = "-Dexecution.checkpointing.interval=2s";

  private static final Duration OUTAGE = Duration.ofMinutes(3);

  private final LocalStack stack;
  private final Path configFile;
  private final TollgateConfig config;
  private final FlinkJobs jobs;
  private final ReferenceRating reference;
  private int parallelism = 2;

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
    this(stack, folder, name, "", reconcile, Optional.of(HOME.resolve("tariffs")));
  }

  /**
   * Makes topics, ledger and database, and publishes tariffs.
   *
   * @param name tells this installation from others on the same servers
   * @param rating further keys of the configuration's part {@code rating}
   * @param more further parts of the configuration
   * @param tariffs what to publish; absent for nothing
   */
  Installation(
      LocalStack stack,
      Path folder,
      String name,
      String rating,
      String more,
      Optional<Path> tariffs)
      throws Exception {
    this.stack = stack;
    this.configFile =
        DemoConfiguration.writeApart(
            folder, stack, name.toLowerCase(Locale.ROOT), rating.indent(2) + more);
    this.config = TollgateConfig.read(configFile);
    this.jobs = new FlinkJobs(stack.flinkRest());
    Provision.run(config);
    Rater book =
        tariffs.isPresent()
            ? TariffPublication.publish(config, tariffs.get())
            : TariffHistory.EMPTY;
    this.reference = new ReferenceRating(book, config.rating().maxAhead().toMillis());
  }

  TollgateConfig config() {
    return config;
  }

  /** Submits jobs that are so wide from now on, and not two subtasks. */
  void parallelism(int subtasks) {
    parallelism = subtasks;
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
    ArrayList<String> line = new ArrayList<>(List.of("run", "-d", FREQUENT_CHECKPOINTS));
    line.addAll(List.of("-p", Integer.toString(parallelism)));
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

  /** Submits the rating job with a writer that leaves out a row now and then. */
  String submitFaulty() {
    return submitted(
        flinkRun(
            JAR,
            List.of(
                "-C",
                RATING_TEST_CLASSES.toUri().toString(),
                "-c",
                "io.tollgate.rating.FaultyWriterJob"),
            "--fresh"));
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

  /** Runs a command of {@code ./tollgate}, expects success, and returns what it printed. */
  String tollgate(String... arguments) {
    CommandResult result = tryTollgate(arguments);
    assertThat(result.exitCode()).as(result.output()).isZero();
    return result.output();
  }

  /** Runs a command of {@code ./tollgate}, whatever comes of it. */
  CommandResult tryTollgate(String... arguments) {
    StringWriter output = new StringWriter();
    List<String> line = new ArrayList<>(List.of(arguments));
    line.addAll(List.of("--config", configFile.toString()));
    int exitCode =
        Tollgate.commandLine()
            .setOut(new PrintWriter(output))
            .setErr(new PrintWriter(output))
            .execute(line.toArray(String[]::new));
    return new CommandResult(exitCode, output.toString());
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

  /** Takes a canonical savepoint of a job that goes on; returns where that is. */
  String savepoint(String job) {
    CommandResult result =
        stack.flinkCli().run("savepoint", "-type", "canonical", job, stack.savepoints().toString());
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

  /** Deletes all records of the topic of CDRs, as if its retention were over. */
  void truncateCdrs() throws Exception {
    try (Admin admin = Admin.create(config.kafka().clientProperties())) {
      Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
      cdrOffsets(admin, OffsetSpec.latest())
          .forEach((partition, end) -> all.put(partition, RecordsToDelete.beforeOffset(end)));
      admin.deleteRecords(all).all().get();
      await("the topic begins where it ends")
          .until(
              () ->
                  cdrOffsets(admin, OffsetSpec.earliest())
                      .equals(cdrOffsets(admin, OffsetSpec.latest())));
    }
  }

  /** Waits until the rating job has committed everything that is on the topic of CDRs. */
  void awaitCommitted() throws Exception {
    try (Admin admin = Admin.create(config.kafka().clientProperties())) {
      await("everything is committed")
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                Map<TopicPartition, Long> committed = new HashMap<>();
                admin
                    .listConsumerGroupOffsets(config.rating().group())
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .forEach((partition, known) -> committed.put(partition, known.offset()));
                return committed.equals(cdrOffsets(admin, OffsetSpec.latest()));
              });
    }
  }

  private Map<TopicPartition, Long> cdrOffsets(Admin admin, OffsetSpec which) throws Exception {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (TopicDescription topic :
        admin
            .describeTopics(List.of(config.kafka().topics().cdr()))
            .allTopicNames()
            .get()
            .values()) {
      topic
          .partitions()
          .forEach(each -> asked.put(new TopicPartition(topic.name(), each.partition()), which));
    }
    Map<TopicPartition, Long> offsets = new HashMap<>();
    admin
        .listOffsets(asked)
        .all()
        .get()
        .forEach((partition, found) -> offsets.put(partition, found.offset()));
    return offsets;
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
      return Verdict.of(reference, totals, receipts, reader(session).all());
    }
  }

  /** Reads all rows of the ledger. */
  List<Charge> ledger() {
    try (LedgerSession session = LedgerSession.open(Provision.connection(config))) {
      List<Charge> rows = new ArrayList<>();
      reader(session).all().forEachRemaining(rows::add);
      return rows;
    }
  }

  private static LedgerReader reader(LedgerSession session) {
    return new LedgerReader(
        session, LedgerSchema.verify(session), ReadLimit.of(Duration.ofMinutes(1)));
  }
}
