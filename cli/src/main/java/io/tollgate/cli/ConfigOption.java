package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --config}. */
final class ConfigOption {
  private static final Path DEFAULT = Path.of("tollgate.yaml");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "configuration (default: tollgate.yaml here, if there is one)")
  private @Nullable Path file;

  /** Returns the configuration; the defaults if no file was named and there is none. */
  TollgateConfig read() {
    Path named = file;
    if (named != null) {
      return TollgateConfig.read(named);
    }
    return Files.exists(DEFAULT) ? TollgateConfig.read(DEFAULT) : TollgateConfig.defaults();
  }
}
