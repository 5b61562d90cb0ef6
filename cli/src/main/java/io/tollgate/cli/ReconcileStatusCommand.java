package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgate.config.TollgateConfig;
import io.tollgate.settlement.ResultReader;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
  public Integer call() throws JsonProcessingException {
    TollgateConfig settings = config.find().config();
    PrintWriter out = spec.commandLine().getOut();
    int rows = Math.max(1, limit);
    ReconcileStatus status =
        PostgresOfConfig.with(
            settings,
            connection ->
                ReconcileStatus.read(
                    new ResultReader(connection),
                    clock.millis(),
                    settings.reconcile().interval(),
                    rows));
    if (json) {
      out.println(
          new ObjectMapper()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(ReconcileJson.status(status)));
    } else {
      new ReconcileTables(out, status.nowMillis()).print(status);
    }
    out.flush();
    return status.verdict().exitCode();
  }
}
