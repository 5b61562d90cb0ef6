package io.tollgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate savepoint}. */
@Command(
    name = "savepoint",
    description = "Takes savepoints of a running job, lists them, looks into them, deletes them.",
    mixinStandardHelpOptions = true,
    subcommands = {
      SavepointTakeCommand.class,
      SavepointListCommand.class,
      SavepointInspectCommand.class,
      SavepointDropCommand.class
    })
final class SavepointCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }
}
