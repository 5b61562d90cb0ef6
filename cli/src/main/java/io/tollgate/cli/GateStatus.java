package io.tollgate.cli;

import io.tollgate.ledger.gate.GateDecision.Pause;
import io.tollgate.ledger.gate.GateDecision.State;
import io.tollgate.ledger.gate.RecordedHalt;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Whether charging goes on.
 *
 * <table>
 *   <caption>The first row that fits decides</caption>
 *   <tr><th>halts</th><th>the running job says</th><th>state</th></tr>
 *   <tr><td>one is open</td><td></td><td>HALTED</td></tr>
 *   <tr><td>none open</td><td>paused, or still halted</td><td>PAUSED</td></tr>
 *   <tr><td>none open</td><td>open</td><td>OPEN</td></tr>
 *   <tr><td>none open</td><td>nothing: no job runs, or Flink is silent</td><td>OPEN: nothing
 *       keeps a job from charging</td></tr>
 * </table>
 *
 * @param halts all of them
 * @param heartbeat number of the newest complete cycle of reconciliation, empty if there is none
 * @param jobState code of the state in the running job, empty if none runs
 * @param pause why the running job pauses, if it says so
 * @param flinkFailure why Flink could not be asked, null if it could
 */
record GateStatus(
    List<RecordedHalt> halts,
    OptionalLong heartbeat,
    OptionalInt jobState,
    Optional<Pause> pause,
    @Nullable String flinkFailure) {

  State state() {
    if (!open().isEmpty()) {
      return State.HALTED;
    }
    return jobState.orElse(State.OPEN.code()) == State.OPEN.code() ? State.OPEN : State.PAUSED;
  }

  List<RecordedHalt> open() {
    return halts.stream().filter(RecordedHalt::isOpen).toList();
  }

  List<RecordedHalt> past() {
    return halts.stream().filter(halt -> !halt.isOpen()).toList();
  }

  /** Returns what to do next, for people. */
  String advice() {
    return switch (state()) {
      case HALTED ->
          "Resolve each difference: ./tollgate halt acknowledge ID [--difference D] --resolve"
              + " repair|replay|rerate|void|write-off --reason TEXT (--dry-run shows what it would"
              + " do). If the job was stopped, start it from the savepoint afterwards:"
              + " flink run -s SAVEPOINT rating-job.jar";
      case PAUSED ->
          pause
              .map(
                  why ->
                      "Charging pauses: "
                          + why.cause()
                          + ". It goes on by itself when that ends; "
                          + why.advice()
                          + ".")
              .orElse(
                  "Charging goes on by itself when reconciliation completes a cycle and the ledger"
                      + " answers: see that the reconcile job runs and Cassandra is reachable. The"
                      + " JobManager's log says which it is.");
      case OPEN ->
          jobState.isPresent()
              ? "Nothing to do."
              : "Nothing halts charging, but no rating job is running"
                  + (flinkFailure == null ? "." : ", or Flink does not answer: " + flinkFailure);
    };
  }
}
