package io.tollgate.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.config.TollgateConfig;
import io.tollgate.ledger.LedgerException;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.Heartbeat;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger knows of reconciliation when PostgreSQL does not say: the reconcile job beats
 * there with each complete cycle, and halts lie there.
 *
 * @param beat the newest complete cycle; null if there was none, or the ledger could not be asked
 * @param openHalts how many halts are open; -1 if the ledger could not be asked
 * @param failure why the ledger could not be asked; empty if it could
 */
record LedgerPulse(Heartbeat.@Nullable Beat beat, int openHalts, String failure) {

  static LedgerPulse read(TollgateConfig config) throws InterruptedException {
    try (LedgerSession session = LedgerSession.open(Provision.connection(config))) {
      LedgerSchema.verify(session);
      Optional<Heartbeat.Beat> beat = new Heartbeat(session, Heartbeat.RECONCILE).last();
      return new LedgerPulse(beat.orElse(null), new HaltLog(session).openIds().size(), "");
    } catch (LedgerException e) {
      return new LedgerPulse(null, -1, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns whether cycles go on, for people.
   *
   * @param interval how long a cycle is
   */
  String text(long nowMillis, Duration interval) {
    Heartbeat.Beat newest = beat;
    if (!failure.isEmpty()) {
      return "whether cycles go on is not known either: " + failure;
    }
    String halts =
        switch (openHalts) {
          case 0 -> "";
          case 1 -> "; one halt is open, see halt status";
          default -> "; " + openHalts + " halts are open, see halt status";
        };
    if (newest == null) {
      return "no cycle was ever complete; start the reconcile job" + halts;
    }
    long ageMillis = nowMillis - newest.at().toEpochMilli();
    String when = "cycle number " + newest.sequence() + " was complete at " + newest.at();
    return (ageMillis <= interval.toMillis() * ReconcileStatus.INTERVALS_UNTIL_BEHIND
            ? "cycles go on: "
                + when
                + ". What they find is kept and recorded when the database takes it; nothing is"
                + " settled meanwhile"
            : "cycles do not go on: " + when + "; see that the reconcile job runs")
        + halts;
  }

  /** Returns the same for programs. */
  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    Heartbeat.Beat newest = beat;
    if (newest != null) {
      node.put("completeCycles", newest.sequence())
          .put("lastCycleMillis", newest.at().toEpochMilli());
    }
    if (!failure.isEmpty()) {
      return node.put("failure", failure);
    }
    return node.put("openHalts", openHalts);
  }
}
