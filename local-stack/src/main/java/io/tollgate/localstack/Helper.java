package io.tollgate.localstack;

import io.tollgate.localstack.process.Pause;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs a command that ends by itself. */
final class Helper {
  private Helper() {}

  /**
   * Runs a command to its end.
   *
   * @param input what it reads from its standard input
   * @throws IOException if it cannot be started or does not end in time; then it is killed
   */
  static CommandResult run(
      List<String> command,
      Map<String, String> environment,
      Path directory,
      String input,
      Duration patience)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> outputOf(process));
    try {
      try (var stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(StandardCharsets.UTF_8));
      }
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new IOException(
            command.get(0) + ": did not end within " + patience.toSeconds() + " s");
      }
      return new CommandResult(process.exitValue(), output.join());
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new Pause.StoppedWaitingException(e);
    }
  }

  private static String outputOf(Process process) {
    try (var stdout = process.getInputStream()) {
      return new String(stdout.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(its output could not be read: " + e.getMessage() + ")";
    }
  }
}
