package io.tollgate.cli;

import io.tollgate.cli.bench.JobMeter;
import io.tollgate.cli.bench.PlainLoop;
import io.tollgate.cli.demo.DemoConfiguration;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.ingest.kafka.KafkaOutbox;
import io.tollgate.localstack.LocalStack;
import io.tollgate.localstack.Ports;
import io.tollgate.localstack.StackSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate bench}: measures the job against a plain loop in the same run. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measure on servers of its own, which are stopped again.",
      "pipeline: the whole job with Kafka and Cassandra on this machine, and the plain loop (one"
          + " thread: consumer, same decoder, set in memory, same rater) over the same records.",
      "reconcile: the whole job with the reconcile job beside it, against the job alone, in turns."
    })
final class BenchCommand implements Callable<Integer> {
  private static final String PIPELINE = "pipeline";
  private static final String RECONCILE = "reconcile";
  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final Duration OUTAGE = Duration.ofMinutes(1);
  private static final int LOOPS = 3;
  private static final int BATCH_RECORDS = 50_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "pipeline|reconcile", description = "what to measure")
  private String what = PIPELINE;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "3",
      description = "reconcile: how often each is measured (default: ${DEFAULT-VALUE})")
  private int turns;

  @Option(
      names = "--records",
      defaultValue = "500000",
      description = "records of the load (default: ${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--accounts",
      defaultValue = "100000",
      description = "accounts of the load (default: ${DEFAULT-VALUE}).")
  private int accounts;

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    if (!what.equals(PIPELINE) && !what.equals(RECONCILE)) {
      throw new ParameterException(
          spec.commandLine(), what + ": unknown (expected: pipeline or reconcile)");
    }
    PrintWriter out = json ? spec.commandLine().getErr() : spec.commandLine().getOut();
    Path home = StackSettings.projectHome();
    Path folder = home.resolve(StackSettings.DATA_DIR).resolve("bench");
    Folder.stopAndClear(folder);
    LocalStack stack =
        LocalStack.of(
            StackSettings.defaults()
                .withDataDir(folder)
                .withPorts(Ports.free())
                .withTaskManagers(1)
                .withSlotsPerTaskManager(4));
    Interruption interruption = Interruption.reaches(Thread.currentThread());
    try {
      stack.start(new ConsoleProgress(out));
      if (what.equals(PIPELINE)) {
        measure(stack, home, folder, out);
      } else {
        ReconcileCost cost = new ReconcileCost(stack, home, folder, line -> say(out, line));
        cost.measure(records, accounts, turns).print(spec.commandLine().getOut(), json);
      }
      return 0;
    } finally {
      Thread.interrupted();
      stack.stop();
      interruption.end();
    }
  }

  private void measure(LocalStack stack, Path home, Path folder, PrintWriter out) throws Exception {
    Path configFile = DemoConfiguration.write(folder, stack, DemoConfiguration.RATING_ALONE);
    TollgateConfig config = TollgateConfig.read(configFile);
    Provision.run(config);
    TariffBook book = TariffPublication.publish(config, home.resolve("tariffs"));
    say(out, "Sending " + records + " records, 2 % duplicates, 1 % late");
    CdrGenerator generator =
        new CdrGenerator(
            GeneratorSettings.clean(records, accounts, 1).withShares(20_000, 0, 0, 10_000, 0));
    try (KafkaOutbox outbox =
        new KafkaOutbox(KafkaOfConfig.address(config), OUTAGE, line -> say(out, line))) {
      new OutboxLoad(generator, "bench", BATCH_RECORDS).send(outbox, Progress.NONE);
    }
    List<Double> loops = new ArrayList<>();
    for (int i = 0; i < LOOPS; i++) {
      PlainLoop.Outcome outcome = new PlainLoop(config, book).run();
      loops.add(outcome.recordsPerSecond());
      say(out, String.format(Locale.ROOT, "plain loop: %,.0f records/s", loops.get(i)));
    }
    Collections.sort(loops);
    double loop = loops.get(LOOPS / 2);
    new JobSubmission(stack, home, configFile).ratingFresh();
    double job =
        new JobMeter(stack.flinkRest())
            .recordsPerSecond("deduplicate and rate", records / 5, records, PATIENCE, () -> {});
    report(job, loop);
  }

  private void report(double job, double loop) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.printf(
          Locale.ROOT,
          "{\"benchmark\": \"pipeline\", \"records\": %d, \"accounts\": %d,"
              + " \"plainLoopPerSecond\": %.0f, \"jobPerSecond\": %.0f, \"ratio\": %.4f}%n",
          records,
          accounts,
          loop,
          job,
          job / loop);
    } else {
      out.printf(
          Locale.ROOT,
          "%nwhole job: %,.0f records/s; plain loop: %,.0f records/s (median of %d); ratio %.3f%n",
          job,
          loop,
          LOOPS,
          job / loop);
    }
    out.flush();
  }

  private static void say(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
