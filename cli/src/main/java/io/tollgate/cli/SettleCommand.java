package io.tollgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate settle}: what is settled. */
@Command(
    name = "settle",
    description = "Exports settled charges and closes accounting months. See docs/settlement.md.",
    mixinStandardHelpOptions = true,
    subcommands = {SettleExportCommand.class, SettleCloseCommand.class})
final class SettleCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }
}
