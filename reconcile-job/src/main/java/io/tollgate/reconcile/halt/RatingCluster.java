package io.tollgate.reconcile.halt;

import io.tollgate.reconcile.halt.StopDecision.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The cluster that the rating job runs on. Every call fails with an exception if it is silent. */
interface RatingCluster {

  /**
   * A job.
   *
   * @param state in Flink's words
   * @param endMillis when it ended by the JobManager's clock; -1 if it lives
   */
  record JobState(String id, String state, long endMillis) {
    boolean hasEnded() {
      return switch (StopDecision.Job.of(state)) {
        case FINISHED, DEAD, GONE -> true;
        case BUSY, RUNNING -> false;
      };
    }
  }

  /** Returns the rating jobs that the cluster knows, those that have ended among them. */
  List<JobState> ratingJobs() throws IOException, InterruptedException;

  /**
   * Asks for a stop with a canonical savepoint.
   *
   * @return an id by which {@link #outcome} is asked
   */
  String stop(String job) throws IOException, InterruptedException;

  /** Returns what became of a stop. */
  Outcome outcome(String job, String request) throws IOException, InterruptedException;

  /** Returns the newest savepoint of a job, if the cluster remembers one. */
  Optional<String> newestSavepoint(String job) throws IOException, InterruptedException;
}
