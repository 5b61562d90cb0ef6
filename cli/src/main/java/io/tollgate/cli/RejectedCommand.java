package io.tollgate.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tollgate rejected}. */
@Command(
    name = "rejected",
    description = "Shows dead letters: records that could not be read, or that break a rule.",
    mixinStandardHelpOptions = true)
final class RejectedCommand implements Callable<Integer> {
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
        new SideTopicListing(SideTopic.rejected(config.find().config()).read());
    if (json) {
      listing.printJson(spec.commandLine().getOut());
    } else {
      listing.print("rejected", examples, spec.commandLine().getOut());
    }
    return 0;
  }
}
