package io.tollgate.ledger.gate;

import io.tollgate.ledger.gate.GateDecision.Beat;
import io.tollgate.ledger.gate.GateDecision.Ledger;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what polls found and how long ago, by the monotonic clock of whoever polls. Not for
 * several threads. Times are in nanoseconds of that clock and never leave the process.
 */
public final class GateWatch {
  private final GateRules rules;
  private @Nullable GateReading last;
  private long lastAskedNanos;
  private boolean beatSeen;
  private long beatNanos;

  /** Creates a watch that has seen nothing: the gate is closed. */
  public GateWatch(GateRules rules) {
    this.rules = rules;
  }

  /**
   * Takes in an answer of the ledger.
   *
   * @param askedNanos when the question was sent: the answer may be as old as that
   */
  public void saw(GateReading reading, long askedNanos) {
    GateReading before = last;
    if (before != null && askedNanos - lastAskedNanos < 0) {
      return;
    }
    // The first number seen may be a year old. Only a change proves that somebody is alive.
    if (before != null && !before.heartbeat().equals(reading.heartbeat())) {
      beatSeen = reading.heartbeat().isPresent();
      beatNanos = askedNanos;
    }
    last = reading;
    lastAskedNanos = askedNanos;
  }

  /** Decides on what is known now. */
  public GateDecision decide(long nowNanos) {
    GateReading reading = last;
    return GateDecision.of(
        reading == null ? List.of() : reading.openHalts(),
        ledger(nowNanos),
        rules.reconcileRequired(),
        beat(nowNanos));
  }

  /** Returns how long ago the question was sent whose answer is known; call after an answer. */
  public long answerAgeNanos(long nowNanos) {
    return nowNanos - lastAskedNanos;
  }

  /** Returns the number of the heartbeat that was read last. */
  public OptionalLong heartbeat() {
    GateReading reading = last;
    return reading == null ? OptionalLong.empty() : reading.heartbeat();
  }

  private Ledger ledger(long nowNanos) {
    if (last == null) {
      return Ledger.NOT_ASKED;
    }
    return nowNanos - lastAskedNanos > rules.answerAgeMax().toNanos()
        ? Ledger.SILENT
        : Ledger.ANSWERS;
  }

  private Beat beat(long nowNanos) {
    if (!beatSeen) {
      return Beat.NOT_SEEN;
    }
    return nowNanos - beatNanos > rules.heartbeatAgeMax().toNanos() ? Beat.MISSED : Beat.ALIVE;
  }
}
