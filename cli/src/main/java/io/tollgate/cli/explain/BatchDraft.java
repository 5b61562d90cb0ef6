package io.tollgate.cli.explain;

import io.tollgate.cli.explain.BatchClues.FileClue;
import io.tollgate.cli.explain.BatchClues.InFile;
import io.tollgate.cli.explain.BatchClues.Look;
import io.tollgate.cli.explain.BatchClues.Said;
import io.tollgate.cli.explain.PatientScan.Stretch;
import io.tollgate.cli.explain.RecordClues.Copy;
import io.tollgate.cli.explain.RecordClues.Identity;
import io.tollgate.cli.explain.RecordClues.Kept;
import io.tollgate.cli.explain.RecordClues.Line;
import io.tollgate.cli.explain.RecordClues.Named;
import io.tollgate.cli.explain.RecordClues.RowClue;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Receipt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/** The clues of one batch while they are gathered. */
final class BatchDraft {
  /** A record sent again and again is shown so many times. */
  private static final int MOST_OF_A_KIND = 10;

  private final BatchKey key;
  private final List<Said> said = new ArrayList<>();
  private final RoaringBitmap wanted = new RoaringBitmap();
  private final RoaringBitmap rated = new RoaringBitmap();
  private final RoaringBitmap unrated = new RoaringBitmap();
  private final List<Receipt.RatedSet> sets = new ArrayList<>();
  private final Map<Integer, Stretch> named = new HashMap<>();
  private final Map<Integer, Long> lastOffsets = new HashMap<>();
  private final Map<Long, Draft> records = new TreeMap<>();
  private final NavigableMap<Long, Long> linesOfNeighbours = new TreeMap<>();
  private long announcedMillis = Long.MAX_VALUE;
  private long total = -1;
  private long highestSeq = -1;
  private long unnamed;
  private Look topic = Look.NONE;
  private Look receipts = Look.NONE;
  private FileClue file = FileClue.UNKNOWN;

  BatchDraft(BatchKey key) {
    this.key = key;
  }

  BatchKey key() {
    return key;
  }

  void said(BatchAnnounced message, int partition, long offset, long atMillis) {
    said.add(
        new Said(
            "announced: bytes "
                + message.fromByte()
                + " to "
                + message.toByte()
                + " of "
                + message.file(),
            partition,
            offset,
            atMillis));
    announcedMillis = Math.min(announcedMillis, atMillis);
    file =
        new FileClue(
            message.file(), message.fromByte(), message.toByte(), InFile.NOT_LOOKED_AT, -1, "");
  }

  void said(ControlTotal message, int partition, long offset, long atMillis) {
    said.add(
        new Said(
            "control total: "
                + message.records()
                + " records, "
                + message.unreadable()
                + " of them unreadable, usage "
                + message.usage()
                + ", last offsets "
                + new TreeMap<>(message.lastOffsets()),
            partition,
            offset,
            atMillis));
    total = Math.max(total, message.records());
    message.lastOffsets().forEach((each, last) -> lastOffsets.merge(each, last, Math::max));
  }

  /** Asks for records; those that are asked for are looked for from now on. */
  void want(RoaringBitmap seqs, int most) {
    RoaringBitmap news = RoaringBitmap.andNot(seqs, wanted);
    long room = Math.max(0, most - wanted.getLongCardinality());
    RoaringBitmap chosen = news.getLongCardinality() <= room ? news : news.limit((int) room);
    unnamed += news.getLongCardinality() - chosen.getLongCardinality();
    wanted.or(chosen);
  }

  boolean wants(long seq) {
    return seq >= 0 && seq <= Integer.MAX_VALUE && wanted.contains((int) seq);
  }

  RoaringBitmap wanted() {
    return wanted;
  }

  void take(Receipt receipt) {
    for (Receipt.RatedSet set : receipt.rated()) {
      rated.or(set.batchSeqs());
      sets.add(set);
      set.offsets().forEach(range -> widen(range.partition(), range.first(), range.last()));
    }
    for (Receipt.Entry entry : receipt.entries()) {
      widen(entry.partition(), entry.offset(), entry.offset());
      if (entry.batchSeq() < 0 || entry.batchSeq() > Integer.MAX_VALUE) {
        continue;
      }
      (entry.outcome() == Outcome.RATED ? rated : unrated).add((int) entry.batchSeq());
      // What lies beyond the total is named later, if anything is: keep those entries too.
      if (wants(entry.batchSeq()) || (total >= 0 && entry.batchSeq() >= total)) {
        add(record(entry.batchSeq()).receipts, named(entry));
      }
    }
  }

  private static Named named(Receipt.Entry entry) {
    boolean isRated = entry.outcome() == Outcome.RATED;
    return new Named(
        entry.outcome(),
        entry.reason() == null ? "" : String.valueOf(entry.reason()),
        entry.partition(),
        entry.offset(),
        isRated ? Placement.usageHour(entry.startMillis()) : -1,
        -1,
        entry.eventId().isEmpty()
            ? null
            : new Identity(entry.accountId(), entry.eventId(), entry.startMillis()));
  }

  private void widen(int partition, long first, long last) {
    named.merge(partition, new Stretch(first, last + 1), Stretch::unite);
  }

  /** Ends the receipts: what disagrees with the control total is asked for too. */
  void receiptsRead(Look look, int most) {
    receipts = look;
    unrated.andNot(rated);
    if (look == Look.WHOLE) {
      BatchClues soFar = clues();
      want(soFar.withoutReceipt(), most);
      want(soFar.beyondTotal(), most);
    }
  }

  /**
   * Returns the stretches of the topic of CDRs in which the batch's records lie: from its first
   * announcement to the last offsets of its control total, and wherever receipts saw it.
   *
   * @param sinceAnnounced first offsets as young as its announcement, by partition
   * @param whole what the topic has now
   */
  Map<Integer, Stretch> stretches(Map<Integer, Long> sinceAnnounced, Map<Integer, Stretch> whole) {
    Map<Integer, Stretch> stretches = new HashMap<>(named);
    whole.forEach(
        (partition, all) -> {
          long from = Math.max(all.from(), sinceAnnounced.getOrDefault(partition, all.from()));
          Long last = lastOffsets.get(partition);
          long to = total < 0 ? all.to() : last == null ? -1 : Math.min(all.to(), last + 1);
          if (from < to) {
            stretches.merge(partition, new Stretch(from, to), Stretch::unite);
          }
        });
    return stretches;
  }

  /** Returns when the batch was announced first; {@link Long#MAX_VALUE} if it was not. */
  long announcedMillis() {
    return announcedMillis;
  }

  void take(Copy copy) {
    highestSeq = Math.max(highestSeq, copy.seq());
    if (wants(copy.seq())) {
      add(record(copy.seq()).copies, copy);
    } else if (wants(copy.seq() - 1) || wants(copy.seq() + 1)) {
      int colon = copy.place().lastIndexOf(':');
      if (copy.place().substring(colon + 1).matches("\\d{1,15}")) {
        linesOfNeighbours.put(copy.seq(), Long.parseLong(copy.place().substring(colon + 1)));
      }
    }
  }

  void topicRead(Look look) {
    topic = look;
  }

  void take(long seq, Kept kept) {
    if (wants(seq)) {
      add(record(seq).kept, kept);
    }
  }

  void take(long seq, RowClue row) {
    add(record(seq).rows, row);
  }

  void fileRead(FileClue clue, Map<Long, Line> lines) {
    file = clue;
    lines.forEach((seq, line) -> record(seq).line = line);
  }

  FileClue file() {
    return file;
  }

  /** Returns who pays for what, of a record, as topic and receipts tell. */
  Set<Identity> identities(long seq) {
    Set<Identity> identities = new LinkedHashSet<>();
    Draft draft = records.get(seq);
    if (draft == null) {
      return identities;
    }
    for (Copy copy : draft.copies) {
      Cdr cdr = copy.cdr();
      if (cdr != null) {
        identities.add(new Identity(cdr.accountId(), cdr.eventId(), cdr.startMillis()));
      }
    }
    for (Named each : draft.receipts) {
      Identity identity = each.identity();
      if (identity != null) {
        identities.add(identity);
      }
    }
    return identities;
  }

  /** Returns the sets in which receipts call a record RATED. */
  List<Receipt.RatedSet> setsWith(long seq) {
    return sets.stream().filter(set -> set.batchSeqs().contains((int) seq)).toList();
  }

  /** Returns the clues that were gathered. */
  BatchClues clues() {
    NavigableMap<Long, RecordClues> all = new TreeMap<>();
    for (int seq : wanted) {
      Draft draft = records.getOrDefault((long) seq, new Draft());
      List<Named> receiptsOf = new ArrayList<>(draft.receipts);
      for (Receipt.RatedSet set : setsWith(seq)) {
        Named inSet = new Named(Outcome.RATED, "", -1, -1, set.usageHour(), set.bucket(), null);
        if (!receiptsOf.contains(inSet)) {
          receiptsOf.add(inSet);
        }
      }
      all.put(
          (long) seq,
          new RecordClues(
              seq,
              draft.copies,
              receiptsOf,
              draft.rows,
              draft.kept,
              draft.line == null ? lineBetweenNeighbours(seq) : draft.line));
    }
    return new BatchClues(
        key, said, total, rated, unrated, highestSeq, topic, receipts, file, all, unnamed);
  }

  /**
   * Records follow each other in a file. If as many lines lie between two neighbours as records do,
   * each stands on a line of its own and the number follows.
   */
  private @Nullable Line lineBetweenNeighbours(long seq) {
    Map.Entry<Long, Long> before = linesOfNeighbours.lowerEntry(seq);
    Map.Entry<Long, Long> after = linesOfNeighbours.higherEntry(seq);
    if (before == null || after == null) {
      return null;
    }
    long records = after.getKey() - before.getKey();
    return after.getValue() - before.getValue() == records
        ? new Line(file.file(), before.getValue() + seq - before.getKey(), false, "")
        : null;
  }

  private Draft record(long seq) {
    return records.computeIfAbsent(seq, number -> new Draft());
  }

  private static <T> void add(Collection<T> clues, T clue) {
    if (clues.size() < MOST_OF_A_KIND && !clues.contains(clue)) {
      clues.add(clue);
    }
  }

  /** The clues of one record while they are gathered. */
  private static final class Draft {
    private final List<Copy> copies = new ArrayList<>();
    private final List<Named> receipts = new ArrayList<>();
    private final List<RowClue> rows = new ArrayList<>();
    private final List<Kept> kept = new ArrayList<>();
    private @Nullable Line line;
  }
}
