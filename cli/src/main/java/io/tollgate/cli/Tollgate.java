package io.tollgate.cli;

import io.tollgate.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The root of all commands. */
@Command(
    name = "tollgate",
    description = "Turns call detail records into money, once each.",
    mixinStandardHelpOptions = true,
    version = "Tollgate 0.1.0",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:done, nothing wrong found",
      " 1:done or tried, and something is wrong",
      " 2:the command line or the configuration is wrong"
    },
    subcommands = {
      SuspendedCommand.class,
      RejectedCommand.class,
      RedriveCommand.class,
      HelpCommand.class
    })
public final class Tollgate {
  /** Something is wrong. */
  static final int WRONG = 1;

  private Tollgate() {}

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Returns the command line, ready to execute. */
  public static CommandLine commandLine() {
    return new CommandLine(new Tollgate())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler(Tollgate::report);
  }

  /** A user gets the message; the stack trace is for faults of the program. */
  private static int report(
      Exception exception, CommandLine command, CommandLine.ParseResult parsed) {
    if (exception instanceof ConfigException) {
      command.getErr().println(exception.getMessage());
      return CommandLine.ExitCode.USAGE;
    }
    if (exception instanceof CommandFailedException) {
      command.getErr().println(exception.getMessage());
      return WRONG;
    }
    exception.printStackTrace(command.getErr());
    return WRONG;
  }
}
