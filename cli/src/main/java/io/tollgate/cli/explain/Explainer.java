package io.tollgate.cli.explain;

import io.tollgate.cli.explain.BatchClues.FileClue;
import io.tollgate.cli.explain.BatchClues.InFile;
import io.tollgate.cli.explain.BatchClues.Look;
import io.tollgate.cli.explain.KafkaEvidence.AtPlace;
import io.tollgate.cli.explain.RecordClues.Identity;
import io.tollgate.cli.explain.RecordClues.RowClue;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.format.SourceProfile;
import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerException;
import io.tollgate.settlement.ResultReader.DifferenceRow;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.SeqText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * Gathers what became of the records of a batch or an hour, from whatever answers: without
 * PostgreSQL the differences are those that halted, without Kafka or Cassandra their part is
 * missing, and each absence is said.
 */
public final class Explainer {
  private static final int MOST_PARTITIONS = 16;

  private final TollgateConfig config;
  private final LedgerConnection ledgerConnection;
  private final Function<String, Optional<SourceProfile>> profiles;
  private final long giveUpNanos;
  private final Progress progress;
  private final List<String> unavailable = new ArrayList<>();
  private final Map<BatchKey, BatchDraft> drafts = new TreeMap<>();

  /**
   * Creates an explainer, for one question.
   *
   * @param profiles how the files of a source are read, by its id; empty if that is not declared
   * @param giveUpNanos when time is over, by {@link System#nanoTime}
   */
  public Explainer(
      TollgateConfig config,
      LedgerConnection ledgerConnection,
      Function<String, Optional<SourceProfile>> profiles,
      long giveUpNanos,
      Progress progress) {
    this.config = config;
    this.ledgerConnection = ledgerConnection;
    this.profiles = profiles;
    this.giveUpNanos = giveUpNanos;
    this.progress = progress;
  }

  /**
   * A question.
   *
   * @param batch id of the batch; empty if it is about an hour
   * @param usageHour hours since 1970 in UTC; -1 if it is about a batch
   * @param batches the batches that are known to be meant
   * @param differences what is recorded; null if PostgreSQL could not be asked
   * @param seqs records that are asked for whether they disagree or not
   * @param most how many records of a batch are looked up
   * @param file where the file of the batch lies; null for its name in the working directory
   */
  public record Question(
      String batch,
      long usageHour,
      List<BatchKey> batches,
      @Nullable List<DifferenceRow> differences,
      RoaringBitmap seqs,
      int most,
      @Nullable Path file) {}

  /**
   * An answer.
   *
   * @param batches what was found, by batch
   * @param differences what disagrees, with reasons
   * @param places of an hour: what receipts and ledger say, by bucket and source
   * @param unavailable what could not be asked, and why
   */
  public record Answer(
      Map<BatchKey, BatchClues> batches,
      List<Explained> differences,
      List<Place> places,
      List<String> unavailable) {}

  /**
   * A difference with its reasons.
   *
   * @param reasons likely reasons with the batch-seqs that they hold for; empty text for all
   */
  public record Explained(DifferenceRow row, Map<Likely, String> reasons) {}

  /**
   * A source's part of a partition of the ledger, as it is now.
   *
   * @param bucket of the hour; -1 for late records whose bucket only the ledger could tell
   * @param receipts records that receipts call RATED there; -1 if they could not be read
   * @param rows rows that lie there; -1 if they were not counted
   */
  public record Place(int bucket, String source, long receipts, long rows) {}

  /** Answers a question. */
  public Answer answer(Question question) throws InterruptedException {
    question.batches().forEach(key -> drafts.computeIfAbsent(key, BatchDraft::new));
    try (Ends ends = new Ends()) {
      List<DifferenceRow> differences = differences(question, ends);
      for (DifferenceRow row : differences) {
        if (!row.batch().isEmpty()) {
          drafts
              .computeIfAbsent(new BatchKey(row.source(), row.batch()), BatchDraft::new)
              .want(seqs(row), question.most());
        }
      }
      Map<PlaceKey, RoaringBitmap> rated = readTopics(question, ends);
      readLedger(differences, ends);
      readFiles(question, ends);
      List<Place> places = places(question, rated, ends);
      Map<BatchKey, BatchClues> clues = new TreeMap<>();
      drafts.forEach((key, draft) -> clues.put(key, draft.clues()));
      return new Answer(
          clues,
          differences.stream().map(row -> explained(row, clues)).toList(),
          places,
          List.copyOf(unavailable));
    }
  }

  private List<DifferenceRow> differences(Question question, Ends ends)
      throws InterruptedException {
    List<DifferenceRow> recorded = question.differences();
    if (recorded != null) {
      return recorded;
    }
    LedgerEvidence ledger = ends.ledger();
    if (ledger == null) {
      return List.of();
    }
    return ledger.halted(
        difference ->
            question.usageHour() >= 0
                ? difference.usageHour() == question.usageHour()
                : difference.batch().equals(question.batch()));
  }

  /** Returns the records that a difference names; none if it is about something else. */
  static RoaringBitmap seqs(DifferenceRow row) {
    String items = row.items();
    return items.matches("\\d+(-\\d+)?(,\\d+(-\\d+)?)*")
        ? SeqText.parse(items)
        : new RoaringBitmap();
  }

  /** A source's part of a batch in a bucket. */
  private record PlaceKey(int bucket, BatchKey key) {}

  private Map<PlaceKey, RoaringBitmap> readTopics(Question question, Ends ends) {
    Map<PlaceKey, RoaringBitmap> rated = new HashMap<>();
    KafkaEvidence kafka = ends.kafka();
    try {
      boolean isWhole =
          kafka.readControl(
              key ->
                  !question.batch().isEmpty() && key.batch().equals(question.batch())
                      ? drafts.computeIfAbsent(key, BatchDraft::new)
                      : drafts.get(key));
      if (!question.batch().isEmpty()) {
        drafts.values().forEach(draft -> draft.want(question.seqs(), question.most()));
      }
      Look look =
          kafka.readReceipts(
              key -> question.usageHour() >= 0 || drafts.containsKey(key),
              receipt -> take(receipt, question.usageHour(), rated, ends));
      drafts.values().forEach(draft -> draft.receiptsRead(look, question.most()));
      List<BatchDraft> wanted =
          drafts.values().stream().filter(draft -> !draft.wanted().isEmpty()).toList();
      if (!wanted.isEmpty()) {
        kafka.readCdrs(wanted);
        kafka.readKept(drafts);
      }
      if (!isWhole || look == Look.PART) {
        unavailable.add("Kafka: time was over before all was read (more with --timeout)");
      }
    } catch (KafkaException e) {
      ends.kafkaFailed(e);
    }
    return rated;
  }

  private void take(
      Receipt receipt, long usageHour, Map<PlaceKey, RoaringBitmap> rated, Ends ends) {
    BatchKey key = new BatchKey(receipt.source(), receipt.batch());
    BatchDraft draft = drafts.get(key);
    if (draft != null) {
      draft.take(receipt);
    }
    if (usageHour < 0) {
      return;
    }
    for (Receipt.RatedSet set : receipt.rated()) {
      if (set.usageHour() == usageHour) {
        rated
            .computeIfAbsent(new PlaceKey(set.bucket(), key), place -> new RoaringBitmap())
            .or(set.batchSeqs());
      }
    }
    for (Receipt.Entry entry : receipt.entries()) {
      if (entry.outcome() == Outcome.RATED
          && entry.batchSeq() >= 0
          && entry.batchSeq() <= Integer.MAX_VALUE
          && Placement.usageHour(entry.startMillis()) == usageHour) {
        LedgerEvidence ledger = ends.ledger();
        int bucket =
            ledger == null
                ? -1
                : ledger.bucket(
                    new Identity(entry.accountId(), entry.eventId(), entry.startMillis()));
        rated
            .computeIfAbsent(new PlaceKey(bucket, key), place -> new RoaringBitmap())
            .add((int) entry.batchSeq());
      }
    }
  }

  private void readLedger(List<DifferenceRow> differences, Ends ends) {
    LedgerEvidence ledger = ends.ledger();
    if (ledger == null) {
      return;
    }
    try {
      Map<BatchKey, Map<Long, Map<String, RowClue>>> found = new HashMap<>();
      for (PartitionName name : partitions(differences)) {
        ledger.partition(
            name.usageHour(),
            name.bucket(),
            (charge, bucket) -> {
              BatchKey key = keyOf(charge);
              BatchDraft draft = drafts.get(key);
              if (draft != null && draft.wants(charge.origin().batchSeq())) {
                add(found, key, charge.origin().batchSeq(), charge, bucket, true);
              }
            });
      }
      for (BatchDraft draft : drafts.values()) {
        for (int seq : draft.wanted()) {
          for (Identity identity : draft.identities(seq)) {
            ledger.identity(
                identity,
                (charge, bucket) ->
                    add(
                        found,
                        draft.key(),
                        seq,
                        charge,
                        bucket,
                        keyOf(charge).equals(draft.key()) && charge.origin().batchSeq() == seq));
          }
        }
      }
      found.forEach(
          (key, rows) ->
              rows.forEach(
                  (seq, clues) ->
                      clues.values().forEach(clue -> draft(key).take(seq, withPlace(clue, ends)))));
      if (ledger.isCutShort()) {
        unavailable.add("Cassandra: time was over before all rows were read (more with --timeout)");
      }
    } catch (LedgerException | CompletionException e) {
      ends.ledgerFailed(e);
    }
  }

  private BatchDraft draft(BatchKey key) {
    return drafts.computeIfAbsent(key, BatchDraft::new);
  }

  private static BatchKey keyOf(Charge charge) {
    return new BatchKey(charge.origin().source(), charge.origin().batch());
  }

  private static void add(
      Map<BatchKey, Map<Long, Map<String, RowClue>>> found,
      BatchKey key,
      long seq,
      Charge charge,
      int bucket,
      boolean isOfRecord) {
    found
        .computeIfAbsent(key, each -> new HashMap<>())
        .computeIfAbsent(seq, each -> new LinkedHashMap<>())
        .put(
            charge.usageHour()
                + "\n"
                + charge.cdr().accountId()
                + "\n"
                + charge.cdr().eventId()
                + "\n"
                + charge.revision(),
            new RowClue(charge, bucket, isOfRecord, false, null));
  }

  private static RowClue withPlace(RowClue clue, Ends ends) {
    Charge charge = clue.charge();
    if (!clue.isOfRecord() || charge.revision() > 0) {
      return clue;
    }
    AtPlace there = ends.at(charge.origin().partition(), charge.origin().offset());
    return new RowClue(charge, clue.bucket(), true, there.isKnown(), there.copy());
  }

  /** A partition of the ledger. */
  private record PartitionName(long usageHour, int bucket) implements Comparable<PartitionName> {
    @Override
    public int compareTo(PartitionName other) {
      int byHour = Long.compare(usageHour, other.usageHour);
      return byHour != 0 ? byHour : Integer.compare(bucket, other.bucket);
    }
  }

  /** Returns where rows of the wanted records may lie: as differences and receipts say. */
  private Set<PartitionName> partitions(List<DifferenceRow> differences) {
    Set<PartitionName> names = new TreeSet<>();
    for (DifferenceRow row : differences) {
      if (row.usageHour() >= 0 && row.bucket() >= 0) {
        names.add(new PartitionName(row.usageHour(), row.bucket()));
      }
    }
    for (BatchDraft draft : drafts.values()) {
      for (int seq : draft.wanted()) {
        draft
            .setsWith(seq)
            .forEach(set -> names.add(new PartitionName(set.usageHour(), set.bucket())));
      }
    }
    if (names.size() > MOST_PARTITIONS) {
      unavailable.add(
          "Cassandra: rows were looked for in "
              + MOST_PARTITIONS
              + " of "
              + names.size()
              + " partitions (fewer records with --records)");
    }
    return new TreeSet<>(names.stream().limit(MOST_PARTITIONS).toList());
  }

  private void readFiles(Question question, Ends ends) {
    for (BatchDraft draft : drafts.values()) {
      FileClue clue = draft.file();
      if (draft.wanted().isEmpty() || clue.file().isEmpty()) {
        continue;
      }
      Path given = question.file();
      Path path = given == null ? Path.of(clue.file()) : given;
      if (Files.isDirectory(path)) {
        path = path.resolve(clue.file());
      }
      Optional<SourceProfile> profile = profiles.apply(draft.key().source());
      if (!Files.isRegularFile(path)) {
        draft.fileRead(
            clue.with(
                InFile.NOT_LOOKED_AT,
                -1,
                path.toAbsolutePath() + ": not found (--file says where the file lies)"),
            Map.of());
      } else if (profile.isEmpty()) {
        draft.fileRead(
            clue.with(
                InFile.NOT_LOOKED_AT,
                -1,
                "sources."
                    + draft.key().source()
                    + " is not in the configuration, so its file cannot be read"),
            Map.of());
      } else {
        lookInto(path, draft, profile.get(), ends);
      }
    }
  }

  private void lookInto(Path path, BatchDraft draft, SourceProfile profile, Ends ends) {
    try {
      FileEvidence.Found found =
          new FileEvidence(profile, progress)
              .look(
                  path,
                  ends.kafka().announcements(draft.key().source(), draft.file().file()),
                  draft.key().batch(),
                  draft.file(),
                  draft.wanted());
      draft.fileRead(found.clue(), found.lines());
    } catch (KafkaException e) {
      ends.kafkaFailed(e);
    }
  }

  private List<Place> places(Question question, Map<PlaceKey, RoaringBitmap> rated, Ends ends) {
    if (question.usageHour() < 0) {
      return List.of();
    }
    Map<Integer, Map<String, long[]>> counts = new TreeMap<>();
    rated.forEach(
        (place, seqs) ->
            count(counts, place.bucket(), place.key().source())[0] += seqs.getLongCardinality());
    boolean areRowsKnown = countRows(question.usageHour(), counts, ends);
    List<Place> places = new ArrayList<>();
    counts.forEach(
        (bucket, sources) ->
            sources.forEach(
                (source, both) ->
                    places.add(
                        new Place(
                            bucket,
                            source,
                            ends.isKafkaSilent() ? -1 : both[0],
                            areRowsKnown ? both[1] : -1))));
    return places;
  }

  /** Counts rows as they are now; tells whether all could be counted. */
  private boolean countRows(long usageHour, Map<Integer, Map<String, long[]>> counts, Ends ends) {
    LedgerEvidence ledger = ends.ledger();
    if (ledger == null) {
      return false;
    }
    try {
      for (int bucket = 0; bucket < ledger.buckets(usageHour); bucket++) {
        int each = bucket;
        ledger
            .rowsBySource(usageHour, bucket)
            .forEach((source, rows) -> count(counts, each, source)[1] += rows);
      }
    } catch (LedgerException | CompletionException e) {
      ends.ledgerFailed(e);
      return false;
    }
    return !ledger.isCutShort();
  }

  private static long[] count(Map<Integer, Map<String, long[]>> counts, int bucket, String source) {
    return counts
        .computeIfAbsent(bucket, each -> new TreeMap<>())
        .computeIfAbsent(source, each -> new long[2]);
  }

  private static Explained explained(DifferenceRow row, Map<BatchKey, BatchClues> clues) {
    DifferenceKind kind;
    try {
      kind = DifferenceKind.valueOf(row.kind());
    } catch (IllegalArgumentException e) {
      return new Explained(row, Map.of()); // of a newer version, or raised by hand
    }
    BatchClues batch = clues.get(new BatchKey(row.source(), row.batch()));
    Map<Likely, RoaringBitmap> reasons = new LinkedHashMap<>();
    if (batch != null) {
      for (int seq : seqs(row)) {
        RecordClues record = batch.named().get((long) seq);
        if (record != null) {
          reasons
              .computeIfAbsent(LikelyReason.of(kind, record, batch), reason -> new RoaringBitmap())
              .add(seq);
        }
        if (record == null && !reasons.isEmpty()) {
          break; // only the first are looked up
        }
      }
    }
    Map<Likely, String> shown = new LinkedHashMap<>();
    reasons.forEach((reason, seqs) -> shown.put(reason, SeqText.of(seqs)));
    if (shown.isEmpty()) {
      shown.put(LikelyReason.of(kind), "");
    }
    return new Explained(row, shown);
  }

  /** Kafka and the ledger, opened when they are needed; a failure is said once. */
  private final class Ends implements AutoCloseable {
    private @Nullable KafkaEvidence kafka;
    private @Nullable LedgerEvidence ledger;
    private boolean isKafkaSilent;
    private boolean isLedgerSilent;

    KafkaEvidence kafka() {
      KafkaEvidence opened = kafka;
      if (opened == null) {
        opened = new KafkaEvidence(config, giveUpNanos, progress);
        kafka = opened;
      }
      return opened;
    }

    @Nullable LedgerEvidence ledger() {
      if (ledger == null && !isLedgerSilent) {
        try {
          ledger = LedgerEvidence.open(ledgerConnection, giveUpNanos);
        } catch (LedgerException e) {
          ledgerFailed(e);
        }
      }
      return isLedgerSilent ? null : ledger;
    }

    AtPlace at(int partition, long offset) {
      if (isKafkaSilent) {
        return new AtPlace(false, null);
      }
      try {
        return kafka().at(partition, offset);
      } catch (KafkaException e) {
        kafkaFailed(e);
        return new AtPlace(false, null);
      }
    }

    boolean isKafkaSilent() {
      return isKafkaSilent;
    }

    void kafkaFailed(KafkaException failure) {
      if (!isKafkaSilent) {
        unavailable.add(
            "Kafka at "
                + config.kafka().bootstrapServers()
                + " (records, receipts, control totals and what was put aside are not known): "
                + failure.getMessage());
      }
      isKafkaSilent = true;
    }

    void ledgerFailed(RuntimeException failure) {
      if (!isLedgerSilent) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        unavailable.add(
            "The ledger (its rows are not known): "
                + (cause == null ? failure : cause).getMessage());
      }
      isLedgerSilent = true;
    }

    @Override
    public void close() {
      KafkaEvidence openedKafka = kafka;
      if (openedKafka != null) {
        openedKafka.close();
      }
      LedgerEvidence openedLedger = ledger;
      if (openedLedger != null) {
        openedLedger.close();
      }
    }
  }
}
