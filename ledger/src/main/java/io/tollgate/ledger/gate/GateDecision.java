package io.tollgate.ledger.gate;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Whether charging may go on, and what to do if not.
 *
 * <table>
 *   <caption>The first row that fits decides</caption>
 *   <tr><th>open halts</th><th>ledger</th><th>reconciliation</th><th>heartbeat</th>
 *       <th>gate</th></tr>
 *   <tr><td>any known</td><td></td><td></td><td></td><td>HALTED</td></tr>
 *   <tr><td></td><td>NOT_ASKED</td><td></td><td></td><td>PAUSED: NOT_ASKED_YET</td></tr>
 *   <tr><td></td><td>SILENT</td><td></td><td></td><td>PAUSED: LEDGER_SILENT</td></tr>
 *   <tr><td>none</td><td>ANSWERS</td><td>not required</td><td></td><td>OPEN</td></tr>
 *   <tr><td>none</td><td>ANSWERS</td><td>required</td><td>NOT_SEEN</td>
 *       <td>PAUSED: NO_HEARTBEAT_YET</td></tr>
 *   <tr><td>none</td><td>ANSWERS</td><td>required</td><td>MISSED</td>
 *       <td>PAUSED: HEARTBEAT_MISSED</td></tr>
 *   <tr><td>none</td><td>ANSWERS</td><td>required</td><td>ALIVE</td><td>OPEN</td></tr>
 * </table>
 *
 * A halt that was seen stays known while the ledger is silent: only an acknowledgement that was
 * read ends it.
 *
 * @param state whether records pass
 * @param openHalts ids of the halts, if HALTED
 * @param pause why, if PAUSED
 */
public record GateDecision(State state, List<String> openHalts, Optional<Pause> pause) {
  private static final GateDecision OPEN =
      new GateDecision(State.OPEN, List.of(), Optional.empty());

  public GateDecision {
    openHalts = List.copyOf(openHalts);
  }

  /** Whether records pass. */
  public enum State {
    OPEN(0),
    PAUSED(1),
    HALTED(2);

    private final int code;

    State(int code) {
      this.code = code;
    }

    /** Returns the number that metrics show. */
    public int code() {
      return code;
    }
  }

  /** Why charging pauses. Each ends by itself when its cause does. */
  public enum Pause {
    NOT_ASKED_YET(
        1,
        "the gate has not been read yet since this start",
        "wait: it is read five times a second"),
    LEDGER_SILENT(
        2,
        "the ledger does not say whether charging may go on",
        "check that Cassandra is reachable from the JobManager"),
    NO_HEARTBEAT_YET(
        3,
        "no cycle of reconciliation has been completed since this start",
        "check that the reconcile job runs ('./tollgate status'); to rate without it set"
            + " reconcile.required: false"),
    HEARTBEAT_MISSED(
        4,
        "reconciliation has missed its last cycles",
        "look at the reconcile job: it stands still, is late, or is gone ('./tollgate status')");

    private final int code;
    private final String cause;
    private final String advice;

    Pause(int code, String cause, String advice) {
      this.code = code;
      this.cause = cause;
      this.advice = advice;
    }

    /** Returns the number that metrics show; 0 is shown where nothing pauses. */
    public int code() {
      return code;
    }

    /** Returns the pause of a number, if it is one. */
    public static Optional<Pause> of(int code) {
      return Arrays.stream(values()).filter(pause -> pause.code == code).findFirst();
    }

    /** Returns what is the matter, for people. */
    public String cause() {
      return cause;
    }

    /** Returns what to do about it, for people. */
    public String advice() {
      return advice;
    }
  }

  /** What the ledger says. */
  public enum Ledger {
    NOT_ASKED,
    ANSWERS,
    SILENT
  }

  /** What is known of the heartbeat since this reader began to look. */
  public enum Beat {
    NOT_SEEN,
    ALIVE,
    MISSED
  }

  /**
   * Decides, by the table above.
   *
   * @param openHalts ids of the halts that were open when the ledger last answered
   */
  public static GateDecision of(
      List<String> openHalts, Ledger ledger, boolean reconcileRequired, Beat beat) {
    if (!openHalts.isEmpty()) {
      return new GateDecision(State.HALTED, openHalts, Optional.empty());
    }
    return switch (ledger) {
      case NOT_ASKED -> paused(Pause.NOT_ASKED_YET);
      case SILENT -> paused(Pause.LEDGER_SILENT);
      case ANSWERS ->
          !reconcileRequired
              ? OPEN
              : switch (beat) {
                case NOT_SEEN -> paused(Pause.NO_HEARTBEAT_YET);
                case MISSED -> paused(Pause.HEARTBEAT_MISSED);
                case ALIVE -> OPEN;
              };
    };
  }

  /** Returns whether records pass. */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /** Returns what is the matter and what to do about it, in one line for people. */
  public String explanation() {
    return switch (state) {
      case OPEN -> "charging goes on";
      case PAUSED ->
          "charging pauses and goes on by itself: "
              + pause.map(Pause::cause).orElse("")
              + "; "
              + pause.map(Pause::advice).orElse("");
      case HALTED ->
          "charging is halted by "
              + openHalts
              + " until each of their differences is resolved; see './tollgate halt status', then"
              + " './tollgate halt acknowledge'";
    };
  }

  private static GateDecision paused(Pause pause) {
    return new GateDecision(State.PAUSED, List.of(), Optional.of(pause));
  }
}
