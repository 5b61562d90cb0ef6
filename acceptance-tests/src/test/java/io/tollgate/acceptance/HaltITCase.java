package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.cli.Provision;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.config.TollgateConfig;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.Acknowledgement;
import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.Halt;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.Heartbeat;
import io.tollgate.ledger.gate.Resolution;
import io.tollgate.localstack.CommandResult;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The gate on real servers, under load. What has passed it is told by the group's committed
 * offsets: they say which records the source had emitted when a checkpoint was taken.
 */
class HaltITCase {
  private static final Duration PATIENCE = Duration.ofMinutes(6);
  private static final Duration CLOSED_WITHIN = Duration.ofSeconds(2);
  private static final Duration ONE_RECORD_WITHIN = Duration.ofSeconds(30);
  private static final int CHECKPOINTS_WATCHED = 3;

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Installation installation;
  private LedgerSession session;
  private HaltLog halts;
  private String job;
  private volatile boolean beating;
  private volatile boolean loading;

  @BeforeEach
  void submit() throws Exception {
    installation =
        new Installation(
            STACK.stack(),
            STACK.folder(),
            "halts",
            """
            reconcile:
              interval: 5s
              missed_cycles: 3
            """);
    session = LedgerSession.open(Provision.connection(installation.config()));
    halts = new HaltLog(session);
    job = installation.submit(List.of(), "--fresh");
    installation.awaitState(job, "RUNNING");
  }

  @AfterEach
  void cancelJobs() throws Exception {
    beating = false;
    loading = false;
    threads.shutdown();
    session.close();
    installation.cancelAll();
  }

  @Test
  void chargesOnlyWhileReconciliationIsAliveAndNothingIsHalted() throws Exception {
    Future<List<ControlTotal>> load = startLoad();
    assertThat(passedWhileCheckpointsGoOn()).as("starts closed").isZero();

    Future<?> beats = startBeats();
    awaitCaughtUp();

    halts.raise(
        new Halt(
            "h-1",
            "a test",
            "HaltITCase",
            Instant.now(),
            List.of(
                new Difference("a", "MANUAL", "first"), new Difference("b", "MANUAL", "second"))));
    long raisedMillis = System.currentTimeMillis();
    long passed = passedWhileCheckpointsGoOn();
    Map<TopicPartition, Long> closedMillis = firstHeldBackMillis();
    assertThat(closedMillis).hasSize(installation.config().kafka().partitions());
    closedMillis.forEach(
        (partition, millis) ->
            assertThat(Duration.ofMillis(millis - raisedMillis))
                .as("gate closed for %s", partition)
                .isLessThan(CLOSED_WITHIN));
    System.out.println(
        "Closed after the halt was raised, in ms, by the first record held back: "
            + closedMillis.values().stream().map(millis -> millis - raisedMillis).toList());

    CommandResult refused = installation.flinkRun(List.of(), "--fresh");
    assertThat(refused.exitCode()).as(refused.output()).isNotZero();
    assertThat(refused.output())
        .contains("Charging is halted", "h-1: a test (2 differences", "./tollgate halt status");

    STACK.stack().taskManager(1).kill();
    STACK.stack().taskManager(1).start();
    installation.awaitState(job, "RUNNING");
    assertThat(passedWhileCheckpointsGoOn()).as("after a restart").isEqualTo(passed);

    acknowledge("a");
    assertThat(passedWhileCheckpointsGoOn()).as("half acknowledged").isEqualTo(passed);
    acknowledge("b");
    awaitPassing(passed);

    beating = false;
    beats.get();
    TollgateConfig.Reconcile reconcile = installation.config().reconcile();
    Duration missed = reconcile.interval().multipliedBy(reconcile.missedCycles());
    // The time is the fault: how long nothing beats.
    Thread.sleep(missed.toMillis());
    passed = passedWhileCheckpointsGoOn();
    beats = startBeats();
    awaitPassing(passed);

    loading = false;
    List<ControlTotal> totals = load.get();
    assertThat(beats.isDone()).as("beats go on").isFalse();
    assertThat(
            installation
                .verdict(totals, installation.awaitOutcomes(totals, PATIENCE))
                .differences())
        .isEmpty();
  }

  private void acknowledge(String difference) throws InterruptedException {
    halts.acknowledge(
        "h-1",
        new Acknowledgement(
            difference, Resolution.WRITE_OFF, "accepted", "HaltITCase", Instant.now()));
  }

  /** Beats as the reconcile job does, until told to stop. */
  private Future<?> startBeats() throws InterruptedException {
    Heartbeat heartbeat = new Heartbeat(session, Heartbeat.RECONCILE);
    long next = heartbeat.read().orElse(0) + 1;
    beating = true;
    return threads.submit(
        () -> {
          for (long sequence = next; beating; sequence++) {
            // False if an earlier attempt, whose answer was lost, had been recorded: a beat too.
            heartbeat.beat(sequence);
            Thread.sleep(300);
          }
          return null;
        });
  }

  /** Sends some hundred records a second to all partitions, until told to stop. */
  private Future<List<ControlTotal>> startLoad() {
    loading = true;
    return threads.submit(
        () -> {
          try (WatchedOutbox outbox = installation.outbox()) {
            for (long seed = 1; loading; seed++) {
              new OutboxLoad(
                      new CdrGenerator(GeneratorSettings.clean(100, 100, seed)),
                      "load-" + seed,
                      100)
                  .send(outbox, Progress.NONE);
              Thread.sleep(50);
            }
            return outbox.totals();
          }
        });
  }

  /** Waits until readers are no further behind than a checkpoint. */
  private void awaitCaughtUp() {
    awaitPassing(sent() - 1);
  }

  private void awaitPassing(long passed) {
    await("records pass the gate")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> passed() > passed);
  }

  /** Lets checkpoints go by while load goes on, and returns how much has passed the gate. */
  private long passedWhileCheckpointsGoOn() throws Exception {
    // The first checkpoint may have begun before the gate closed, and offsets follow after it.
    awaitMoreCheckpoints(2);
    long passed = passed();
    long sent = sent();
    awaitMoreCheckpoints(CHECKPOINTS_WATCHED);
    assertThat(passed()).as("records that passed").isEqualTo(passed);
    assertThat(sent()).as("records on the topic").isGreaterThan(sent);
    return passed;
  }

  private void awaitMoreCheckpoints(int more) throws Exception {
    long wanted = installation.jobs().completedCheckpoints(job) + more;
    await("checkpoint " + wanted)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions()
        .until(() -> installation.jobs().completedCheckpoints(job) >= wanted);
  }

  private long passed() throws Exception {
    return committed().values().stream().mapToLong(Long::longValue).sum();
  }

  private Map<TopicPartition, Long> committed() throws Exception {
    try (Admin admin = Admin.create(installation.config().kafka().clientProperties())) {
      Map<TopicPartition, Long> offsets = new HashMap<>();
      admin
          .listConsumerGroupOffsets(installation.config().rating().group())
          .partitionsToOffsetAndMetadata()
          .get()
          .forEach((partition, offset) -> offsets.put(partition, offset.offset()));
      return offsets;
    }
  }

  private long sent() {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      return consumer.endOffsets(partitions(consumer)).values().stream()
          .mapToLong(Long::longValue)
          .sum();
    }
  }

  /**
   * By partition, when the broker took the first record that did not pass. The readers had caught
   * up, so the gate was closed by then, or as long after as a fetch takes.
   */
  private Map<TopicPartition, Long> firstHeldBackMillis() throws Exception {
    Map<TopicPartition, Long> millis = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      for (Map.Entry<TopicPartition, Long> position : committed().entrySet()) {
        TopicPartition partition = position.getKey();
        consumer.assign(List.of(partition));
        consumer.seek(partition, position.getValue());
        List<ConsumerRecord<byte[], byte[]>> heldBack =
            consumer.poll(ONE_RECORD_WITHIN).records(partition);
        assertThat(heldBack).as("held back in %s", partition).isNotEmpty();
        millis.put(partition, heldBack.get(0).timestamp());
      }
    }
    return millis;
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    Properties client = installation.config().kafka().clientProperties();
    return new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
    TollgateConfig.Kafka kafka = installation.config().kafka();
    return consumer.partitionsFor(kafka.topics().cdr()).stream()
        .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
        .toList();
  }
}
