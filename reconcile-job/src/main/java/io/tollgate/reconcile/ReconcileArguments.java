package io.tollgate.reconcile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Arguments of the job.
 *
 * @param config the configuration file
 * @param help whether only the usage is wanted
 */
public record ReconcileArguments(Path config, boolean help) {
  /** What is printed for {@code --help}. */
  public static final String USAGE =
      """
      Usage: flink run [-s SAVEPOINT] reconcile-job.jar [--config FILE]

        --config FILE   configuration, default tollgate.yaml in the working directory
        --help          this text

      A start without a savepoint is harmless: everything is learned again from the topics.
      """;

  /**
   * Parses arguments.
   *
   * @throws IllegalArgumentException naming every argument that is wrong
   */
  public static ReconcileArguments parse(String... args) {
    List<String> faults = new ArrayList<>();
    Path config = Path.of("tollgate.yaml");
    boolean help = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--help", "-h" -> help = true;
        case "--config" -> {
          if (i + 1 == args.length) {
            faults.add(args[i] + ": value missing");
          } else {
            config = Path.of(args[++i]);
          }
        }
        default -> faults.add(args[i] + ": unknown argument");
      }
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", faults) + "\n\n" + USAGE);
    }
    return new ReconcileArguments(config, help);
  }
}
