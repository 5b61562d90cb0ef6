package io.tollgate.localstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Flink's own command line ({@code flink run}, {@code flink stop}, ...) for the local cluster. */
public final class FlinkCli {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final FlinkHome home;

  FlinkCli(FlinkHome home) {
    this.home = home;
  }

  /**
   * Runs Flink's command line in a process of its own and waits for its end, five minutes at most.
   * Relative paths in the arguments start at the working folder of this program.
   *
   * @param arguments as after {@code bin/flink}: {@code run}, {@code -d}, ...
   * @throws UncheckedIOException if it cannot be started or does not end
   */
  public CommandResult run(String... arguments) {
    return run(List.of(arguments));
  }

  /** See {@link #run(String...)}. */
  public CommandResult run(List<String> arguments) {
    try {
      home.write();
      List<String> options = new ArrayList<>(Memory.FLINK_CLI_JVM);
      options.addAll(home.jvmOptions(home.folder().resolve("cli.log")));
      return Helper.run(
          new JavaCommand(
                  options, home.classPath(), "org.apache.flink.client.cli.CliFrontend", arguments)
              .asHelper(),
          home.environment(),
          Path.of("").toAbsolutePath(),
          "",
          PATIENCE);
    } catch (IOException e) {
      throw new UncheckedIOException("flink " + String.join(" ", arguments), e);
    }
  }
}
