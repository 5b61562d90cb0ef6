package io.tollgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate reconcile}: what reconciliation found. */
@Command(
    name = "reconcile",
    description = "Shows what reconciliation found, as recorded in PostgreSQL.",
    mixinStandardHelpOptions = true,
    subcommands = {ReconcileStatusCommand.class, ReconcileExplainCommand.class})
final class ReconcileCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }
}
