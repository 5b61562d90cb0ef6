package io.tollgate.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.ledger.gate.Acknowledgement;
import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.HaltSavepoint;
import io.tollgate.ledger.gate.RecordedHalt;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The gate and its halts, for people and for programs. */
final class HaltListing {
  private final GateStatus status;

  HaltListing(GateStatus status) {
    this.status = status;
  }

  /**
   * Prints for people.
   *
   * @param past how many of the past halts, the newest
   */
  void print(PrintWriter out, int past) {
    out.println("Gate: " + word(status.state()));
    out.println(
        "Complete cycles of reconciliation: "
            + (status.heartbeat().isPresent() ? status.heartbeat().getAsLong() : "none"));
    status.open().forEach(halt -> print(halt, out));
    List<RecordedHalt> ended = status.past();
    if (!ended.isEmpty()) {
      out.println();
      out.println("Past halts: " + ended.size());
      ended
          .subList(Math.max(0, ended.size() - past), ended.size())
          .forEach(halt -> print(halt, out));
    }
    out.println();
    out.println(status.advice());
    out.flush();
  }

  private static void print(RecordedHalt recorded, PrintWriter out) {
    out.println();
    out.println(
        (recorded.isOpen() ? "HALT " : "Halt ")
            + recorded.halt().id()
            + ", "
            + recorded.halt().raisedAt()
            + ", by "
            + recorded.halt().raisedBy());
    out.println("  " + recorded.halt().cause());
    for (Difference difference : recorded.halt().differences()) {
      out.println(
          "  - " + difference.id() + " (" + difference.kind() + "): " + difference.description());
      out.println(
          "      "
              + recorded
                  .acknowledgementOf(difference.id())
                  .map(HaltListing::resolution)
                  .orElse("no resolution yet"));
    }
    for (HaltSavepoint savepoint : recorded.savepoints()) {
      out.println("  job " + savepoint.job() + " was stopped; savepoint " + savepoint.path());
    }
  }

  private static String resolution(Acknowledgement acknowledgement) {
    return word(acknowledgement.resolution())
        + " by "
        + acknowledgement.who()
        + ", "
        + acknowledgement.at()
        + ": "
        + acknowledgement.reason();
  }

  ObjectNode toJson() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("gate", word(status.state()));
    root.put("advice", status.advice());
    status.pause().ifPresent(pause -> root.put("pause", pause.name()));
    status.heartbeat().ifPresent(cycle -> root.put("completeCycles", cycle));
    ArrayNode halts = root.putArray("halts");
    for (RecordedHalt recorded : status.halts()) {
      ObjectNode node = halts.addObject();
      node.put("id", recorded.halt().id());
      node.put("open", recorded.isOpen());
      node.put("cause", recorded.halt().cause());
      node.put("raisedBy", recorded.halt().raisedBy());
      node.put("raisedAt", recorded.halt().raisedAt().toString());
      ArrayNode differences = node.putArray("differences");
      for (Difference difference : recorded.halt().differences()) {
        ObjectNode each = differences.addObject();
        each.put("id", difference.id());
        each.put("kind", difference.kind());
        each.put("description", difference.description());
        recorded
            .acknowledgementOf(difference.id())
            .ifPresent(
                acknowledgement ->
                    each.putObject("resolution")
                        .put("resolution", word(acknowledgement.resolution()))
                        .put("reason", acknowledgement.reason())
                        .put("who", acknowledgement.who())
                        .put("at", acknowledgement.at().toString()));
      }
      ArrayNode savepoints = node.putArray("savepoints");
      for (HaltSavepoint savepoint : recorded.savepoints()) {
        savepoints
            .addObject()
            .put("job", savepoint.job())
            .put("path", savepoint.path())
            .put("at", savepoint.at().toString());
      }
    }
    return root;
  }

  /** Returns a constant's name as it is written on the command line. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
