package io.tollgate.rating;

import io.tollgate.rating.ingest.TopicStart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Arguments of the job.
 *
 * @param config the configuration file
 * @param fresh whether to start without state
 * @param from where to start to read without state
 * @param help whether only the usage is wanted
 */
public record RatingArguments(Path config, boolean fresh, TopicStart.From from, boolean help) {
  /** What is printed for {@code --help}. */
  public static final String USAGE =
      """
      Usage: flink run [-s SAVEPOINT] rating-job.jar [--config FILE] [--fresh [--start WHERE]]

        --config FILE   configuration, default tollgate.yaml in the working directory
        --fresh         start without state; without it a start needs a savepoint or checkpoint (-s)
        --start WHERE   where a fresh start begins to read: earliest (default) or committed
        --help          this text

      Restoring from a savepoint or checkpoint ignores --fresh and --start.
      """;

  /**
   * Parses arguments.
   *
   * @throws IllegalArgumentException naming every argument that is wrong
   */
  public static RatingArguments parse(String... args) {
    List<String> faults = new ArrayList<>();
    Path config = Path.of("tollgate.yaml");
    boolean fresh = false;
    boolean help = false;
    TopicStart.From from = TopicStart.From.EARLIEST;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--fresh" -> fresh = true;
        case "--help", "-h" -> help = true;
        case "--config", "--start" -> {
          if (i + 1 == args.length) {
            faults.add(args[i] + ": value missing");
          } else if (args[i].equals("--config")) {
            config = Path.of(args[++i]);
          } else {
            from = start(args[++i], faults);
          }
        }
        default -> faults.add(args[i] + ": unknown argument");
      }
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", faults) + "\n\n" + USAGE);
    }
    return new RatingArguments(config, fresh, from, help);
  }

  private static TopicStart.From start(String value, List<String> faults) {
    for (TopicStart.From from : TopicStart.From.values()) {
      if (from.name().toLowerCase(Locale.ROOT).equals(value)) {
        return from;
      }
    }
    faults.add(
        "--start: "
            + value
            + " (expected: one of "
            + Arrays.toString(TopicStart.From.values()).toLowerCase(Locale.ROOT)
            + ")");
    return TopicStart.From.EARLIEST;
  }
}
