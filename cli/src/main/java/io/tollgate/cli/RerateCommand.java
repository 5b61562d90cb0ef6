package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.settlement.Rerates;
import io.tollgate.wire.tariff.RerateGoal;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate rerate}. */
@Command(
    name = "rerate",
    mixinStandardHelpOptions = true,
    description = {
      "Write what corrections make of charges that were there before: a Flink job reads the hours"
          + " from the ledger, rates each charge again from what its row keeps, and writes the"
          + " revisions that are not there.",
      "It begins when every subtask of the rating job has reported the correction. Running it"
          + " twice, or two at once, or killing it anywhere, changes nothing more.",
      "Exit code 1 if the job failed; whatever it wrote is right, and running it again does the"
          + " rest."
    },
    subcommands = {RerateListCommand.class, RerateShowCommand.class})
final class RerateCommand implements Callable<Integer> {
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();
  @Mixin private Person person = new Person();
  @Mixin private JobJar jar = new JobJar();

  @Option(
      names = "--hours",
      paramLabel = "A..B",
      description =
          "Usage hours in UTC, both included, as 2026-10-05T13Z..2026-10-05T18Z; or one hour.")
  private Optional<String> hours = Optional.empty();

  @Option(
      names = "--account",
      paramLabel = "ID",
      description = "Only charges of this account; may be repeated. Default: all.")
  private List<String> accounts = new ArrayList<>();

  @Option(
      names = "--correction",
      paramLabel = "N",
      description = "Up to this entry of the correction history. Default: the last one.")
  private Optional<Long> correction = Optional.empty();

  @Option(names = "--dry-run", description = "Write nothing, and report what would be written.")
  private boolean dryRun;

  @Option(
      names = "--reason",
      paramLabel = "WHY",
      converter = Amounts.Words.class,
      description = "Why; recorded with the run.")
  private Optional<String> reason = Optional.empty();

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "5m",
      converter = Amounts.DurationText.class,
      description =
          "How long to wait until the rating job has read the correction"
              + " (default: ${DEFAULT-VALUE}).")
  private Duration patience = Duration.ZERO;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      defaultValue = "1",
      description = "Subtasks of the job; each takes a slot (default: ${DEFAULT-VALUE}).")
  private int parallelism;

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException, JsonProcessingException {
    long[] span = span();
    String why =
        reason.orElseThrow(
            () -> new ParameterException(spec.commandLine(), "--reason: missing (expected: why)"));
    Path file = jar.find("rerate-job", spec.commandLine());
    ConfigOption.Found found = config.find();
    Path configFile = found.requiredFile(spec.commandLine());
    TollgateConfig settings = found.config();
    RerateGoal goal =
        RerateGoal.of(
            TariffPublication.topic(settings).read(),
            span[0],
            span[1],
            correction.map(OptionalLong::of).orElse(OptionalLong.empty()));
    goal.await(
        settings.kafka().clientProperties(),
        settings.kafka().topics().receipts(),
        patience,
        this::say);
    String run = UUID.randomUUID().toString();
    List<String> arguments = new ArrayList<>(List.of("--config", configFile.toString()));
    arguments.addAll(List.of("--run", run, "--by", person.name(), "--reason", why));
    arguments.addAll(
        List.of("--hours", UsageHours.text(span[0]) + ".." + UsageHours.text(span[1])));
    arguments.addAll(List.of("--correction", Long.toString(goal.correction())));
    accounts.forEach(account -> arguments.addAll(List.of("--account", account)));
    if (dryRun) {
      arguments.add("--dry-run");
    }
    FlinkCluster cluster = new FlinkCluster(settings.flink().rest());
    String uploaded = cluster.upload(file);
    String job;
    try {
      job = cluster.run(uploaded, parallelism, arguments);
    } finally {
      cluster.delete(uploaded);
    }
    say("Run " + run + " is job " + job + " of Flink at " + settings.flink().rest());
    String state = follow(cluster, job, settings, run);
    if (!state.equals("FINISHED")) {
      throw new IllegalStateException(
          "The job is " + state + ": " + cluster.failure(job) + "\nRun it again to do the rest.");
    }
    RerateReport report = RerateReport.read(settings, run).orElseThrow();
    report.print(spec.commandLine().getOut(), json);
    return 0;
  }

  private long[] span() {
    String text =
        hours.orElseThrow(
            () -> new ParameterException(spec.commandLine(), "--hours: missing (expected: A..B)"));
    String[] ends = text.split("\\.\\.", -1);
    try {
      long first = UsageHours.parse(ends[0]);
      long last = UsageHours.parse(ends[ends.length - 1]);
      if (ends.length <= 2 && first <= last) {
        return new long[] {first, last};
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--hours: " + e.getMessage(), e);
    }
    throw new ParameterException(
        spec.commandLine(), "--hours: " + text + " (expected: FIRST..LAST, or one hour)");
  }

  /** Tells how far it is until the job has ended; returns how it ended. */
  private String follow(FlinkCluster cluster, String job, TollgateConfig settings, String run)
      throws InterruptedException {
    long said = -1;
    while (true) {
      String state = cluster.state(job);
      Optional<Rerates.Run> recorded =
          PostgresOfConfig.with(settings, connection -> new Rerates(connection).find(run));
      long done = recorded.map(each -> each.progress().unitsDone()).orElse(0L);
      if (done != said && recorded.isPresent()) {
        said = done;
        say("  " + done + " of " + recorded.get().order().units() + " parts are through");
      }
      if (FlinkCluster.isEnd(state)) {
        return state;
      }
      Thread.sleep(LOOK_EVERY.toMillis());
    }
  }

  /** Progress goes where it does not mix with JSON. */
  private void say(String line) {
    PrintWriter to = json ? spec.commandLine().getErr() : spec.commandLine().getOut();
    to.println(line);
    to.flush();
  }
}
