package io.tollgate.cli;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How many entries a list shows. */
final class ListLimit {
  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many at most (default: ${DEFAULT-VALUE}).")
  private int limit;

  /**
   * Returns the limit.
   *
   * @throws ParameterException if it is not 1 or more
   */
  int value(CommandLine command) {
    if (limit < 1) {
      throw new ParameterException(command, "--limit: " + limit + " (expected: 1 or more)");
    }
    return limit;
  }
}
