package io.tollgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate halt}: whether charging goes on, stopping it, and letting it go on. */
@Command(
    name = "halt",
    description = "Shows whether charging goes on, stops it, and resolves what stopped it.",
    mixinStandardHelpOptions = true,
    subcommands = {HaltStatusCommand.class, HaltRaiseCommand.class, HaltAcknowledgeCommand.class})
final class HaltCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }
}
