package io.tollgate.cli;

import io.tollgate.localstack.StackSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which jar of a job a command runs on Flink. */
final class JobJar {
  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = "The jar of the job (default: the one that was built here).")
  private @Nullable Path file;

  /**
   * Returns the jar.
   *
   * @param job name of the job and of its module, such as {@code rating-job}
   * @throws ParameterException if there is no such file
   */
  Path find(String job, CommandLine command) {
    String name = job + ".jar";
    Path found =
        file == null ? StackSettings.projectHome().resolve(Path.of(job, "target", name)) : file;
    if (!Files.isRegularFile(found)) {
      throw new ParameterException(command, "--jar: " + found + " (expected: " + name + ")");
    }
    return found;
  }
}
