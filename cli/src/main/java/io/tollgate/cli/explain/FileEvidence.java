package io.tollgate.cli.explain;

import io.tollgate.cli.explain.BatchClues.FileClue;
import io.tollgate.cli.explain.BatchClues.InFile;
import io.tollgate.cli.explain.RecordClues.Line;
import io.tollgate.ingest.batch.FileIngest;
import io.tollgate.ingest.batch.FileReport;
import io.tollgate.ingest.batch.IngestOptions;
import io.tollgate.ingest.batch.KnownBatches;
import io.tollgate.ingest.batch.Outbox;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.format.SourceProfile;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * Finds records of a batch in its file: reads the file as ingest does and sends nothing. So a
 * record's line is the one that ingest would send it from.
 */
final class FileEvidence {
  private final SourceProfile profile;
  private final Progress progress;

  FileEvidence(SourceProfile profile, Progress progress) {
    this.profile = profile;
    this.progress = progress;
  }

  /** What was found. */
  record Found(FileClue clue, Map<Long, Line> lines) {}

  /**
   * Looks into a file.
   *
   * @param path where it may lie
   * @param announced all batches of the file that were announced: they say where it was cut
   * @param batch id of the batch
   * @param known what is known of it
   * @param seqs records to look for
   */
  Found look(
      Path path, List<BatchAnnounced> announced, String batch, FileClue known, RoaringBitmap seqs) {
    KnownBatches batches = new KnownBatches();
    announced.forEach(batches::add);
    Finder finder = new Finder(batch, seqs);
    FileReport report =
        new FileIngest(
                profile,
                new IngestOptions(IngestOptions.DEFAULT_BATCH_BYTES, true, true),
                batches,
                finder,
                progress)
            .ingest(path);
    if (!report.refused().isEmpty()) {
      return new Found(
          known.with(InFile.NOT_LOOKED_AT, -1, path + ": " + report.refused()), Map.of());
    }
    if (!finder.isFound) {
      return new Found(
          known.with(InFile.CHANGED, -1, path + " no longer holds the bytes that were announced"),
          Map.of());
    }
    Map<Long, Line> lines;
    try {
      lines = lines(path, known.file(), finder.numbers);
    } catch (IOException e) {
      return new Found(
          known.with(InFile.FOUND, finder.records, path + ": cannot be read: " + e.getMessage()),
          Map.of());
    }
    return new Found(known.with(InFile.FOUND, finder.records, "read from " + path), lines);
  }

  private static Map<Long, Line> lines(Path path, String name, NavigableMap<Long, Long> seqsByLine)
      throws IOException {
    Map<Long, Line> lines = new HashMap<>();
    // Bytes that are no UTF-8 are shown as such and fail nothing: bad lines are looked at here.
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(path), StandardCharsets.UTF_8))) {
      long number = 0;
      while (!seqsByLine.isEmpty() && number < seqsByLine.lastKey()) {
        String text = reader.readLine();
        if (text == null) {
          break;
        }
        number++;
        Long seq = seqsByLine.get(number);
        if (seq != null) {
          lines.put(seq, new Line(name, number, true, text));
        }
      }
    }
    return lines;
  }

  /** Takes down where the wanted records stand, and lets go of everything else. */
  private static final class Finder implements Outbox {
    private final String batch;
    private final RoaringBitmap seqs;
    private final NavigableMap<Long, Long> numbers = new TreeMap<>();
    private boolean isInside;
    private boolean isFound;
    private long records;

    Finder(String batch, RoaringBitmap seqs) {
      this.batch = batch;
      this.seqs = seqs;
    }

    @Override
    public void announce(BatchAnnounced announced) {
      isInside = announced.batch().equals(batch);
      isFound |= isInside;
    }

    @Override
    public void send(OutgoingRecord record) {
      if (!isInside) {
        return;
      }
      records++;
      if (seqs.contains((int) record.batchSeq())) {
        int colon = record.place().lastIndexOf(':');
        numbers.put(Long.parseLong(record.place().substring(colon + 1)), record.batchSeq());
      }
    }

    @Override
    public Map<Integer, Long> awaitAcknowledged() {
      return Map.of();
    }

    @Override
    public void close(ControlTotal total) {
      isInside = false;
    }

    @Override
    public void close() {}
  }
}
