package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.settlement.Operations;
import io.tollgate.source.SavepointContents;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate replay}. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Take the rating job back to a savepoint: everything since is read again, what is missing is"
          + " charged, and what is there stays as it is.",
      "Shows first what it will do. Then it stops the job with a canonical savepoint, starts it"
          + " from the given one, and follows it until it has read everything again.",
      "Exit code 1 if it is refused or failed; the message says how to go on."
    },
    subcommands = {ReplayListCommand.class})
final class ReplayCommand implements Callable<Integer> {
  private static final String JOB = "tollgate-rating";
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final Duration QUIET = Duration.ofMinutes(1);
  private static final int HOURS_SHOWN = 48;

  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();
  @Mixin private Person person = new Person();
  @Mixin private JobJar jar = new JobJar();

  @Option(
      names = "--from",
      paramLabel = "SAVEPOINT",
      description = "Savepoint or retained checkpoint of the rating job.")
  private Optional<String> from = Optional.empty();

  @Option(
      names = "--reason",
      paramLabel = "WHY",
      converter = Amounts.Words.class,
      description = "Why; recorded with the replay.")
  private Optional<String> reason = Optional.empty();

  @Option(names = "--dry-run", description = "Only show what it would do.")
  private boolean dryRun;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Subtasks of the job. Default: as many as it has now, or had.")
  private Optional<Integer> parallelism = Optional.empty();

  @Override
  public Integer call() throws InterruptedException {
    String path = required(from, "--from: missing (expected: a savepoint)");
    String why = required(reason, "--reason: missing (expected: why)");
    Path file = jar.find("rating-job", spec.commandLine());
    ConfigOption.Found found = config.find();
    Path configFile = found.requiredFile(spec.commandLine());
    TollgateConfig settings = found.config();
    SavepointContents contents = SavepointInspectCommand.read(path);
    TopicReach reach = TopicReach.of(settings, contents);
    refuseIfUnfit(settings, contents, reach);

    say("Reading the records since " + contents.takenAt());
    ReplayScan scan =
        ReplayScan.read(
            settings,
            reach,
            read -> say(String.format(Locale.ROOT, "  %,d of %,d", read, reach.again())));
    long events = scan.events();
    long missing = scan.missing(settings, line -> say("  " + line));
    showPlan(contents, reach, scan, events, missing);
    FlinkCluster cluster = new FlinkCluster(settings.flink().rest());
    Optional<FlinkCluster.Job> running = cluster.job(JOB, settings.installation());
    say(
        running
            .map(job -> "Job " + job.id() + " would be stopped with a savepoint.")
            .orElse("No rating job of this installation runs; one would be started."));
    if (dryRun) {
      return 0;
    }

    Operations.Replay replay =
        new Operations.Replay(
            UUID.randomUUID().toString(),
            path,
            clock.millis(),
            person.name(),
            why,
            "",
            "",
            reach.again(),
            events - missing,
            missing,
            -1,
            -1);
    record(settings, replay);
    String uploaded = cluster.upload(file);
    String stoppedAt = "";
    try {
      if (running.isPresent()) {
        say("Stopping job " + running.get().id());
        stoppedAt =
            cluster.stop(running.get().id(), Optional.ofNullable(settings.flink().savepoints()));
        say("It is stopped, and goes on from here if the replay is given up: " + stoppedAt);
        SavepointTakeCommand.record(
            settings,
            new Operations.Savepoint(
                stoppedAt,
                running.get().id(),
                JOB,
                clock.millis(),
                person.name(),
                "before replay " + replay.id() + ": " + why));
      }
      int subtasks =
          parallelism.orElseGet(
              () ->
                  running
                      .map(FlinkCluster.Job::parallelism)
                      .orElseGet(() -> mostSubtasks(contents)));
      String job =
          cluster.run(
              uploaded, subtasks, Optional.of(path), List.of("--config", configFile.toString()));
      say("Job " + job + " reads again from " + path);
      replay = with(replay, stoppedAt, job, -1, -1);
      record(settings, replay);
      follow(cluster, job, settings, reach);
      long left = scan.missing(settings, line -> say("  " + line));
      replay = with(replay, stoppedAt, job, missing - left, clock.millis());
      record(settings, replay);
      showResult(replay, left);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          e.getMessage()
              + (stoppedAt.isEmpty()
                  ? ""
                  : "\nThe job was stopped before. It can go on without a replay: flink run -d -s "
                      + stoppedAt
                      + " rating-job.jar --config "
                      + configFile),
          e);
    } finally {
      cluster.delete(uploaded);
    }
    return 0;
  }

  private <T> T required(Optional<T> value, String otherwise) {
    return value.orElseThrow(() -> new ParameterException(spec.commandLine(), otherwise));
  }

  private static void refuseIfUnfit(
      TollgateConfig settings, SavepointContents contents, TopicReach reach)
      throws InterruptedException {
    String topic = settings.kafka().topics().cdr();
    if (!contents.positions().containsKey(topic)) {
      throw new IllegalStateException(
          contents.path()
              + ": positions in "
              + contents.positions().keySet()
              + " (expected: a savepoint of the rating job, with positions in "
              + topic
              + ")");
    }
    List<String> gone = reach.gone();
    if (!gone.isEmpty()) {
      throw new IllegalStateException(
          "The topic no longer reaches back to this savepoint:\n  "
              + String.join("\n  ", gone)
              + "\nUse a newer one ('./tollgate savepoint list'), or let the sources send what is"
              + " missing again ('./tollgate ingest --resend').");
    }
    List<RecordedHalt> halts = SavepointListCommand.openHalts(settings);
    if (!halts.isEmpty()) {
      throw new IllegalStateException(
          "Charging is halted by "
              + halts.stream().map(halt -> halt.halt().id()).toList()
              + ", so the job would not start (expected: resolved first, './tollgate halt"
              + " status')");
    }
  }

  private void showPlan(
      SavepointContents contents, TopicReach reach, ReplayScan scan, long events, long missing) {
    say("");
    say(
        String.format(
            Locale.ROOT,
            "Savepoint of %s: %,d records are read again, of %,d events; %,d cannot be read.",
            contents.takenAt(),
            reach.again(),
            events,
            scan.unreadable()));
    say(
        String.format(
            Locale.ROOT,
            "%,d events have their charge, which stays. %,d have none: they are charged, or are"
                + " suspended, rejected or in conflict.",
            events - missing,
            missing));
    Map<Long, Long> hours = scan.recordsByHour();
    hours.entrySet().stream()
        .limit(HOURS_SHOWN)
        .forEach(
            hour ->
                say(
                    String.format(
                        Locale.ROOT,
                        "  hour %s: %,d records",
                        UsageHours.text(hour.getKey()),
                        hour.getValue())));
    if (hours.size() > HOURS_SHOWN) {
      say("  and " + (hours.size() - HOURS_SHOWN) + " more hours");
    }
  }

  private static int mostSubtasks(SavepointContents contents) {
    return contents.operators().stream()
        .mapToInt(SavepointContents.Operator::parallelism)
        .max()
        .orElse(1);
  }

  /** Follows the job until it has read again what the one before it had read. */
  private void follow(FlinkCluster cluster, String job, TollgateConfig settings, TopicReach reach)
      throws InterruptedException {
    long began = System.nanoTime();
    long changed = began;
    long said = -1;
    try (Admin admin = Admin.create(settings.kafka().clientProperties())) {
      while (true) {
        String state = cluster.state(job);
        if (FlinkCluster.isEnd(state)) {
          throw new IllegalStateException("The job is " + state + ": " + cluster.failure(job));
        }
        // Before its first checkpoint the offsets may still be those of the job before.
        if (cluster.completedCheckpoints(job) > 0) {
          long left = left(TopicReach.committed(admin, settings), settings, reach);
          if (left != said) {
            said = left;
            changed = System.nanoTime();
            say(progress(reach.again() - left, reach.again(), System.nanoTime() - began));
          }
          if (left == 0) {
            return;
          }
        }
        if (System.nanoTime() - changed > QUIET.toNanos()) {
          changed = System.nanoTime();
          say(
              "  nothing more for "
                  + QUIET.toSeconds()
                  + " s; the job is "
                  + state
                  + ". It goes on by itself when it can; './tollgate halt status' says whether"
                  + " charging pauses.");
        }
        Thread.sleep(LOOK_EVERY.toMillis());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka: " + e.getCause(), e);
    }
  }

  private static String progress(long done, long all, long nanos) {
    String left =
        done > 0 && done < all
            ? String.format(
                Locale.ROOT, ", about %d s left", (all - done) * nanos / done / 1_000_000_000L)
            : "";
    return String.format(Locale.ROOT, "  %,d of %,d records are read again%s", done, all, left);
  }

  private static long left(
      Map<TopicPartition, Long> committed, TollgateConfig settings, TopicReach reach) {
    long left = 0;
    for (Map.Entry<Integer, TopicReach.Partition> each : reach.partitions().entrySet()) {
      TopicPartition partition = new TopicPartition(settings.kafka().topics().cdr(), each.getKey());
      TopicReach.Partition was = each.getValue();
      left += Math.max(0, was.committed() - committed.getOrDefault(partition, was.position()));
    }
    return left;
  }

  private void showResult(Operations.Replay replay, long left) {
    say("");
    say(
        String.format(
            Locale.ROOT,
            "Replay %s has caught up at %s: %,d records read again.",
            replay.id(),
            Instant.ofEpochMilli(replay.finishedMillis()),
            replay.records()));
    say(
        String.format(
            Locale.ROOT,
            "%,d events had their charge, unchanged; %,d had none and are charged now; %,d have"
                + " none for a reason (suspended, rejected or in conflict).",
            replay.there(),
            replay.filled(),
            left));
  }

  private static void record(TollgateConfig settings, Operations.Replay replay) {
    PostgresOfConfig.with(
        settings,
        connection -> {
          new Operations(connection).replay(replay);
          return replay;
        });
  }

  private static Operations.Replay with(
      Operations.Replay replay, String stoppedAt, String job, long filled, long finishedMillis) {
    return new Operations.Replay(
        replay.id(),
        replay.from(),
        replay.startedMillis(),
        replay.by(),
        replay.reason(),
        stoppedAt,
        job,
        replay.records(),
        replay.there(),
        replay.missing(),
        filled,
        finishedMillis);
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
