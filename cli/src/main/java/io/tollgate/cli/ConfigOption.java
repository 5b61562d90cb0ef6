package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.localstack.StackSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which tollgate.yaml counts. */
final class ConfigOption {
  static final Path DEFAULT = Path.of("tollgate.yaml");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration (default: ./tollgate.yaml, else that of the project).")
  private @Nullable Path file;

  /** Returns the configuration, and the folder that its relative paths start from. */
  Found find() {
    if (file != null) {
      return read(file);
    }
    Path home = StackSettings.projectHome();
    for (Path candidate : new Path[] {DEFAULT, home.resolve(DEFAULT)}) {
      if (Files.isRegularFile(candidate)) {
        return read(candidate);
      }
    }
    return new Found(TollgateConfig.defaults(), home, null);
  }

  private static Found read(Path file) {
    Path whole = file.toAbsolutePath();
    Path folder = whole.getParent();
    return new Found(TollgateConfig.read(whole), folder == null ? whole : folder, whole);
  }

  /**
   * A configuration.
   *
   * @param folder where its relative paths start
   * @param file where it was read; absent if there is none and the defaults count
   */
  record Found(TollgateConfig config, Path folder, @Nullable Path file) {
    /**
     * Returns the file, for a job that reads it too.
     *
     * @throws ParameterException if there is none and the defaults count
     */
    Path requiredFile(CommandLine command) {
      if (file == null) {
        throw new ParameterException(
            command, "--config: missing (expected: the file that the job reads too)");
      }
      return file;
    }
  }
}
