package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate rerate show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description =
        "Show a run and what its corrections change. Exit code 1 if there is no such run.")
final class RerateShowCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String run = "";

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    Optional<RerateReport> report = RerateReport.read(config.find().config(), run);
    if (report.isEmpty()) {
      spec.commandLine().getErr().println("No run " + run + " (see './tollgate rerate list')");
      spec.commandLine().getErr().flush();
      return 1;
    }
    report.get().print(spec.commandLine().getOut(), json);
    return 0;
  }
}
