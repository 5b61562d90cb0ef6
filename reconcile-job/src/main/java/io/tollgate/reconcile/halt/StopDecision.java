package io.tollgate.reconcile.halt;

import org.jspecify.annotations.Nullable;

/**
 * What to do next about a rating job while charging is halted. The gate is closed already, so none
 * of this is urgent, and all of it may be repeated.
 *
 * <table>
 *   <caption>Decisions</caption>
 *   <tr><th>job</th><th>stop that was asked for</th><th>next</th></tr>
 *   <tr><td>BUSY: starting, restarting, failing over, ending</td><td>any</td><td>WAIT</td></tr>
 *   <tr><td>RUNNING</td><td>NONE</td><td>STOP</td></tr>
 *   <tr><td>RUNNING</td><td>IN_PROGRESS</td><td>WAIT</td></tr>
 *   <tr><td>RUNNING</td><td>FAILED: no savepoint</td><td>STOP again, after a pause</td></tr>
 *   <tr><td>RUNNING</td><td>LOST: a new JobManager knows nothing of it</td><td>STOP again, after a
 *       pause</td></tr>
 *   <tr><td>RUNNING</td><td>COMPLETED: a savepoint, but the job went on</td><td>STOP again, after a
 *       pause</td></tr>
 *   <tr><td>FINISHED</td><td>any</td><td>RECORD its savepoint</td></tr>
 *   <tr><td>DEAD: failed or canceled</td><td>any</td><td>REPORT: it cannot be stopped with a
 *       savepoint any more</td></tr>
 *   <tr><td>GONE: the cluster knows none</td><td>any</td><td>REPORT</td></tr>
 * </table>
 *
 * COMPLETED is not believed before the job is FINISHED: a stop whose savepoint is complete can
 * still fail, and the job then restarts (FLINK-21028). Nothing but the stop call is used: a
 * savepoint followed by a cancel lets records through in between.
 */
enum StopDecision {
  WAIT,
  STOP,
  STOP_AGAIN,
  RECORD,
  REPORT;

  /** What a job does. */
  enum Job {
    BUSY,
    RUNNING,
    FINISHED,
    DEAD,
    GONE;

    /** Returns what a state in Flink's words comes to. */
    static Job of(String flinkState) {
      return switch (flinkState) {
        case "RUNNING" -> RUNNING;
        case "FINISHED" -> FINISHED;
        case "FAILED", "CANCELED" -> DEAD;
        default -> BUSY;
      };
    }
  }

  /** What became of a stop that was asked for. */
  enum Stop {
    NONE,
    IN_PROGRESS,
    COMPLETED,
    FAILED,
    LOST
  }

  static StopDecision of(Job job, Stop stop) {
    return switch (job) {
      case BUSY -> WAIT;
      case RUNNING ->
          switch (stop) {
            case NONE -> STOP;
            case IN_PROGRESS -> WAIT;
            case COMPLETED, FAILED, LOST -> STOP_AGAIN;
          };
      case FINISHED -> RECORD;
      case DEAD, GONE -> REPORT;
    };
  }

  /**
   * The answer to the question what became of a stop.
   *
   * @param savepoint where it lies, if COMPLETED
   * @param failure why there is none, if FAILED
   */
  record Outcome(Stop stop, @Nullable String savepoint, @Nullable String failure) {
    static final Outcome NONE = new Outcome(Stop.NONE, null, null);
    static final Outcome IN_PROGRESS = new Outcome(Stop.IN_PROGRESS, null, null);
    static final Outcome LOST = new Outcome(Stop.LOST, null, null);

    static Outcome completed(String savepoint) {
      return new Outcome(Stop.COMPLETED, savepoint, null);
    }

    static Outcome failed(String failure) {
      return new Outcome(Stop.FAILED, null, failure);
    }
  }
}
