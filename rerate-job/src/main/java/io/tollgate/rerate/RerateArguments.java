package io.tollgate.rerate;

import io.tollgate.domain.reconcile.UsageHours;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Arguments of the job.
 *
 * @param config the configuration file
 * @param run id of the run
 * @param hours usage hours to be rated again
 * @param accounts whose charges; none for all
 * @param correction up to which correction; empty for the last one
 * @param dryRun whether nothing is to be written
 * @param reason why
 * @param by who asks
 * @param patience how long to wait until the rating job has read the correction
 * @param help whether only the usage is wanted
 */
public record RerateArguments(
    Path config,
    String run,
    Work.Span hours,
    List<String> accounts,
    OptionalLong correction,
    boolean dryRun,
    String reason,
    String by,
    Duration patience,
    boolean help) {
  /** What is printed for {@code --help}. */
  public static final String USAGE =
      """
      Usage: flink run rerate-job.jar --hours A..B --reason TEXT [--config FILE]
               [--account ID]... [--correction N] [--dry-run] [--by NAME] [--run ID]
               [--patience SECONDS]

        --hours A..B     usage hours in UTC, both included, as 2026-10-05T13Z..2026-10-05T18Z; or one
        --reason TEXT    why; recorded with the run
        --config FILE    configuration, default tollgate.yaml in the working directory
        --account ID     only charges of this account; may be repeated
        --correction N   up to this entry of the correction history, default the last one
        --dry-run        write nothing, and report what would be written
        --by NAME        who asks, default the user of this process
        --run ID         id of the run, default a new one; a run that is repeated records the same
        --patience SECONDS
                         how long to wait until the rating job has read the correction, default 300
        --help           this text

      Running it twice, or two at once, changes nothing more.
      """;

  private static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(5);

  /** A month and a week: more is asked for by mistake, and can be had in several runs. */
  private static final long MOST_HOURS = 38 * 24;

  /**
   * Parses arguments.
   *
   * @throws IllegalArgumentException naming every argument that is wrong
   */
  public static RerateArguments parse(String... args) {
    Parser parser = new Parser();
    parser.take(args);
    return parser.finish();
  }

  private static final class Parser {
    private final List<String> faults = new ArrayList<>();
    private final List<String> accounts = new ArrayList<>();
    private Path config = Path.of("tollgate.yaml");
    private String run = UUID.randomUUID().toString();
    private Work.Span hours = new Work.Span(0, -1);
    private boolean hasHours;
    private OptionalLong correction = OptionalLong.empty();
    private boolean dryRun;
    private String reason = "";
    private String by = System.getProperty("user.name", "");
    private Duration patience = DEFAULT_PATIENCE;
    private boolean help;

    private void take(String... args) {
      for (int i = 0; i < args.length; i++) {
        switch (args[i]) {
          case "--help", "-h" -> help = true;
          case "--dry-run" -> dryRun = true;
          case "--config",
              "--run",
              "--hours",
              "--account",
              "--correction",
              "--reason",
              "--by",
              "--patience" -> {
            if (i + 1 == args.length) {
              faults.add(args[i] + ": value missing");
            } else {
              take(args[i], args[i + 1]);
              i++;
            }
          }
          default -> faults.add(args[i] + ": unknown argument");
        }
      }
    }

    private void take(String name, String value) {
      if (value.isBlank()) {
        faults.add(name + ": blank");
        return;
      }
      switch (name) {
        case "--config" -> config = Path.of(value);
        case "--run" -> run = value;
        case "--hours" -> hours(value);
        case "--account" -> accounts.add(value);
        case "--correction" -> correction = OptionalLong.of(number(name, value));
        case "--reason" -> reason = value;
        case "--by" -> by = value;
        default -> patience = Duration.ofSeconds(number(name, value));
      }
    }

    private void hours(String value) {
      hasHours = true;
      String[] ends = value.split("\\.\\.", -1);
      try {
        long first = UsageHours.parse(ends[0]);
        long last = ends.length == 1 ? first : UsageHours.parse(ends[1]);
        if (ends.length > 2 || last < first || last - first >= MOST_HOURS) {
          faults.add(
              "--hours: " + value + " (expected: FIRST..LAST, at most " + MOST_HOURS + " hours)");
        } else {
          hours = new Work.Span(first, last);
        }
      } catch (IllegalArgumentException e) {
        faults.add("--hours: " + e.getMessage());
      }
    }

    private long number(String name, String value) {
      try {
        long number = Long.parseLong(value);
        if (number > 0) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Told below, with the others.
      }
      faults.add(name + ": " + value + " (expected: a number from 1)");
      return 1;
    }

    private RerateArguments finish() {
      if (!help) {
        if (!hasHours) {
          faults.add("--hours: missing");
        }
        if (reason.isEmpty()) {
          faults.add("--reason: missing");
        }
      }
      if (!faults.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", faults) + "\n\n" + USAGE);
      }
      return new RerateArguments(
          config,
          run,
          hours,
          List.copyOf(accounts),
          correction,
          dryRun,
          reason,
          by,
          patience,
          help);
    }
  }
}
