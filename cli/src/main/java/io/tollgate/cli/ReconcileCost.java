package io.tollgate.cli;

import io.tollgate.cli.bench.JobMeter;
import io.tollgate.cli.demo.DemoConfiguration;
import io.tollgate.config.TollgateConfig;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.ingest.kafka.KafkaOutbox;
import io.tollgate.localstack.LocalStack;
import io.tollgate.settlement.ResultReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * What reconciliation costs the rating job: the same load through the whole job, with the reconcile
 * job beside it and without, in turns, so that a machine that gets slower slows both.
 */
final class ReconcileCost {
  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final Duration OUTAGE = Duration.ofMinutes(1);
  private static final Duration SPAN = Duration.ofMinutes(30);
  private static final int BATCH_RECORDS = 50_000;

  /**
   * As in production, but that all rows of the hour that fills are read every two minutes and not
   * every ten: in a turn as short as this none would be read otherwise.
   */
  private static final String WITH =
      """
      reconcile:
        sweep: 2m
      """;

  private final LocalStack stack;
  private final Path home;
  private final Path folder;
  private final Consumer<String> progress;
  private final List<Long> cycleMillis = new ArrayList<>();

  ReconcileCost(LocalStack stack, Path home, Path folder, Consumer<String> progress) {
    this.stack = stack;
    this.home = home;
    this.folder = folder;
    this.progress = progress;
  }

  /** Measures each in turn. */
  Report measure(int records, int accounts, int turns) throws Exception {
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    for (int turn = 1; turn <= turns; turn++) {
      without.add(turn("without" + turn, DemoConfiguration.RATING_ALONE, false, records, accounts));
      with.add(turn("with" + turn, WITH, true, records, accounts));
    }
    return new Report(
        records, accounts, median(without), median(with), cycleMillis.stream().sorted().toList());
  }

  private double turn(String name, String settings, boolean reconcile, int records, int accounts)
      throws Exception {
    Path configFile = DemoConfiguration.writeApart(folder, stack, name, settings);
    TollgateConfig config = TollgateConfig.read(configFile);
    Provision.run(config);
    TariffPublication.publish(config, home.resolve("tariffs"));
    CdrGenerator generator =
        new CdrGenerator(
            new GeneratorSettings(
                records,
                accounts,
                20_000,
                0,
                0,
                10_000,
                0,
                0,
                0,
                0,
                Instant.now().minus(SPAN),
                SPAN,
                1));
    try (KafkaOutbox outbox = new KafkaOutbox(KafkaOfConfig.address(config), OUTAGE, progress)) {
      new OutboxLoad(generator, "bench", BATCH_RECORDS).send(outbox, Progress.NONE);
    }
    JobSubmission submission = new JobSubmission(stack, home, configFile);
    if (reconcile) {
      submission.reconcile();
    }
    submission.ratingFresh();
    double perSecond =
        new JobMeter(stack.flinkRest())
            .recordsPerSecond("deduplicate and rate", records / 5, records, PATIENCE, () -> {});
    progress.accept(String.format(Locale.ROOT, "%s: %,.0f records/s", name, perSecond));
    if (reconcile) {
      BalanceWatch watch = new BalanceWatch(config, (records + BATCH_RECORDS - 1) / BATCH_RECORDS);
      watch.await(PATIENCE, progress);
      if (!watch.isBalanced()) {
        throw new IllegalStateException("not reconciled after " + PATIENCE.toMinutes() + " min");
      }
      cycleMillis.addAll(PostgresOfConfig.with(config, ReconcileCost::cycleMillis));
    }
    submission.cancel();
    return perSecond;
  }

  private static List<Long> cycleMillis(Connection connection) throws SQLException {
    return new ResultReader(connection)
        .lastCycles(Integer.MAX_VALUE).stream()
            .map(cycle -> cycle.finishedMillis() - cycle.startedMillis())
            .toList();
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  /**
   * What was measured.
   *
   * @param without records per second of the job alone, median of the turns
   * @param with records per second with the reconcile job beside it, median of the turns
   * @param cycleMillis how long each cycle took, in order of length
   */
  record Report(int records, int accounts, double without, double with, List<Long> cycleMillis) {
    void print(PrintWriter out, boolean json) {
      long median = cycleMillis.get(cycleMillis.size() / 2);
      long longest = cycleMillis.get(cycleMillis.size() - 1);
      out.printf(
          Locale.ROOT,
          json
              ? "{\"benchmark\": \"reconcile\", \"records\": %d, \"accounts\": %d,"
                  + " \"alonePerSecond\": %.0f, \"reconciledPerSecond\": %.0f, \"ratio\": %.4f,"
                  + " \"cycles\": %d, \"cycleMedianMillis\": %d, \"cycleLongestMillis\": %d}%n"
              : "%n%,d records, %,d accounts%nalone: %,.0f records/s; reconciled: %,.0f records/s;"
                  + " ratio %.3f%n%d cycles: median %,d ms, longest %,d ms%n",
          records,
          accounts,
          without,
          with,
          with / without,
          cycleMillis.size(),
          median,
          longest);
      out.flush();
    }
  }
}
