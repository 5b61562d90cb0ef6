package io.tollgate.ingest.batch;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.ingest.format.Frame;
import io.tollgate.ingest.format.Framer;
import io.tollgate.ingest.format.FreeSwitchLegs;
import io.tollgate.ingest.format.IdentityPolicy;
import io.tollgate.ingest.format.Parsed;
import io.tollgate.ingest.format.RecordParser;
import io.tollgate.ingest.format.RecordParsers;
import io.tollgate.ingest.format.SourceProfile;
import io.tollgate.ingest.format.WrongFormatException;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sends the files of one source: plans the batches of a file, announces each, sends its records,
 * waits for their acknowledgements and closes it with its control total.
 */
public final class FileIngest {
  private static final int RECORDS_BETWEEN_PROGRESS = 1000;
  private static final int MAX_REASON_LENGTH = 1000;

  private final SourceProfile profile;
  private final IngestOptions options;
  private final KnownBatches known;
  private final Outbox outbox;
  private final Progress progress;

  /**
   * Creates the ingest of a source.
   *
   * @param known what the source announced before; batches closed here are added
   */
  public FileIngest(
      SourceProfile profile,
      IngestOptions options,
      KnownBatches known,
      Outbox outbox,
      Progress progress) {
    this.profile = profile;
    this.options = options;
    this.known = known;
    this.outbox = outbox;
    this.progress = progress;
  }

  /**
   * Sends a file. A file that cannot be read, or only in part, is reported and never thrown.
   *
   * @throws OutboxException if records could not be delivered; the file can be sent again
   */
  public FileReport ingest(Path path) {
    FileTally tally = new FileTally(path.toString(), profile.format());
    SourceFile file;
    try {
      file = SourceFile.open(path);
    } catch (RefusedFileException e) {
      return tally.refused(e.detail(), 0);
    }
    try {
      FreeSwitchLegs legs = legs(file);
      RecordParser parser = RecordParsers.open(profile, head(file), legs);
      return new Run(file, parser, legs, tally).toEnd();
    } catch (WrongFormatException e) {
      return tally.refused(
          "not written in format " + profile.format().id() + ": " + e.detail(), file.size());
    } catch (IOException e) {
      return tally.refused(
          "stopped after "
              + tally.records()
              + " records; send it again to go on: "
              + e.getMessage(),
          file.size());
    }
  }

  private FreeSwitchLegs legs(SourceFile file) throws IOException {
    if (!FreeSwitchLegs.areNeededFor(profile)) {
      return FreeSwitchLegs.none();
    }
    List<InputStream> opened = new ArrayList<>();
    try {
      return FreeSwitchLegs.scan(
          profile,
          () -> {
            InputStream in = file.openAt(0);
            opened.add(in);
            return Framer.open(profile.format(), in, 0, 1, file.size(), options.complete());
          },
          file.size(),
          options.complete());
    } finally {
      for (InputStream in : opened) {
        in.close();
      }
    }
  }

  private List<Frame> head(SourceFile file) throws IOException {
    List<Frame> head = new ArrayList<>();
    try (InputStream in = file.openAt(0)) {
      Framer framer = Framer.open(profile.format(), in, 0, 1, file.size(), options.complete());
      for (Frame frame = framer.next();
          frame != null && head.size() < RecordParsers.HEAD_FRAMES;
          frame = framer.next()) {
        head.add(frame);
      }
    }
    return head;
  }

  /** One pass over one file. */
  private final class Run {
    private final SourceFile file;
    private final RecordParser parser;
    private final FileTally tally;
    private final boolean needsFraming;
    private final long usableTo;
    private final LongOpenHashSet contentsSeen = new LongOpenHashSet();
    private final Set<String> batchesSeen = new HashSet<>();

    Run(SourceFile file, RecordParser parser, FreeSwitchLegs legs, FileTally tally) {
      this.file = file;
      this.parser = parser;
      this.tally = tally;
      this.needsFraming = profile.identity() == IdentityPolicy.CONTENT;
      this.usableTo = FreeSwitchLegs.areNeededFor(profile) ? legs.undecidedFrom() : file.size();
    }

    FileReport toEnd() throws IOException {
      BatchPlanner planner =
          new BatchPlanner(
              file, profile.format(), known, options.batchBytes(), usableTo, options.complete());
      for (PlannedBatch batch = planner.next(); batch != null; batch = planner.next()) {
        batchesSeen.add(batch.id());
        if (batch.state() == PlannedBatch.State.CLOSED && !options.resend()) {
          skip(batch);
        } else {
          send(batch);
        }
        progress.at(file.name(), batch.to(), file.size(), tally.records());
      }
      pending(file.size() - planner.position());
      warnOfVanishedBatches();
      return tally.finished(file.size());
    }

    private void skip(PlannedBatch batch) throws IOException {
      long records = known.total(batch.id()).map(ControlTotal::records).orElse(0L);
      tally.skipped(batch, records);
      if (needsFraming) {
        // Rows that were sent before still decide which later ones cannot be told from them.
        forEach(batch, (frame, parsed) -> isRepeatedContent(parsed));
      }
    }

    private void send(PlannedBatch batch) throws IOException {
      BatchAnnounced announced =
          new BatchAnnounced(profile.source(), batch.id(), file.name(), batch.from(), batch.to());
      outbox.announce(announced);
      known.add(announced);
      BatchTally sent = new BatchTally();
      forEach(batch, (frame, parsed) -> sendRecord(frame, parsed, sent));
      Map<Integer, Long> lastOffsets = outbox.awaitAcknowledged();
      ControlTotal total =
          new ControlTotal(
              profile.source(),
              batch.id(),
              file.name(),
              sent.records(),
              sent.unreadable(),
              sent.usage(),
              lastOffsets);
      outbox.close(total);
      known.add(total);
      tally.sent(batch, sent);
    }

    private void sendRecord(Frame frame, Parsed parsed, BatchTally sent) {
      if (parsed instanceof Parsed.NonRecord other) {
        tally.nonRecord(other.name(), frame);
        return;
      }
      String place = file.name() + ":" + frame.line();
      outbox.send(new OutgoingRecord(sent.records(), place, body(frame, parsed, place)));
      tally.record(frame);
      if (parsed instanceof Parsed.Call call) {
        sent.addCdr(call.cdr());
      } else {
        sent.addUnreadable();
      }
      if (sent.records() % RECORDS_BETWEEN_PROGRESS == 0) {
        progress.at(file.name(), frame.to(), file.size(), tally.records());
      }
    }

    private OutgoingRecord.Body body(Frame frame, Parsed parsed, String place) {
      if (parsed instanceof Parsed.Call call) {
        boolean repeated = isRepeatedContent(parsed);
        if (repeated) {
          tally.indistinguishable();
        }
        return new OutgoingRecord.Good(call.cdr(), repeated);
      }
      String reason = shortened(((Parsed.BadLine) parsed).reason());
      tally.rejected(place, reason);
      return new OutgoingRecord.Bad(
          frame.content(), reason, profile.format().id(), parser.columns());
    }

    /** Remembers the content of a row without an id; returns whether it was there before. */
    private boolean isRepeatedContent(Parsed parsed) {
      if (!(parsed instanceof Parsed.Call call) || !call.idFromContent()) {
        return false;
      }
      Cdr cdr = call.cdr();
      return !contentsSeen.add(EventIdentity.of(cdr.accountId(), cdr.eventId()).high());
    }

    private void forEach(PlannedBatch batch, FrameAction action) throws IOException {
      try (BatchFrames frames = new BatchFrames(file, profile.format(), batch)) {
        for (Frame frame = frames.next(); frame != null; frame = frames.next()) {
          action.accept(frame, parser.parse(frame));
        }
      }
    }

    private void pending(long bytes) {
      if (bytes > 0) {
        tally.pending(
            bytes,
            usableTo < file.size()
                ? "rows whose other leg may still come; --complete if the file will not grow"
                : "a last record without its end; --complete if the file will not grow");
      }
    }

    private void warnOfVanishedBatches() {
      for (BatchAnnounced open : known.openBatchesOf(file.name())) {
        if (!batchesSeen.contains(open.batch())) {
          tally.warning(
              "batch "
                  + open.batch()
                  + ": announced for bytes "
                  + open.fromByte()
                  + " to "
                  + open.toByte()
                  + " and never closed, and the file no longer holds them (expected: files that"
                  + " are only appended to; send the earlier file to close it)");
        }
      }
    }
  }

  private static String shortened(String reason) {
    return reason.length() <= MAX_REASON_LENGTH
        ? reason
        : reason.substring(0, MAX_REASON_LENGTH) + "...";
  }

  private interface FrameAction {
    void accept(Frame frame, Parsed parsed);
  }
}
