package io.tollgate.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who decides. Recorded, not checked. */
final class Person {
  @Option(
      names = "--who",
      paramLabel = "NAME",
      converter = Amounts.Words.class,
      description = "Who decides (default: the user of this machine).")
  private @Nullable String who;

  String name() {
    return who == null ? System.getProperty("user.name", "unknown") : who;
  }
}
