package io.tollgate.localstack.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The arguments that a running process was started with, the program first. */
final class CommandLine {
  private CommandLine() {}

  /** Returns the arguments; none if there is no such process or it has ended. */
  static List<String> of(long pid) {
    Path proc = Path.of("/proc");
    if (!Files.isDirectory(proc.resolve("self"))) {
      return ProcessHandle.of(pid)
          .flatMap(handle -> handle.info().arguments())
          .map(List::of)
          .orElse(List.of());
    }
    try {
      // Of a process that has ended but whose parent has not yet asked for it, this is empty.
      byte[] arguments = Files.readAllBytes(proc.resolve(pid + "/cmdline"));
      if (arguments.length == 0) {
        return List.of();
      }
      return List.of(new String(arguments, StandardCharsets.UTF_8).split("\0", -1));
    } catch (IOException e) {
      return List.of();
    }
  }
}
