package io.tollgate.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tollgate suspended}. */
@Command(
    name = "suspended",
    description =
        "Shows records held in suspense: valid, but without plan or price, or in conflict with what"
            + " was charged.",
    mixinStandardHelpOptions = true)
final class SuspendedCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Option(names = "--json", description = "one JSON object a line, every record")
  private boolean json;

  @Option(
      names = "--examples",
      paramLabel = "N",
      defaultValue = "3",
      description = "examples shown of each reason (default: ${DEFAULT-VALUE})")
  private int examples;

  @Override
  public Integer call() throws IOException {
    SideTopicListing listing =
        new SideTopicListing(SideTopic.suspended(config.find().config()).read());
    if (json) {
      listing.printJson(spec.commandLine().getOut());
    } else {
      listing.print("suspended", examples, spec.commandLine().getOut());
    }
    return 0;
  }
}
