package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists what waits on a side topic. */
abstract class SideTopicCommand implements Callable<Integer> {
  private final String what;
  private final Function<TollgateConfig, SideTopic> topic;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Option(names = "--json", description = "One JSON object a line, every record.")
  private boolean json;

  @Option(
      names = "--examples",
      paramLabel = "N",
      defaultValue = "3",
      description = "Examples shown of each reason (default: ${DEFAULT-VALUE}).")
  private int examples;

  /**
   * Creates the command.
   *
   * @param what what the records are, in a word
   * @param topic where they lie
   */
  SideTopicCommand(String what, Function<TollgateConfig, SideTopic> topic) {
    this.what = what;
    this.topic = topic;
  }

  @Override
  public Integer call() throws IOException {
    SideTopicListing listing = new SideTopicListing(topic.apply(config.find().config()).read());
    if (json) {
      listing.printJson(spec.commandLine().getOut());
    } else {
      listing.print(what, examples, spec.commandLine().getOut());
    }
    return 0;
  }
}
