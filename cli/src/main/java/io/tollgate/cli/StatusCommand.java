package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.localstack.LocalStack;
import io.tollgate.localstack.ServerStatus;
import io.tollgate.localstack.StackStatus;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./tollgate status}: how each server of the local stack is. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Show whether each server of the local stack runs, its pid, address and memory.",
      "Exit code 0 only if all run; \"silent\" is a process that does not answer."
    })
final class StatusCommand implements Callable<Integer> {
  private static final long BYTES_PER_MIB = 1024 * 1024;
  private static final String ROW = "%-14s %-8s %8s %9s  %s%n";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StackOptions stackOptions = new StackOptions();

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    LocalStack stack = LocalStack.of(stackOptions.existing());
    StackStatus status = stack.status();
    if (json) {
      out.println(
          new ObjectMapper()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(toJson(status, stack.settings().dataDir())));
    } else {
      printTable(status, stack.settings().dataDir(), out);
    }
    out.flush();
    return status.allRunning() ? 0 : 1;
  }

  static void printTable(StackStatus status, Path dataDir, PrintWriter out) {
    out.printf(Locale.ROOT, ROW, "server", "state", "pid", "memory", "address");
    for (ServerStatus server : status.servers()) {
      out.printf(
          Locale.ROOT,
          ROW,
          server.name(),
          word(server.state()),
          server.pid().map(String::valueOf).orElse("-"),
          server.residentBytes().map(StatusCommand::mebibytes).orElse("-"),
          server.address());
    }
    out.println();
    out.println("memory in all: " + mebibytes(status.residentBytes()));
    out.println("data and logs: " + dataDir);
  }

  static ObjectNode toJson(StackStatus status, Path dataDir) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("allRunning", status.allRunning());
    root.put("dataDir", dataDir.toString());
    root.put("residentBytes", status.residentBytes());
    ArrayNode servers = root.putArray("servers");
    for (ServerStatus server : status.servers()) {
      ObjectNode node = servers.addObject();
      node.put("name", server.name());
      node.put("state", word(server.state()));
      server.pid().ifPresent(pid -> node.put("pid", pid));
      node.put("address", server.address());
      server.residentBytes().ifPresent(bytes -> node.put("residentBytes", bytes));
      node.put("log", server.log().toString());
    }
    return root;
  }

  private static String word(ServerStatus.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static String mebibytes(long bytes) {
    return bytes / BYTES_PER_MIB + " MiB";
  }
}
