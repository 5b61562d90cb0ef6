package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.localstack.CommandResult;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Starting the rating job: by command line and dashboard, with state and without, and refusals. */
class SubmissionITCase {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private Installation installation;

  @AfterEach
  void cancelJobs() throws Exception {
    if (installation != null) {
      installation.cancelAll();
    }
  }

  @Test
  void runsFromAnUploadInTheDashboard() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "dashboard");
    String jar = installation.jobs().upload(Installation.JAR);
    String job =
        installation.jobs().run(jar, "--config", installation.configFile().toString(), "--fresh");
    installation.awaitState(job, "RUNNING");

    List<ControlTotal> totals = send(1, 2_000);
    assertThat(
            installation
                .verdict(totals, installation.awaitOutcomes(totals, PATIENCE))
                .differences())
        .isEmpty();
    assertThat(String.join(" | ", installation.jobs().vertices(job)))
        .containsSubsequence(
            "read, decode and validate CDRs",
            "deduplicate and rate",
            "write to the ledger",
            "merge receipts");

    String reconcileJar = installation.jobs().upload(Installation.RECONCILE_JAR);
    String reconcile =
        installation.jobs().run(reconcileJar, "--config", installation.configFile().toString());
    installation.awaitState(reconcile, "RUNNING");
    installation.awaitCheckpoints(reconcile, 1);
    assertThat(String.join(" | ", installation.jobs().vertices(reconcile)))
        .contains("compare partitions of the ledger", "compare batches", "record results");
  }

  @Test
  void goesOnFromASavepointWithoutAskingTheLedgerOrChargingTwice() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "savepoint");
    String first = installation.submit(List.of(), "--fresh");
    installation.awaitState(first, "RUNNING");
    List<ControlTotal> totals = send(2, 5_000);
    installation.awaitOutcomes(totals, PATIENCE);

    CommandResult stopped =
        STACK
            .stack()
            .flinkCli()
            .run("stop", "-p", STACK.stack().savepoints().toString(), "-type", "canonical", first);
    assertThat(stopped.exitCode()).as(stopped.output()).isZero();
    String savepoint = newestSavepoint();

    String second = installation.submit(List.of("-s", savepoint));
    installation.awaitState(second, "RUNNING");
    List<ControlTotal> more = send(3, 5_000);
    // Every record of the first load again, under other batch ids: all of them repeats.
    List<ControlTotal> again = sendAs("copy", 2, 5_000);
    List<ControlTotal> all = new java.util.ArrayList<>(totals);
    all.addAll(more);
    all.addAll(again);
    assertThat(installation.verdict(all, installation.awaitOutcomes(all, PATIENCE)).differences())
        .isEmpty();
  }

  /**
   * Jobs that live on after their end would fill the JobManager's memory. All jobs of the other
   * tests of this class count, as the stack is the same.
   */
  @Test
  void leavesNothingInTheJobManagerWhenItEnds() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "leaving");
    String job = installation.submit(List.of(), "--fresh");
    installation.awaitCheckpoints(job, 1);
    assertThat(threadsOfRatingJobs()).isNotEmpty();
    installation.cancel(job);
    await("the threads of the job end")
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(threadsOfRatingJobs()).isEmpty());
  }

  /** The enumerator's own, those of its Kafka client, and those of Cassandra's driver. */
  private List<String> threadsOfRatingJobs() throws Exception {
    return installation.jobs().jobManagerThreads().stream()
        .filter(
            name -> name.matches("SourceCoordinator-.*CDRs.*|.*-rating-enumerator-.*|tollgate-.*"))
        .toList();
  }

  @Test
  void refusesAStartWithoutStateUnlessItIsAskedFor() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "stateless");
    String job = installation.submit(List.of());
    installation.awaitState(job, "FAILED");
    assertThat(installation.jobs().failure(job)).contains("This start has no state", "--fresh");
  }

  @Test
  void refusesASecondJobOnTheSameTopic() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "second");
    String first = installation.submit(List.of(), "--fresh");
    installation.awaitState(first, "RUNNING");
    installation.awaitCheckpoints(first, 1);

    String second = installation.submit(List.of(), "--fresh");
    installation.awaitState(second, "FAILED");
    assertThat(installation.jobs().failure(second)).contains("is being rated by another job");
    assertThat(installation.jobs().state(first)).isEqualTo("RUNNING");

    List<ControlTotal> totals = send(4, 1_000);
    assertThat(
            installation
                .verdict(totals, installation.awaitOutcomes(totals, PATIENCE))
                .differences())
        .isEmpty();
  }

  @Test
  void stopsForGoodWhenTheNextRecordsAreGone() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "truncated");
    String first = installation.submit(List.of(), "--fresh");
    installation.awaitState(first, "RUNNING");
    installation.awaitOutcomes(send(5, 1_000), PATIENCE);
    CommandResult stopped =
        STACK
            .stack()
            .flinkCli()
            .run("stop", "-p", STACK.stack().savepoints().toString(), "-type", "canonical", first);
    assertThat(stopped.exitCode()).as(stopped.output()).isZero();
    String savepoint = newestSavepoint();
    send(6, 1_000);
    installation.truncateCdrs();

    String second = installation.submit(List.of("-s", savepoint));
    installation.awaitState(second, "FAILED");
    assertThat(installation.jobs().failure(second))
        .contains("Kafka no longer has the records to be read next", "Nothing was skipped");
  }

  @Test
  void saysWithinHalfAMinuteThatKafkaIsAbsent() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "absent");
    Path file = installation.configFile().resolveSibling("absent.yaml");
    Files.writeString(
        file,
        Files.readString(installation.configFile())
            .replace(STACK.stack().kafkaBootstrap(), "127.0.0.1:1"));
    long beganNanos = System.nanoTime();
    CommandResult result =
        STACK
            .stack()
            .flinkCli()
            .run("run", "-d", Installation.JAR.toString(), "--config", file.toString(), "--fresh");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.output())
        .contains("Kafka: no answer from 127.0.0.1:1", "./tollgate up", "kafka.bootstrap");
    // Flink's own client takes some seconds of it to start.
    assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofSeconds(60));
  }

  @Test
  void namesEveryFaultOfItsArguments() {
    CommandResult result =
        STACK
            .stack()
            .flinkCli()
            .run("run", "-d", Installation.JAR.toString(), "--colour", "--start", "yesterday");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.output())
        .contains("--colour: unknown argument", "--start: yesterday (expected: one of");
  }

  private List<ControlTotal> send(long seed, int records) {
    return sendAs("load-" + seed, seed, records);
  }

  private List<ControlTotal> sendAs(String source, long seed, int records) {
    try (WatchedOutbox outbox = installation.outbox()) {
      new OutboxLoad(new CdrGenerator(GeneratorSettings.clean(records, 100, seed)), source, 1_000)
          .send(outbox, Progress.NONE);
      return outbox.totals();
    }
  }

  private static String newestSavepoint() throws Exception {
    try (var files = Files.list(STACK.stack().savepoints())) {
      return files
          .filter(Files::isDirectory)
          .max(java.util.Comparator.comparingLong(path -> path.toFile().lastModified()))
          .orElseThrow()
          .toString();
    }
  }
}
