package io.tollgate.ingest.batch;

import io.tollgate.ingest.format.Format;
import io.tollgate.ingest.format.Frame;
import io.tollgate.ingest.format.Framer;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * Divides a file into batches: a function of its bytes and of what was announced before, nothing
 * else.
 *
 * <p>From the first byte on: a range that was announced before and still holds the same bytes is
 * the same batch, whatever size is wanted now. Where none fits, records are gathered until the
 * wanted size is reached. So a file that is read again has the batches it had; one that grew has
 * them too, and new ones behind; one whose beginning changed is another file.
 */
final class BatchPlanner {
  private final SourceFile file;
  private final Format format;
  private final KnownBatches known;
  private final long batchBytes;
  private final long usableTo;
  private final boolean complete;
  private long position;
  private long line = 1;

  /**
   * Creates a planner.
   *
   * @param batchBytes wanted size of new batches; one ends with the record that reaches it
   * @param usableTo end of what may be sent now, on a record boundary or the file's size
   * @param complete whether a last record without its end is a record
   */
  BatchPlanner(
      SourceFile file,
      Format format,
      KnownBatches known,
      long batchBytes,
      long usableTo,
      boolean complete) {
    this.file = file;
    this.format = format;
    this.known = known;
    this.batchBytes = batchBytes;
    this.usableTo = usableTo;
    this.complete = complete || usableTo < file.size();
  }

  /** Returns the next batch, or null if what is left must wait for next time. */
  @Nullable PlannedBatch next() throws IOException {
    PlannedBatch batch = knownBatch();
    if (batch == null) {
      batch = newBatch();
    }
    if (batch != null) {
      position = batch.to();
    }
    return batch;
  }

  /** Returns where the next batch would begin; after the last one, what waits begins there. */
  long position() {
    return position;
  }

  /** Returns the longest known range that begins here and still holds its bytes; closed first. */
  private @Nullable PlannedBatch knownBatch() throws IOException {
    NavigableMap<Long, List<String>> ranges = known.startingAt(position).headMap(file.size(), true);
    if (ranges.isEmpty()) {
      return null;
    }
    PlannedBatch best = null;
    long bestLineEnds = 0;
    BatchId id = BatchId.startingAt(position);
    long read = position;
    long lineEnds = 0;
    try (InputStream in = file.openAt(position)) {
      for (Map.Entry<Long, List<String>> range : ranges.entrySet()) {
        lineEnds += id.read(in, range.getKey() - read);
        read = range.getKey();
        String found = id.soFar();
        if (read > position && range.getValue().contains(found)) {
          boolean closed = known.total(found).isPresent();
          if (best == null || closed || best.state() != PlannedBatch.State.CLOSED) {
            PlannedBatch.State state =
                closed ? PlannedBatch.State.CLOSED : PlannedBatch.State.ANNOUNCED;
            best = new PlannedBatch(found, position, read, line, state);
            bestLineEnds = lineEnds;
          }
        }
      }
    }
    line += bestLineEnds;
    return best;
  }

  private @Nullable PlannedBatch newBatch() throws IOException {
    if (position >= usableTo) {
      return null;
    }
    long to = position;
    try (InputStream in = file.openAt(position)) {
      Framer framer = Framer.open(format, in, position, line, usableTo, complete);
      while (to - position < batchBytes) {
        Frame frame = framer.next();
        if (frame == null || frame.kind() == Frame.Kind.PENDING) {
          break;
        }
        to = frame.to();
      }
    }
    if (to == position) {
      return null;
    }
    BatchId id = BatchId.startingAt(position);
    long lineEnds;
    try (InputStream in = file.openAt(position)) {
      lineEnds = id.read(in, to - position);
    }
    PlannedBatch batch = new PlannedBatch(id.soFar(), position, to, line, PlannedBatch.State.NEW);
    line += lineEnds;
    return batch;
  }
}
