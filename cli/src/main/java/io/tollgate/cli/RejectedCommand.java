package io.tollgate.cli;

import picocli.CommandLine.Command;

/** {@code ./tollgate rejected}. */
@Command(
    name = "rejected",
    mixinStandardHelpOptions = true,
    description = "Show dead letters: records that could not be read, or that break a rule.")
final class RejectedCommand extends SideTopicCommand {
  RejectedCommand() {
    super("rejected", SideTopic::rejected);
  }
}
