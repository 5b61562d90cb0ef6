package io.tollgate.cli;

import io.tollgate.localstack.LocalStack;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./tollgate down}: stops what runs of the local stack. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description = {
      "Stop the servers of the local stack, those that still run.",
      "Their data stays; delete the folder to begin anew."
    })
final class DownCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StackOptions stackOptions = new StackOptions();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    LocalStack stack = LocalStack.of(stackOptions.existing());
    if (stack.servers().stream().noneMatch(server -> server.isAlive())) {
      out.println("Nothing runs in " + stack.settings().dataDir());
      out.flush();
      return 0;
    }
    stack.stop(new ConsoleProgress(out));
    return 0;
  }
}
