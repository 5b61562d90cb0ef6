package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.tollgate.config.TollgateConfig;
import io.tollgate.ingest.batch.FileIngest;
import io.tollgate.ingest.batch.FileReport;
import io.tollgate.ingest.batch.IngestOptions;
import io.tollgate.ingest.batch.KnownBatches;
import io.tollgate.ingest.batch.NoOutbox;
import io.tollgate.ingest.batch.Outbox;
import io.tollgate.ingest.batch.OutboxException;
import io.tollgate.ingest.format.SourceProfile;
import io.tollgate.ingest.kafka.KafkaAddress;
import io.tollgate.ingest.kafka.KafkaControlLog;
import io.tollgate.ingest.kafka.KafkaOutbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate ingest}: CDR files to Kafka. */
@Command(
    name = "ingest",
    mixinStandardHelpOptions = true,
    description = {
      "Send CDR files to Kafka, in batches that are announced before and closed after.",
      "",
      "Sending a file again changes nothing: what is closed is passed over, what was interrupted"
          + " goes on, and of a file that has grown only the new end is sent. A last line without"
          + " its end waits for next time.",
      "",
      "Lines that are no CDR are sent too, and rejected by the job with their place and reason.",
      ""
    },
    footer = {
      "",
      "Exit code 0: every file was read and closed, without a bad line. 1: a file was refused or"
          + " not sent whole, or has bad lines, or a batch vanished. 2: wrong usage."
    })
final class IngestCommand implements Callable<Integer> {
  private static final Duration CHECK_PATIENCE = Duration.ofSeconds(20);

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();
  @Mixin private SourceArguments source = new SourceArguments();

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Files, in the order to send.")
  private List<Path> files = List.of();

  @Option(
      names = "--batch-bytes",
      paramLabel = "SIZE",
      defaultValue = "8MiB",
      converter = Amounts.SizeText.class,
      description = "Size of a batch (default: ${DEFAULT-VALUE}).")
  private long batchBytes;

  @Option(
      names = "--complete",
      description = "The files will not grow: nothing at their ends waits for next time.")
  private boolean complete;

  @Option(
      names = "--resend",
      description = "Send closed batches again, under the same ids: repeats are recognized.")
  private boolean resend;

  @Option(names = "--dry-run", description = "Read and check only; Kafka is not asked.")
  private boolean dryRun;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "5m",
      converter = Amounts.DurationText.class,
      description = "How long an outage of Kafka is waited out (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ZERO;

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    TollgateConfig found = config.find().config();
    SourceProfile profile;
    IngestOptions options;
    try {
      profile = source.profile(found);
      options = new IngestOptions(batchBytes, complete, resend);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    if (timeout.toSeconds() < 1 || timeout.toDays() > 1) {
      throw new ParameterException(
          spec.commandLine(), "--timeout: " + timeout + " (expected: 1s to 1d)");
    }
    RecordProgress progress = RecordProgress.on(spec.commandLine().getErr());
    IngestResult result = send(KafkaOfConfig.address(found), profile, options, progress);
    progress.end();
    if (json) {
      result.printJson(spec.commandLine().getOut());
    } else {
      result.printTable(spec.commandLine().getOut());
    }
    return result.needsAttention() ? 1 : 0;
  }

  private IngestResult send(
      KafkaAddress address, SourceProfile profile, IngestOptions options, RecordProgress progress) {
    List<FileReport> reports = new ArrayList<>();
    if (dryRun) {
      FileIngest ingest =
          new FileIngest(profile, options, new KnownBatches(), new NoOutbox(), progress);
      files.forEach(file -> reports.add(ingest.ingest(file)));
      return new IngestResult(profile.source(), true, reports, "");
    }
    address.check(CHECK_PATIENCE);
    KnownBatches known = new KafkaControlLog(address).read(profile.source());
    try (Outbox outbox = new KafkaOutbox(address, timeout, progress::say)) {
      FileIngest ingest = new FileIngest(profile, options, known, outbox, progress);
      for (Path file : files) {
        reports.add(ingest.ingest(file));
      }
      return new IngestResult(profile.source(), false, reports, "");
    } catch (OutboxException e) {
      String failed = files.get(reports.size()) + ": not sent whole: " + e.getMessage();
      return new IngestResult(profile.source(), false, reports, failed);
    }
  }
}
