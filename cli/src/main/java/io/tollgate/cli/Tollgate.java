package io.tollgate.cli;

import java.io.PrintWriter;
import java.time.YearMonth;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code ./tollgate}. Exit codes of all commands: 0 all well, 1 something found wrong
 * or failed, 2 wrong usage; a command that has more says so in its help.
 */
@Command(
    name = "tollgate",
    description = "Turns call detail records into money, once each.",
    mixinStandardHelpOptions = true,
    version = "tollgate 0.1.0",
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      DownCommand.class,
      StatusCommand.class,
      IngestCommand.class,
      GenerateCommand.class,
      LedgerCommand.class,
      SuspendedCommand.class,
      RejectedCommand.class,
      RedriveCommand.class,
      TariffCommand.class,
      PriceCommand.class,
      HaltCommand.class,
      ReconcileCommand.class,
      SavepointCommand.class,
      ReplayCommand.class,
      RerateCommand.class,
      VoidCommand.class,
      SettleCommand.class,
      BenchCommand.class
    },
    footer = {
      "",
      "Exit codes: 0 all well, 1 something found wrong or failed, 2 wrong usage. halt status also:",
      "3 charging is halted, 4 it pauses.",
      "TOLLGATE_TRACE=1 shows where in the program a failure happened."
    })
public final class Tollgate implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the command line with all its commands, ready to execute. */
  public static CommandLine commandLine() {
    return new CommandLine(new Tollgate())
        .registerConverter(YearMonth.class, new Amounts.MonthText())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler(Tollgate::explain);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  private static int explain(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    PrintWriter err = command.getErr();
    String message = failure.getMessage();
    err.println(command.getCommandSpec().qualifiedName() + ": failed");
    err.println(message == null ? failure.toString() : message);
    if (System.getenv("TOLLGATE_TRACE") != null) {
      failure.printStackTrace(err);
    }
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }
}
