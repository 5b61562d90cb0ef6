package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.config.TollgateConfig;
import io.tollgate.settlement.ResultReader;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate reconcile status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Show the last cycles, the differences, and the sources, batches and hours with what they"
          + " wait for.",
      "Exit codes: 0 no confirmed difference, and the newest cycle is current; 3 reconciliation is"
          + " behind; 4 a difference is confirmed; 5 nothing is recorded yet; 1 the database cannot"
          + " be asked."
    })
final class ReconcileStatusCommand implements Callable<Integer> {
  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Rows of each table at most (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() throws JsonProcessingException, InterruptedException {
    if (limit < 1) {
      throw new ParameterException(
          spec.commandLine(), "--limit: " + limit + " (expected: 1 or more)");
    }
    TollgateConfig settings = config.find().config();
    ReconcileStatus status;
    try {
      status =
          PostgresOfConfig.with(
              settings,
              connection ->
                  ReconcileStatus.read(
                      new ResultReader(connection),
                      clock.millis(),
                      settings.reconcile().interval(),
                      limit));
    } catch (IllegalStateException e) {
      return withoutDatabase(settings, String.valueOf(e.getMessage()));
    }
    LedgerPulse pulse = isCurrent(status) ? null : LedgerPulse.read(settings);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode node = ReconcileJson.status(status);
      if (pulse != null) {
        node.set("ledger", pulse.json());
      }
      print(node);
    } else {
      new ReconcileTables(out, status.nowMillis())
          .print(
              status,
              pulse == null ? "" : pulse.text(status.nowMillis(), settings.reconcile().interval()));
    }
    out.flush();
    return status.verdict().exitCode();
  }

  /** When nothing new is recorded, the ledger tells whether that is the job or the database. */
  private static boolean isCurrent(ReconcileStatus status) {
    return status.verdict() != ReconcileStatus.Verdict.BEHIND
        && status.verdict() != ReconcileStatus.Verdict.NO_DATA;
  }

  /** What was found is not known then; whether it goes on is. */
  private int withoutDatabase(TollgateConfig settings, String failure)
      throws JsonProcessingException, InterruptedException {
    LedgerPulse pulse = LedgerPulse.read(settings);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode node = JsonNodeFactory.instance.objectNode();
      node.put("verdict", "UNKNOWN").put("exitCode", 1).put("failure", failure);
      node.set("ledger", pulse.json());
      print(node);
    } else {
      out.println("UNKNOWN: what was found cannot be asked: " + failure);
      out.println(pulse.text(clock.millis(), settings.reconcile().interval()));
    }
    out.flush();
    return 1;
  }

  private void print(ObjectNode node) throws JsonProcessingException {
    spec.commandLine()
        .getOut()
        .println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(node));
  }
}
