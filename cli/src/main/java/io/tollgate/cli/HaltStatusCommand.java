package io.tollgate.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgate.config.TollgateConfig;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.Heartbeat;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate halt status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Show whether charging goes on, what halted it, how each difference was resolved, where the"
          + " savepoints are, and what to do next.",
      "Exit code 0 if the gate is open, 3 if charging is halted, 4 if it pauses."
    })
final class HaltStatusCommand implements Callable<Integer> {
  static final int HALTED = 3;
  static final int PAUSED = 4;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Option(names = "--json", description = "Print one JSON object, for programs; all past halts.")
  private boolean json;

  @Option(
      names = "--past",
      paramLabel = "N",
      defaultValue = "3",
      description = "Past halts shown, the newest (default: ${DEFAULT-VALUE}).")
  private int past;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (past < 0) {
      throw new ParameterException(
          spec.commandLine(), "--past: " + past + " (expected: 0 or more)");
    }
    GateStatus status = read(config.find().config());
    HaltListing listing = new HaltListing(status);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(listing.toJson()));
      out.flush();
    } else {
      listing.print(out, past);
    }
    return switch (status.state()) {
      case OPEN -> 0;
      case HALTED -> HALTED;
      case PAUSED -> PAUSED;
    };
  }

  private static GateStatus read(TollgateConfig config) throws InterruptedException {
    JobGate.Seen seen = JobGate.Seen.NOTHING;
    @Nullable String flinkFailure = null;
    try {
      seen = new JobGate(config.flink().rest(), config.installation()).look();
    } catch (IOException e) {
      flinkFailure = e.toString();
    }
    try (LedgerSession session = LedgerSession.open(Provision.connection(config))) {
      LedgerSchema.verify(session);
      return new GateStatus(
          new HaltLog(session).halts(),
          new Heartbeat(session, Heartbeat.RECONCILE).read(),
          seen.state(),
          seen.pause(),
          flinkFailure);
    }
  }
}
