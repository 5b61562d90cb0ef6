package io.tollgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate tariff}: the tariff files and what was published of them. */
@Command(
    name = "tariff",
    description = "Checks, publishes and shows tariffs. tariffs/README.md teaches the files.",
    mixinStandardHelpOptions = true,
    subcommands = {
      TariffValidateCommand.class,
      TariffPublishCommand.class,
      TariffHistoryCommand.class,
      TariffShowCommand.class,
      TariffDiffCommand.class,
      TariffImportCgratesCommand.class
    })
final class TariffCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }
}
