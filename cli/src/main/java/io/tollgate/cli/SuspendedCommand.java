package io.tollgate.cli;

import picocli.CommandLine.Command;

/** {@code ./tollgate suspended}. */
@Command(
    name = "suspended",
    mixinStandardHelpOptions = true,
    description =
        "Show records held in suspense: valid, but without plan or price, or in conflict with what"
            + " was charged.")
final class SuspendedCommand extends SideTopicCommand {
  SuspendedCommand() {
    super("suspended", SideTopic::suspended);
  }
}
