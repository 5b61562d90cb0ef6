package io.tollgate.reconcile.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.Halt;
import io.tollgate.ledger.gate.HaltSavepoint;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.reconcile.halt.HaltExecutor.Progress;
import io.tollgate.reconcile.halt.StopDecision.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HaltExecutorTest {
  private static final Instant NOW = Instant.parse("2026-03-29T01:00:00Z");

  private final Halts halts = new Halts();
  private final Cluster cluster = new Cluster();
  private long nowNanos = Long.MAX_VALUE - 100;
  private HaltExecutor executor = executor();

  @Test
  void doesNothingWhileNothingIsHalted() throws Exception {
    cluster.job("a", "RUNNING");
    assertThat(executor.step()).isEqualTo(Progress.DONE);
    assertThat(cluster.stops).isEmpty();
  }

  @Test
  void stopsOnceAndRecordsTheSavepointOnlyWhenTheJobIsFinished() throws Exception {
    halts.raise("h-1");
    cluster.job("a", "RUNNING");

    assertThat(executor.step()).isEqualTo(Progress.WAITING);
    assertThat(executor.step()).isEqualTo(Progress.WAITING);
    assertThat(cluster.stops).containsExactly("a");

    cluster.outcome = Outcome.completed("/savepoints/1");
    assertThat(executor.step()).isEqualTo(Progress.WAITING);
    assertThat(halts.savepoints("h-1")).isEmpty();

    cluster.ended("a", "FINISHED", 1);
    assertThat(executor.step()).isEqualTo(Progress.DONE);
    assertThat(halts.savepoints("h-1"))
        .containsExactly(new HaltSavepoint("a", "/savepoints/1", NOW));
    assertThat(executor.step()).isEqualTo(Progress.DONE);
    assertThat(cluster.stops).containsExactly("a");
    assertThat(halts.recordings).isEqualTo(1);
  }

  @Test
  void waitsForARestartingJob() throws Exception {
    halts.raise("h-1");
    cluster.job("a", "RESTARTING");
    assertThat(executor.step()).isEqualTo(Progress.WAITING);
    assertThat(cluster.stops).isEmpty();
    cluster.job("a", "RUNNING");
    executor.step();
    assertThat(cluster.stops).containsExactly("a");
  }

  @Test
  void waitsForASilentCluster() throws Exception {
    halts.raise("h-1");
    cluster.silent = true;
    assertThat(executor.step()).isEqualTo(Progress.WAITING);
    cluster.silent = false;
    cluster.job("a", "RUNNING");
    executor.step();
    assertThat(cluster.stops).containsExactly("a");
  }

  @Test
  void triesAgainAfterGrowingPausesWhenTheSavepointFails() throws Exception {
    halts.raise("h-1");
    cluster.job("a", "RUNNING");
    executor.step();
    for (int attempt = 1; attempt <= 3; attempt++) {
      cluster.outcome = Outcome.failed("disk full");
      assertThat(executor.step()).isEqualTo(Progress.FAILING);
      cluster.outcome = Outcome.IN_PROGRESS;
      long pauseSeconds = 5L << (attempt - 1);
      pass(Duration.ofSeconds(pauseSeconds).minusMillis(1));
      assertThat(executor.step()).isEqualTo(Progress.FAILING);
      assertThat(cluster.stops).hasSize(attempt);
      pass(Duration.ofMillis(1));
      assertThat(executor.step()).isEqualTo(Progress.WAITING);
      assertThat(cluster.stops).hasSize(attempt + 1);
    }
  }

  @Test
  void pausesForFiveMinutesAtMost() throws Exception {
    halts.raise("h-1");
    cluster.job("a", "RUNNING");
    for (int attempt = 1; attempt <= 40; attempt++) {
      pass(Duration.ofMinutes(5));
      cluster.outcome = Outcome.IN_PROGRESS;
      executor.step();
      assertThat(cluster.stops).hasSize(attempt);
      cluster.outcome = Outcome.failed("disk full");
      executor.step();
    }
  }

  @Test
  void asksAgainWhenANewJobManagerKnowsNothingOfTheStop() throws Exception {
    halts.raise("h-1");
    cluster.job("a", "RUNNING");
    executor.step();
    cluster.outcome = Outcome.LOST;
    assertThat(executor.step()).isEqualTo(Progress.FAILING);
    pass(Duration.ofSeconds(5));
    executor.step();
    assertThat(cluster.stops).hasSize(2);
  }

  /** FLINK-21028: the savepoint is complete, the stop fails after it, the job restarts. */
  @Test
  void asksAgainWhenTheJobGoesOnAfterItsSavepoint() throws Exception {
    halts.raise("h-1");
    cluster.job("a", "RUNNING");
    executor.step();
    cluster.outcome = Outcome.completed("/savepoints/1");
    cluster.job("a", "RESTARTING");
    assertThat(executor.step()).isEqualTo(Progress.WAITING);
    cluster.job("a", "RUNNING");
    for (int look = 0; look < 3; look++) {
      assertThat(executor.step()).isEqualTo(Progress.WAITING);
    }
    assertThat(executor.step()).isEqualTo(Progress.FAILING);
    assertThat(halts.savepoints("h-1")).isEmpty();
    pass(Duration.ofSeconds(5));
    executor.step();
    cluster.outcome = Outcome.completed("/savepoints/2");
    executor.step();
    cluster.ended("a", "FINISHED", 1);
    executor.step();
    assertThat(halts.savepoints("h-1"))
        .extracting(HaltSavepoint::path)
        .containsExactly("/savepoints/2");
  }

  @Test
  void recordsOneSavepointWithSeveralHalts() throws Exception {
    halts.raise("h-1");
    cluster.job("a", "RUNNING");
    executor.step();
    halts.raise("h-2");
    cluster.outcome = Outcome.completed("/savepoints/1");
    cluster.ended("a", "FINISHED", 1);
    executor.step();
    halts.raise("h-3");
    executor.step();
    for (String halt : List.of("h-1", "h-2", "h-3")) {
      assertThat(halts.savepoints(halt))
          .as(halt)
          .extracting(HaltSavepoint::path)
          .containsExactly("/savepoints/1");
    }
    assertThat(cluster.stops).containsExactly("a");
  }

  @Test
  void anotherExecutorGoesOnWhereTheFirstDied() throws Exception {
    halts.raise("h-1");
    cluster.job("a", "RUNNING");
    executor.step();
    cluster.ended("a", "FINISHED", 1);
    cluster.newest.put("a", "/savepoints/1");

    executor = executor();
    assertThat(executor.step()).isEqualTo(Progress.DONE);
    assertThat(halts.savepoints("h-1"))
        .extracting(HaltSavepoint::path)
        .containsExactly("/savepoints/1");
  }

  @Test
  void takesTheSavepointOfTheJobThatEndedLast() throws Exception {
    halts.raise("h-1");
    cluster.ended("older", "FINISHED", 1);
    cluster.ended("newer", "FINISHED", 2);
    cluster.newest.put("older", "/savepoints/old");
    cluster.newest.put("newer", "/savepoints/new");
    executor.step();
    assertThat(halts.savepoints("h-1"))
        .extracting(HaltSavepoint::path)
        .containsExactly("/savepoints/new");
  }

  @Test
  void recordsNoSavepointOfAnOlderJobWhenTheLastOneDied() throws Exception {
    halts.raise("h-1");
    cluster.ended("older", "FINISHED", 1);
    cluster.newest.put("older", "/savepoints/old");
    cluster.ended("newer", "FAILED", 2);
    assertThat(executor.step()).isEqualTo(Progress.DONE);
    assertThat(halts.savepoints("h-1")).isEmpty();
  }

  @Test
  void isDoneWhenTheClusterKnowsNoRatingJob() throws Exception {
    halts.raise("h-1");
    assertThat(executor.step()).isEqualTo(Progress.DONE);
  }

  @Test
  void stopsEveryRatingJob() throws Exception {
    halts.raise("h-1");
    cluster.job("a", "RUNNING");
    cluster.job("b", "RUNNING");
    executor.step();
    assertThat(cluster.stops).containsExactlyInAnyOrder("a", "b");
  }

  private HaltExecutor executor() {
    return new HaltExecutor(halts, cluster, () -> nowNanos, InstantSource.fixed(NOW));
  }

  private void pass(Duration duration) {
    nowNanos += duration.toNanos();
  }

  /** Halts in memory. */
  private static final class Halts implements OpenHalts {
    private final Map<String, RecordedHalt> open = new LinkedHashMap<>();
    private int recordings;

    private void raise(String id) {
      Halt halt =
          new Halt(id, "a test", "test", NOW, List.of(new Difference("d", "MANUAL", "a test")));
      open.put(id, new RecordedHalt(halt, List.of(), List.of()));
    }

    private List<HaltSavepoint> savepoints(String id) {
      return open.get(id).savepoints();
    }

    @Override
    public List<RecordedHalt> open() {
      return List.copyOf(open.values());
    }

    @Override
    public void record(String haltId, HaltSavepoint savepoint) {
      recordings++;
      RecordedHalt halt = open.get(haltId);
      List<HaltSavepoint> savepoints = new ArrayList<>(halt.savepoints());
      savepoints.add(savepoint);
      open.put(haltId, new RecordedHalt(halt.halt(), halt.acknowledgements(), savepoints));
    }
  }

  /** A cluster that does what it is told. */
  private static final class Cluster implements RatingCluster {
    private final Map<String, JobState> jobs = new LinkedHashMap<>();
    private final Map<String, String> newest = new LinkedHashMap<>();
    private final List<String> stops = new ArrayList<>();
    private Outcome outcome = Outcome.IN_PROGRESS;
    private boolean silent;

    private void job(String id, String state) {
      jobs.put(id, new JobState(id, state, -1));
    }

    private void ended(String id, String state, long endMillis) {
      jobs.put(id, new JobState(id, state, endMillis));
    }

    @Override
    public List<JobState> ratingJobs() throws IOException {
      if (silent) {
        throw new IOException("connection refused");
      }
      return List.copyOf(jobs.values());
    }

    @Override
    public String stop(String job) {
      stops.add(job);
      return "request-" + stops.size();
    }

    @Override
    public Outcome outcome(String job, String request) {
      return outcome;
    }

    @Override
    public Optional<String> newestSavepoint(String job) {
      return Optional.ofNullable(newest.get(job));
    }
  }
}
