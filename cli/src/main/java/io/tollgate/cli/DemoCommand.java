package io.tollgate.cli;

import io.tollgate.cli.SideTopic.Waiting;
import io.tollgate.cli.demo.DemoConfiguration;
import io.tollgate.cli.demo.DemoFiles;
import io.tollgate.cli.demo.OutcomeTable;
import io.tollgate.cli.demo.ReceiptWatch;
import io.tollgate.cli.demo.ReferenceRating;
import io.tollgate.cli.demo.Verdict;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.ingest.batch.FileIngest;
import io.tollgate.ingest.batch.FileReport;
import io.tollgate.ingest.batch.IngestOptions;
import io.tollgate.ingest.batch.Outbox;
import io.tollgate.ingest.format.SourceProfile;
import io.tollgate.ingest.kafka.KafkaControlLog;
import io.tollgate.ingest.kafka.KafkaOutbox;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.localstack.LocalStack;
import io.tollgate.localstack.Ports;
import io.tollgate.localstack.StackSettings;
import io.tollgate.localstack.process.Pause;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Headers;
import io.tollgate.wire.ReceiptTally;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./tollgate demo}: the whole flow on the sample files. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Run the whole flow on the sample files: start servers of its own, publish tariffs/, submit"
          + " the rating job and the reconcile job, ingest samples/, and check every outcome and"
          + " every row of the ledger against a rating in memory.",
      "",
      "Exit code 0 only if every record has exactly one outcome, the right one, the ledger equals"
          + " the rating in memory row by row, and reconciliation finds every batch balanced. What"
          + " was started is stopped again."
    })
final class DemoCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
  private static final Duration OUTAGE = Duration.ofMinutes(1);
  private static final Duration LONGEST_READ = Duration.ofSeconds(30);
  private static final int DIFFERENCES_SHOWN = 20;
  private static final int INTERRUPTED = 130;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--keep",
      description = "Leave the servers and the job running; stop them with the command printed.")
  private boolean keep;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    Path home = StackSettings.projectHome();
    Path folder = home.resolve(StackSettings.DATA_DIR).resolve("demo");
    Folder.stopAndClear(folder);
    LocalStack stack =
        LocalStack.of(
            StackSettings.defaults()
                .withDataDir(folder)
                .withPorts(Ports.free())
                .withTaskManagers(1)
                .withSlotsPerTaskManager(4));
    Interruption interruption = Interruption.reaches(Thread.currentThread());
    boolean leave = false;
    try {
      say(out, "Starting servers in " + folder);
      stack.start(new ConsoleProgress(out));
      int exitCode = run(stack, home, folder, out);
      leave = keep;
      return exitCode;
    } catch (Pause.StoppedWaitingException | InterruptedException e) {
      say(out, "Interrupted.");
      return INTERRUPTED;
    } finally {
      if (leave) {
        say(out, "The servers go on running. Stop them: ./tollgate down --data-dir " + folder);
      } else {
        // A pending interruption would cut the stopping short.
        Thread.interrupted();
        say(out, "Stopping the servers");
        stack.stop();
      }
      interruption.end();
    }
  }

  private static int run(LocalStack stack, Path home, Path folder, PrintWriter out)
      throws Exception {
    String sources = Files.readString(home.resolve("samples/sources.yaml"));
    Path configFile =
        DemoConfiguration.write(folder, stack, DemoConfiguration.QUICK_CYCLES + sources);
    TollgateConfig config = TollgateConfig.read(configFile);
    say(out, "Making topics and the ledger");
    Provision.run(config);
    TariffBook book = TariffPublication.publish(config, home.resolve("tariffs"));
    say(out, "Published tariffs/ as version " + book.version());
    JobSubmission jobs = new JobSubmission(stack, home, configFile);
    say(out, "Submitting the reconcile job: flink run reconcile-job.jar");
    jobs.reconcile();
    say(out, "Submitting the rating job: flink run rating-job.jar; it charges once the first");
    say(out, "  cycle of reconciliation is complete");
    jobs.ratingFresh();

    ReferenceRating reference = new ReferenceRating(book, config.rating().maxAhead().toMillis());
    Map<String, String> formats = new HashMap<>();
    List<ControlTotal> totals;
    try (WatchedOutbox outbox = outbox(config, reference, out)) {
      for (DemoFiles sample : DemoFiles.IN_ORDER) {
        ingest(config, sample, home.resolve("samples"), outbox, formats, out);
      }
      totals = outbox.totals();
    }
    ReceiptTally receipts = awaitOutcomes(config, totals, out);
    BalanceWatch balance = new BalanceWatch(config, totals.size());
    balance.await(PATIENCE, line -> say(out, line));
    int exitCode = report(stack, config, reference, totals, receipts, formats, out);
    balance.print(out);
    return balance.isBalanced() ? exitCode : 1;
  }

  private static WatchedOutbox outbox(
      TollgateConfig config, ReferenceRating reference, PrintWriter out) {
    Outbox kafka = new KafkaOutbox(KafkaOfConfig.address(config), OUTAGE, line -> say(out, line));
    return new WatchedOutbox(kafka, reference, InstantSource.system());
  }

  private static void ingest(
      TollgateConfig config,
      DemoFiles sample,
      Path samples,
      WatchedOutbox outbox,
      Map<String, String> formats,
      PrintWriter out) {
    SourceProfile profile = SourceArguments.declared(config, sample.source());
    formats.put(sample.source(), profile.format().id());
    FileReport report =
        new FileIngest(
                profile,
                new IngestOptions(IngestOptions.DEFAULT_BATCH_BYTES, true, false),
                new KafkaControlLog(KafkaOfConfig.address(config)).read(profile.source()),
                outbox,
                io.tollgate.ingest.batch.Progress.NONE)
            .ingest(samples.resolve(sample.file()));
    if (!report.refused().isEmpty()) {
      throw new IllegalStateException(report.file() + ": " + report.refused());
    }
    say(
        out,
        String.format(
            "  %s %s: %d records, %d bytes in other lines",
            profile.source(), sample.file(), report.records(), report.nonRecordBytes()));
  }

  private static ReceiptTally awaitOutcomes(
      TollgateConfig config, List<ControlTotal> totals, PrintWriter out)
      throws InterruptedException {
    long expected = totals.stream().mapToLong(ControlTotal::records).sum();
    ReceiptWatch watch = new ReceiptWatch(config);
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    long said = -1;
    while (true) {
      ReceiptTally receipts = watch.read();
      long outcomes = ReceiptWatch.outcomes(receipts, totals);
      if (outcomes != said) {
        say(out, String.format("  %d of %d records have their outcome", outcomes, expected));
        said = outcomes;
      }
      if (outcomes >= expected || System.nanoTime() > deadlineNanos) {
        return receipts;
      }
      Thread.sleep(LOOK_EVERY.toMillis());
    }
  }

  private static int report(
      LocalStack stack,
      TollgateConfig config,
      ReferenceRating reference,
      List<ControlTotal> totals,
      ReceiptTally receipts,
      Map<String, String> formats,
      PrintWriter out) {
    try (LedgerSession session = LedgerSession.open(Provision.connection(config))) {
      LedgerReader ledger =
          new LedgerReader(session, LedgerSchema.verify(session), ReadLimit.of(LONGEST_READ));
      Verdict verdict = Verdict.of(reference, totals, receipts, ledger.all());
      out.println();
      OutcomeTable table = new OutcomeTable(out);
      table.files(totals, formats, receipts);
      table.reasons(receipts, examples(config));
      table.accounts(ledger.all());
      out.println();
      out.println("Dashboard: " + stack.flinkRest());
      if (verdict.allRight()) {
        out.printf(
            "All right: every record has one outcome, and the %d rows of the ledger equal the"
                + " rating in memory.%n",
            verdict.rows());
      } else {
        out.println("WRONG: " + verdict.differences().size() + " differences");
        verdict.differences().stream()
            .limit(DIFFERENCES_SHOWN)
            .forEach(difference -> out.println("  " + difference));
      }
      out.flush();
      return verdict.allRight() ? 0 : 1;
    }
  }

  private static Map<Reason, String> examples(TollgateConfig config) {
    Map<Reason, String> examples = new EnumMap<>(Reason.class);
    for (SideTopic topic : List.of(SideTopic.suspended(config), SideTopic.rejected(config))) {
      for (Waiting waiting : topic.read()) {
        String place = waiting.record().extra().getOrDefault(Headers.PLACE, "");
        examples.putIfAbsent(
            waiting.reason(),
            (place.isEmpty() ? "" : place + ": ") + CdrRules.shown(waiting.record().detail(), 90));
      }
    }
    return examples;
  }

  private static void say(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
