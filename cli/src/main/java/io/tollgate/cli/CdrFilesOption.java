package io.tollgate.cli;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.ingest.batch.FileIngest;
import io.tollgate.ingest.batch.FileReport;
import io.tollgate.ingest.batch.IngestOptions;
import io.tollgate.ingest.batch.KnownBatches;
import io.tollgate.ingest.batch.Outbox;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.format.SourceOptions;
import io.tollgate.ingest.format.SourceProfile;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** CDR files that are only looked at: read as ingest reads them, sent nowhere. */
final class CdrFilesOption {
  private static final String NO_SOURCE = "offline";

  @Option(
      names = "--cdrs",
      paramLabel = "FILE",
      description = "A file of CDRs; may be given several times.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "F",
      description =
          "Format of the files: asterisk, freeswitch-csv, freeswitch-json, cucm or tollgate-json"
              + " (the default).")
  private String format = "tollgate-json";

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "Zone of the switch's clock, where the format writes none.")
  private @Nullable String zone;

  @Option(
      names = "--country",
      paramLabel = "CC",
      description = "Country whose national numbers the switch writes, such as DE.")
  private @Nullable String country;

  @Option(
      names = "--identity",
      paramLabel = "native|content",
      description = "What to do with rows that have no id of their own (default: refuse them).")
  private @Nullable String identity;

  boolean areGiven() {
    return !files.isEmpty();
  }

  /**
   * Reads the files, record by record.
   *
   * @return for each file why it could not be read, if so
   * @throws IllegalArgumentException naming every fault of the options
   */
  List<String> read(Consumer<Cdr> onCdr, Consumer<String> onBadLine) {
    SourceProfile profile =
        new SourceOptions(NO_SOURCE, format, null, zone, country, null, null, identity, null)
            .toProfile();
    List<String> refused = new ArrayList<>();
    try (Outbox outbox = new Reader(onCdr, onBadLine)) {
      IngestOptions options = new IngestOptions(IngestOptions.DEFAULT_BATCH_BYTES, true, false);
      FileIngest ingest =
          new FileIngest(profile, options, new KnownBatches(), outbox, Progress.NONE);
      for (Path file : files) {
        FileReport report = ingest.ingest(file);
        if (!report.refused().isEmpty()) {
          refused.add(report.file() + ": " + report.refused());
        }
      }
    }
    return refused;
  }

  /** Takes records as they are read, and lets go of them. */
  private record Reader(Consumer<Cdr> onCdr, Consumer<String> onBadLine) implements Outbox {
    @Override
    public void announce(BatchAnnounced batch) {}

    @Override
    public void send(OutgoingRecord outgoing) {
      if (outgoing.body() instanceof OutgoingRecord.Good good) {
        onCdr.accept(good.cdr());
      } else if (outgoing.body() instanceof OutgoingRecord.Bad bad) {
        onBadLine.accept(outgoing.place() + ": " + bad.reason());
      }
    }

    @Override
    public Map<Integer, Long> awaitAcknowledged() {
      return Map.of();
    }

    @Override
    public void close(ControlTotal total) {}

    @Override
    public void close() {}
  }
}
