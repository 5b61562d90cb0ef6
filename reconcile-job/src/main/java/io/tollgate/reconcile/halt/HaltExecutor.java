package io.tollgate.reconcile.halt;

import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.HaltSavepoint;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.reconcile.halt.RatingCluster.JobState;
import io.tollgate.reconcile.halt.StopDecision.Job;
import io.tollgate.reconcile.halt.StopDecision.Outcome;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the rating job with a canonical savepoint while charging is halted, so that it is not left
 * with a growing checkpoint and restarts from a place that the halt names. {@link #step()} looks
 * once, does at most one thing for each job, and is called every few seconds for ever.
 *
 * <p>All that it remembers may be forgotten: another instance, started on another host, looks at
 * halts and jobs and goes on. Two at once do no harm; the second stop of a job is refused or finds
 * it stopped. For one thread.
 */
public final class HaltExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(HaltExecutor.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  private static final int DOUBLINGS_MAX = 10;
  private static final int LOOKS_AFTER_SAVEPOINT = 3;

  private final OpenHalts halts;
  private final RatingCluster cluster;
  private final LongSupplier nanoClock;
  private final InstantSource clock;
  private final Map<String, Attempts> attemptsByJob = new HashMap<>();
  private final Set<String> said = new HashSet<>();

  HaltExecutor(
      OpenHalts halts, RatingCluster cluster, LongSupplier nanoClock, InstantSource clock) {
    this.halts = halts;
    this.cluster = cluster;
    this.nanoClock = nanoClock;
    this.clock = clock;
  }

  /**
   * Creates an executor.
   *
   * @param log halts in the ledger
   * @param rest REST endpoint of the Flink cluster
   * @param jobName name of the rating job in it
   * @param installation which installation it belongs to; jobs of others are left alone
   * @param savepoints folder or URI for savepoints; null for the cluster's own
   */
  public static HaltExecutor of(
      HaltLog log, URI rest, String jobName, String installation, @Nullable String savepoints) {
    return new HaltExecutor(
        OpenHalts.of(log),
        new FlinkRest(rest, jobName, installation, savepoints),
        System::nanoTime,
        InstantSource.system());
  }

  /** What is left to do. */
  public enum Progress {
    /** Nothing is halted, or every rating job has been stopped and its savepoint is recorded. */
    DONE,
    /** A stop is under way, or waits for a job or a JobManager to come back. */
    WAITING,
    /** A stop failed and is tried again after a pause. The gate stays closed meanwhile. */
    FAILING
  }

  /** Looks once, and does what is next. */
  public Progress step() throws InterruptedException {
    List<RecordedHalt> open = halts.open();
    if (open.isEmpty()) {
      attemptsByJob.clear();
      said.clear();
      return Progress.DONE;
    }
    try {
      List<JobState> jobs = cluster.ratingJobs();
      List<JobState> live = jobs.stream().filter(job -> !job.hasEnded()).toList();
      if (live.isEmpty()) {
        return finish(jobs, open);
      }
      Progress worst = Progress.DONE;
      for (JobState job : live) {
        Progress progress = step(job);
        worst = progress.compareTo(worst) > 0 ? progress : worst;
      }
      return worst;
    } catch (IOException e) {
      sayOnce(
          "silent",
          "The Flink cluster does not answer, so the rating job is not stopped with a savepoint"
              + " yet; charging is halted all the same. Check flink.rest and the JobManager: "
              + e.getMessage());
      return Progress.WAITING;
    }
  }

  private Progress step(JobState job) throws IOException, InterruptedException {
    Attempts attempts = attemptsByJob.computeIfAbsent(job.id(), id -> new Attempts());
    String request = attempts.request;
    Outcome outcome = request == null ? Outcome.NONE : cluster.outcome(job.id(), request);
    if (outcome.savepoint() != null) {
      attempts.savepoint = outcome.savepoint();
    }
    return switch (StopDecision.of(Job.of(job.state()), outcome.stop())) {
      case STOP -> stop(job, attempts);
      case STOP_AGAIN -> stopAgain(job, attempts, outcome);
      case WAIT, RECORD, REPORT -> Progress.WAITING;
    };
  }

  /** No rating job lives: the one that ended last says where to go on. */
  private Progress finish(List<JobState> ended, List<RecordedHalt> open)
      throws IOException, InterruptedException {
    Optional<JobState> last = ended.stream().max(Comparator.comparingLong(JobState::endMillis));
    Job state = last.map(job -> Job.of(job.state())).orElse(Job.GONE);
    if (StopDecision.of(state, StopDecision.Stop.NONE) == StopDecision.RECORD) {
      return record(last.orElseThrow(), open);
    }
    sayOnce(
        last.map(JobState::id).orElse("none"),
        last.map(job -> "Job " + job.id() + " ended as " + job.state())
                .orElse("The cluster knows no rating job, so it ended")
            + " without being stopped by a savepoint of this halt. Once the halt is acknowledged,"
            + " start from its newest retained checkpoint; what was charged since is written once"
            + " more and changes nothing.");
    return Progress.DONE;
  }

  private Progress stop(JobState job, Attempts attempts) throws IOException, InterruptedException {
    if (attempts.failed > 0 && nanoClock.getAsLong() - attempts.notBeforeNanos < 0) {
      return Progress.FAILING;
    }
    attempts.request = cluster.stop(job.id());
    LOG.info("Charging is halted: stopping job {} with a canonical savepoint", job.id());
    return Progress.WAITING;
  }

  private Progress stopAgain(JobState job, Attempts attempts, Outcome outcome) {
    if (outcome.savepoint() != null && attempts.looksAfterSavepoint++ < LOOKS_AFTER_SAVEPOINT) {
      // Between its savepoint and its end a job is shown as running for a moment.
      return Progress.WAITING;
    }
    attempts.looksAfterSavepoint = 0;
    attempts.request = null;
    attempts.failed++;
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(attempts.failed - 1, DOUBLINGS_MAX));
    Duration bounded = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    attempts.notBeforeNanos = nanoClock.getAsLong() + bounded.toNanos();
    LOG.warn(
        "Job {} could not be stopped with a savepoint (attempt {}: {}); charging stays halted, and"
            + " it is tried again in {} s. Look at the job's checkpoints in the dashboard, and at"
            + " the folder of savepoints.",
        job.id(),
        attempts.failed,
        switch (outcome.stop()) {
          case COMPLETED -> "a savepoint was made, but the job went on";
          case LOST -> "the JobManager does not know of it any more";
          default -> outcome.failure();
        },
        bounded.toSeconds());
    return Progress.FAILING;
  }

  private Progress record(JobState job, List<RecordedHalt> open)
      throws IOException, InterruptedException {
    Optional<String> savepoint = savepointOf(job);
    if (savepoint.isEmpty()) {
      sayOnce(
          job.id(),
          "Job "
              + job.id()
              + " is stopped, but the cluster does not say with which savepoint. Take the newest in"
              + " the folder of savepoints.");
      return Progress.DONE;
    }
    for (RecordedHalt halt : open) {
      if (!isRecorded(halt, job)) {
        halts.record(
            halt.halt().id(), new HaltSavepoint(job.id(), savepoint.get(), clock.instant()));
        LOG.info("Halt {}: job {} is stopped, {}", halt.halt().id(), job.id(), savepoint.get());
      }
    }
    return Progress.DONE;
  }

  private Optional<String> savepointOf(JobState job) throws IOException, InterruptedException {
    Attempts attempts = attemptsByJob.get(job.id());
    if (attempts != null && attempts.savepoint == null && attempts.request != null) {
      // The job ended between two looks.
      attempts.savepoint = cluster.outcome(job.id(), attempts.request).savepoint();
    }
    return attempts == null || attempts.savepoint == null
        ? cluster.newestSavepoint(job.id())
        : Optional.of(attempts.savepoint);
  }

  private static boolean isRecorded(RecordedHalt halt, JobState job) {
    return halt.savepoints().stream().anyMatch(savepoint -> savepoint.job().equals(job.id()));
  }

  private void sayOnce(String about, String message) {
    if (said.add(about)) {
      LOG.warn(message);
    }
  }

  /** What was tried with one job. */
  private static final class Attempts {
    private @Nullable String request;
    private @Nullable String savepoint;
    private int looksAfterSavepoint;
    private int failed;
    private long notBeforeNanos;
  }
}
