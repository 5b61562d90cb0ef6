package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.ingest.batch.Outbox;
import io.tollgate.ingest.format.Format;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.FileLoad;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.LoadSummary;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.ingest.kafka.KafkaAddress;
import io.tollgate.ingest.kafka.KafkaOutbox;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code ./tollgate generate}: seeded load. */
@Command(
    name = "generate",
    mixinStandardHelpOptions = true,
    description = {
      "Make CDRs, the same for the same seed, to files or straight to Kafka, and say how many must"
          + " have which outcome. Numbers are from ranges reserved for fiction; the sample tariffs"
          + " price them.",
      ""
    })
final class GenerateCommand implements Callable<Integer> {
  private static final Duration CHECK_PATIENCE = Duration.ofSeconds(20);
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @ArgGroup(multiplicity = "1")
  private Target target = new Target();

  @Option(names = "--records", required = true, paramLabel = "N", description = "How many records.")
  private long records;

  @Option(
      names = "--accounts",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Of how many accounts (default: ${DEFAULT-VALUE}).")
  private int accounts;

  @Option(
      names = "--duplicates",
      paramLabel = "PERCENT",
      defaultValue = "0",
      converter = Amounts.ShareText.class,
      description = "Repeats of an earlier record.")
  private int duplicatesPpm;

  @Option(
      names = "--conflicts",
      paramLabel = "PERCENT",
      defaultValue = "0",
      converter = Amounts.ShareText.class,
      description = "The id of an earlier record with other content.")
  private int conflictsPpm;

  @Option(
      names = "--suspended",
      paramLabel = "PERCENT",
      defaultValue = "0",
      converter = Amounts.ShareText.class,
      description = "Calls that the sample tariffs do not price.")
  private int suspendedPpm;

  @Option(
      names = "--late",
      paramLabel = "PERCENT",
      defaultValue = "0",
      converter = Amounts.ShareText.class,
      description = "Calls of 2 hours to 7 days before.")
  private int latePpm;

  @Option(
      names = "--bad",
      paramLabel = "PERCENT",
      defaultValue = "0",
      converter = Amounts.ShareText.class,
      description = "Records that must be rejected, of every kind.")
  private int badPpm;

  @Option(
      names = "--out-of-order-seconds",
      paramLabel = "N",
      defaultValue = "0",
      description = "How far starts are shuffled against the order of sending.")
  private int outOfOrderSeconds;

  @Option(
      names = "--hot-accounts",
      paramLabel = "N:PERCENT",
      description = "N accounts that together have a share of the traffic, such as 1:50.")
  private @Nullable String hotAccounts;

  @Option(
      names = "--start",
      paramLabel = "INSTANT",
      defaultValue = "2026-10-05T00:00:00Z",
      description = "Start of the first call (default: ${DEFAULT-VALUE}).")
  private Instant start = Instant.EPOCH;

  @Option(
      names = "--span",
      paramLabel = "TIME",
      defaultValue = "1d",
      converter = Amounts.DurationText.class,
      description = "Until the start of the last one (default: ${DEFAULT-VALUE}).")
  private Duration span = Duration.ZERO;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Another seed makes another load (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "tollgate-json",
      description = "Of files: tollgate-json or asterisk, in UTC (default: ${DEFAULT-VALUE}).")
  private String format = "";

  @Option(
      names = "--files",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many files (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(
      names = "--source",
      paramLabel = "ID",
      defaultValue = "load",
      description = "To Kafka: id of the source (default: ${DEFAULT-VALUE}).")
  private String source = "";

  @Option(
      names = "--batch-records",
      paramLabel = "N",
      defaultValue = "100000",
      description = "To Kafka: records of a batch (default: ${DEFAULT-VALUE}).")
  private long batchRecords;

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  /** Where the load goes: exactly one. */
  private static final class Target {
    @Option(
        names = "--out",
        paramLabel = "DIR",
        required = true,
        description = "Write files and summary.json into this folder.")
    private @Nullable Path folder;

    @Option(
        names = "--to-kafka",
        required = true,
        description = "Send to Kafka, in batches with control totals.")
    private boolean kafka;
  }

  @Override
  public Integer call() throws IOException {
    CdrGenerator generator;
    Format fileFormat;
    try {
      generator = new CdrGenerator(settings());
      fileFormat =
          Format.of(format)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "--format: " + format + " (expected: tollgate-json or asterisk)"));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    long begunNanos = System.nanoTime();
    Path folder = target.folder;
    LoadSummary summary =
        target.kafka || folder == null
            ? toKafka(generator, config.find().config())
            : new FileLoad(generator, fileFormat).write(folder, files);
    PrintWriter out = spec.commandLine().getOut();
    if (!json) {
      long millis = Math.max(1, (System.nanoTime() - begunNanos) / 1_000_000);
      out.printf(
          Locale.ROOT,
          "%,d records in %,d ms, %,d a second%n",
          summary.records(),
          millis,
          summary.records() * 1000 / millis);
    }
    out.println(summary.toJson());
    out.flush();
    return 0;
  }

  private LoadSummary toKafka(CdrGenerator generator, TollgateConfig found) {
    KafkaAddress address = KafkaOfConfig.address(found);
    address.check(CHECK_PATIENCE);
    RecordProgress progress = RecordProgress.on(spec.commandLine().getErr());
    try (Outbox outbox = new KafkaOutbox(address, TIMEOUT, progress::say)) {
      return new OutboxLoad(generator, source, batchRecords).send(outbox, progress);
    } finally {
      progress.end();
    }
  }

  private GeneratorSettings settings() {
    int hot = 0;
    int hotSharePpm = 0;
    String given = hotAccounts;
    if (given != null) {
      String[] parts = given.split(":", -1);
      try {
        hot = Integer.parseInt(parts[0]);
        hotSharePpm = new Amounts.ShareText().convert(parts.length == 2 ? parts[1] : "");
      } catch (NumberFormatException | TypeConversionException e) {
        throw new IllegalArgumentException(
            "--hot-accounts: " + given + " (expected: a number and a percentage, such as 1:50)", e);
      }
    }
    return new GeneratorSettings(
        records,
        accounts,
        duplicatesPpm,
        conflictsPpm,
        suspendedPpm,
        latePpm,
        badPpm,
        outOfOrderSeconds,
        hot,
        hotSharePpm,
        start,
        span,
        seed);
  }
}
