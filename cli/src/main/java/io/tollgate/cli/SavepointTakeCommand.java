package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.settlement.Operations;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./tollgate savepoint take}. */
@Command(
    name = "take",
    mixinStandardHelpOptions = true,
    description = {
      "Take a canonical savepoint of a job that goes on, and record it.",
      "Exit code 1 if the job does not run, or the savepoint failed."
    })
final class SavepointTakeCommand implements Callable<Integer> {
  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();
  @Mixin private Person person = new Person();

  /** The jobs that run all the time. */
  private enum JobName {
    RATING,
    RECONCILE;

    private String inFlink() {
      return "tollgate-" + name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--job",
      defaultValue = "rating",
      description = "Which job: rating or reconcile (default: ${DEFAULT-VALUE}).")
  private JobName job = JobName.RATING;

  @Option(
      names = "--reason",
      paramLabel = "WHY",
      required = true,
      converter = Amounts.Words.class,
      description = "Why; recorded with it.")
  private String reason = "";

  @Override
  public Integer call() throws InterruptedException {
    TollgateConfig settings = config.find().config();
    FlinkCluster cluster = new FlinkCluster(settings.flink().rest());
    FlinkCluster.Job running =
        cluster
            .job(job.inFlink(), settings.installation())
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        job.inFlink()
                            + " of this installation does not run on Flink at "
                            + settings.flink().rest()));
    String path =
        cluster.savepoint(running.id(), Optional.ofNullable(settings.flink().savepoints()));
    PrintWriter out = spec.commandLine().getOut();
    out.println(path);
    out.flush();
    record(
        settings,
        new Operations.Savepoint(
            path, running.id(), job.inFlink(), clock.millis(), person.name(), reason));
    return 0;
  }

  /** Records a savepoint; it is there whether or not that can be done. */
  static void record(TollgateConfig settings, Operations.Savepoint savepoint) {
    PostgresOfConfig.with(
        settings,
        connection -> {
          new Operations(connection).taken(savepoint);
          return savepoint;
        });
  }
}
