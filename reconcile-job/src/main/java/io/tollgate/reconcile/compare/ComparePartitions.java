package io.tollgate.reconcile.compare;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.reconcile.compare.PartitionReading.WatchedRow;
import io.tollgate.reconcile.compare.RepeatJudgement.Repeat;
import io.tollgate.reconcile.compare.Suspicions.Disagreement;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.Bytes;
import io.tollgate.reconcile.message.CycleShare;
import io.tollgate.reconcile.message.Finding;
import io.tollgate.reconcile.message.PartitionFact;
import io.tollgate.reconcile.progress.ProgressWatch;
import io.tollgate.reconcile.progress.Proof;
import io.tollgate.wire.tariff.TariffFeed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * Reads partitions of the ledger back and compares them with the receipts, keyed by partition.
 *
 * <p>In each cycle the partitions that are due are read, one after the other, some thousand rows at
 * a time so that barriers are not held up; then a proof is awaited that was taken after the last
 * row; then all of them are judged. Due is a partition that got receipts since it was read (an hour
 * that still fills only when it is its turn), one where something is suspected, and each balanced
 * one when it is its turn to be verified again. Late records are looked up by their keys.
 *
 * <p>A partition is only balanced if none of its identities is charged in a neighbouring hour, as
 * far as those were read; see {@link CompareIdentities}.
 */
public final class ComparePartitions extends AbstractStreamOperator<BatchFact>
    implements OneInputStreamOperator<PartitionFact, BatchFact> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "compare-partitions";

  /** Name of the operator in the shares of a cycle. */
  public static final String STAGE = "partitions";

  /** Side output of what was found. */
  public static final OutputTag<Finding> FINDINGS =
      new OutputTag<>("findings", TypeInformation.of(Finding.class));

  /** Side output of what was done in a cycle. */
  public static final OutputTag<CycleShare> SHARES =
      new OutputTag<>("shares", TypeInformation.of(CycleShare.class));

  private static final int ROWS_AT_A_TIME = 5_000;
  private static final long PROOF_POLL_MILLIS = 250;
  private static final long LOOK_UP_POLL_MILLIS = 20;
  private static final int MAX_LATE = 100_000;
  private static final long TOUCH_EVERY_MILLIS = 3_600_000;

  private final CompareSettings settings;
  private final LedgerView.Factory ledgers;
  private final TariffFeed.Factory tariffFeeds;
  private final ProgressWatch.Factory watches;
  private final CdrLookup.Factory lookups;
  private final WriteOffs.Factory writeOffFactory;

  private transient LedgerView ledger;
  private transient TariffFeed tariffs;
  private transient ProgressWatch progress;
  private transient CdrLookup lookup;
  private transient WriteOffs writeOffs;
  private transient ValueState<byte[]> status;
  private transient MapState<String, byte[]> batches;

  /** All partitions in state of this subtask, and when receipts of them came last, to an hour. */
  private transient Map<Long, Long> touchedMillisByKey;

  private transient Set<Long> due;
  private transient Queue<LateRecord> late;
  private transient CompareIdentities identities;
  private transient LookUps<LateRecord> lateLookUps;
  private transient LookUps<WatchedLookUp> watchedLookUps;
  private transient @Nullable Cycle running;

  private record LateRecord(
      long key, String source, String batch, int seq, String accountId, String eventId) {
    /** Returns a moment of its hour: the hour is all that its place depends on. */
    long startMillis() {
      return Duration.ofHours(PartitionFact.usageHour(key)).toMillis();
    }
  }

  /** A cycle under way. */
  private static final class Cycle {
    final long number;
    final long startedMillis;
    final Queue<Long> unread = new ArrayDeque<>();
    final List<ReadPartition> read = new ArrayList<>();
    boolean isAsking;
    @Nullable Iterator<Charge> rows;
    @Nullable PartitionReading reading;
    long key;
    long rowsRead;
    long readNanos;

    Cycle(long number, long startedMillis) {
      this.number = number;
      this.startedMillis = startedMillis;
    }
  }

  private record ReadPartition(long key, PartitionReading reading, List<Repeat> repeats) {}

  private record WatchedLookUp(ReadPartition partition, WatchedRow row) {
    CompletionStage<List<Charge>> in(LedgerView ledger) {
      Cdr cdr = row.charge().cdr();
      return ledger.findAroundLater(cdr.accountId(), cdr.eventId(), cdr.startMillis());
    }
  }

  /** Its partitions, as the comparison of identities sees them. */
  private final class Own implements CompareIdentities.Partitions {
    @Override
    public void select(long key) {
      setCurrentKey(key);
    }

    @Override
    public boolean wasRead(long key) throws Exception {
      if (!touchedMillisByKey.containsKey(key)) {
        return false;
      }
      setCurrentKey(key);
      return loadStatus(key).wasRead();
    }

    @Override
    public void compared(IdentityPrefixes prefixes) throws Exception {
      PartitionStatus current = loadStatus((Long) getCurrentKey());
      current.compared(prefixes);
      status.update(current.encode());
    }

    @Override
    public void watch(long key) throws Exception {
      PartitionStatus current = loadStatus(key);
      current.watching(true);
      current.due(true);
      // Told at once, so that nothing is settled before it was looked at again.
      current.read(now());
      status.update(current.encode());
      due.add(key);
      emitPartition(key, current, List.of());
    }
  }

  /** Creates the operator. */
  public ComparePartitions(
      CompareSettings settings,
      LedgerView.Factory ledgers,
      TariffFeed.Factory tariffFeeds,
      ProgressWatch.Factory watches,
      CdrLookup.Factory lookups,
      WriteOffs.Factory writeOffFactory) {
    this.settings = settings;
    this.ledgers = ledgers;
    this.tariffFeeds = tariffFeeds;
    this.watches = watches;
    this.lookups = lookups;
    this.writeOffFactory = writeOffFactory;
  }

  @Override
  public void open() throws Exception {
    super.open();
    status =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>(
                    "status", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    batches =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "batches",
                    Types.STRING,
                    PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    touchedMillisByKey = new HashMap<>();
    due = new HashSet<>();
    late = new ArrayDeque<>();
    ledger = ledgers.open();
    tariffs = tariffFeeds.open();
    progress = watches.open();
    lookup = lookups.open();
    writeOffs = writeOffFactory.open();
    identities =
        new CompareIdentities(getRuntimeContext(), new Own(), ledger, settings.identitiesFor());
    lateLookUps =
        new LookUps<>(
            record ->
                ledger.findAroundLater(record.accountId(), record.eventId(), record.startMillis()));
    watchedLookUps = new LookUps<>(each -> each.in(ledger));
    findWhatIsKnown();
    at(
        settings.nextCycleMillis(getProcessingTimeService().getCurrentProcessingTime()),
        this::begin);
  }

  private void findWhatIsKnown() throws Exception {
    KeyedStateBackend<Long> backend = getKeyedStateBackend();
    try (Stream<Long> keys = backend.getKeys("status", VoidNamespace.INSTANCE)) {
      keys.forEach(key -> touchedMillisByKey.put(key, 0L));
    }
    for (long key : List.copyOf(touchedMillisByKey.keySet())) {
      setCurrentKey(key);
      touchedMillisByKey.put(key, loadStatus(key).touchedMillis());
      // Late records that were still to be looked up are among the missing.
      if (loadStatus(key).isDue() || anyMissing()) {
        due.add(key);
      }
    }
  }

  private boolean anyMissing() throws Exception {
    for (byte[] bytes : batches.values()) {
      if (!PartitionBatch.decode(bytes).missing().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void processElement(StreamRecord<PartitionFact> element) throws Exception {
    PartitionFact fact = element.getValue();
    long key = fact.partitionKey();
    if (fact.existsOnly()) {
      if (!touchedMillisByKey.containsKey(key)) {
        touch(key);
        due.add(key);
      }
      return;
    }
    if (fact.isRevised()) {
      if (!touchedMillisByKey.containsKey(key)) {
        touch(key);
      }
      readAgain(key);
      return;
    }
    String batchKey = fact.source() + "\n" + fact.batch();
    byte[] bytes = batches.get(batchKey);
    PartitionBatch batch =
        bytes == null
            ? PartitionBatch.unknown(fact.source(), fact.batch())
            : PartitionBatch.decode(bytes);
    if (!batch.unite(fact)) {
      return;
    }
    batches.put(batchKey, batch.encode());
    boolean isNew = !touchedMillisByKey.containsKey(key);
    if (isOlder(touchedMillisByKey.getOrDefault(key, 0L))) {
      touch(key);
    }
    if (fact.late() && !due.contains(key) && !isNew && late.size() < MAX_LATE) {
      late.add(
          new LateRecord(
              key,
              fact.source(),
              fact.batch(),
              Bytes.set(fact.seqs()).first(),
              fact.accountId(),
              fact.eventId()));
    } else {
      readAgain(key);
    }
  }

  private void readAgain(long key) throws Exception {
    if (due.add(key)) {
      PartitionStatus before = loadStatus(key);
      before.due(true);
      status.update(before.encode());
    }
  }

  private boolean isOlder(long touchedMillis) {
    return now() - touchedMillis > TOUCH_EVERY_MILLIS;
  }

  private void touch(long key) throws Exception {
    PartitionStatus touched = loadStatus(key);
    touched.touch(now());
    status.update(touched.encode());
    touchedMillisByKey.put(key, now());
  }

  private void begin(long timestamp) throws Exception {
    at(settings.nextCycleMillis(now()), this::begin);
    if (running != null) {
      // The cycle before is late; it reports when it is through, and the next one begins then.
      return;
    }
    Cycle cycle = new Cycle(settings.cycle(timestamp), now());
    tariffs.poll();
    forget();
    List<Long> turns = new ArrayList<>();
    for (long key : touchedMillisByKey.keySet()) {
      if (isTurn(cycle.number, key)) {
        turns.add(key);
      }
    }
    // Neighbouring hours one after the other, so that their identities are in state together.
    turns.sort(Comparator.naturalOrder());
    cycle.unread.addAll(turns);
    running = cycle;
    step(timestamp);
  }

  private boolean isTurn(long cycle, long key) throws Exception {
    long usageHour = PartitionFact.usageHour(key);
    if (!due.contains(key)) {
      return settings.isTurn(
          cycle, settings.verifyAgain(), Long.hashCode(key * 0x9e3779b97f4a7c15L));
    }
    if (!settings.isOpen(usageHour, now())) {
      return true;
    }
    if (settings.isTurn(cycle, settings.openHourPeriod(), PartitionFact.bucket(key))) {
      return true;
    }
    setCurrentKey(key);
    PartitionStatus current = loadStatus(key);
    return !current.suspicions().isEmpty() || current.isWatching();
  }

  /** Drops what is too old to be verified again. */
  private void forget() {
    for (Iterator<Map.Entry<Long, Long>> each = touchedMillisByKey.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<Long, Long> touched = each.next();
      if (settings.isForgotten(touched.getValue(), now()) && !due.contains(touched.getKey())) {
        setCurrentKey(touched.getKey());
        status.clear();
        batches.clear();
        identities.forget();
        each.remove();
      }
    }
  }

  /** Does a bounded piece of the cycle, and asks to be called again for the next. */
  private void step(long timestamp) throws Exception {
    Cycle cycle = running;
    if (cycle == null) {
      return;
    }
    if (cycle.rows != null || !cycle.unread.isEmpty()) {
      readSome(cycle);
      at(now(), this::step);
      return;
    }
    if (identities.step()) {
      at(now(), this::step);
      return;
    }
    if (cycle.readNanos == 0) {
      if (isLookingUp(cycle)) {
        at(now() + LOOK_UP_POLL_MILLIS, this::step);
        return;
      }
      cycle.readNanos = System.nanoTime();
    }
    Proof proof = progress.latest();
    if (!proof.isNewerThan(cycle.readNanos)) {
      tariffs.poll();
      at(now() + PROOF_POLL_MILLIS, this::step);
      return;
    }
    for (ReadPartition each : cycle.read) {
      judge(each, proof);
    }
    report(cycle);
    running = null;
  }

  private void readSome(Cycle cycle) throws Exception {
    Iterator<Charge> rows = cycle.rows;
    PartitionReading reading = cycle.reading;
    if (rows == null || reading == null) {
      cycle.key = cycle.unread.remove();
      setCurrentKey(cycle.key);
      reading =
          new PartitionReading(
              loadBatches(),
              now() - settings.verifyFor().toMillis(),
              tariffs.rater(),
              identities.watched());
      rows = ledger.partition(PartitionFact.usageHour(cycle.key), PartitionFact.bucket(cycle.key));
      cycle.rows = rows;
      cycle.reading = reading;
    }
    int left = ROWS_AT_A_TIME;
    while (left > 0 && rows.hasNext()) {
      reading.add(rows.next());
      left--;
    }
    if (left > 0) {
      reading.end();
      cycle.rowsRead += reading.count();
      cycle.read.add(new ReadPartition(cycle.key, reading, new ArrayList<>()));
      setCurrentKey(cycle.key);
      PartitionStatus current = loadStatus(cycle.key);
      identities.take(cycle.key, reading.takeIdentities(), current);
      current.read(now());
      status.update(current.encode());
      cycle.rows = null;
      cycle.reading = null;
    }
  }

  /** Looks rows up by key, without waiting: late records, and what may be charged twice. */
  private boolean isLookingUp(Cycle cycle) {
    if (!cycle.isAsking) {
      cycle.isAsking = true;
      late.forEach(lateLookUps::add);
      late.clear();
      for (ReadPartition each : cycle.read) {
        each.reading()
            .watchedRows()
            .forEach(row -> watchedLookUps.add(new WatchedLookUp(each, row)));
      }
    }
    boolean isBusy =
        watchedLookUps.isBusy(
            (asked, around) ->
                asked
                    .partition()
                    .repeats()
                    .add(
                        new Repeat(
                            asked.row(),
                            RepeatJudgement.owedElsewhere(
                                around, asked.row().charge().usageHour()))));
    return lateLookUps.isBusy(this::takeLate) || isBusy;
  }

  private void takeLate(LateRecord record, List<Charge> around) {
    try {
      takeLateRow(record, around);
    } catch (Exception e) {
      throw new IllegalStateException("state cannot be read or written", e);
    }
  }

  private void takeLateRow(LateRecord record, List<Charge> around) throws Exception {
    setCurrentKey(record.key());
    String batchKey = record.source() + "\n" + record.batch();
    byte[] bytes = batches.get(batchKey);
    if (bytes == null) {
      return;
    }
    PartitionBatch batch = PartitionBatch.decode(bytes);
    long usageHour = PartitionFact.usageHour(record.key());
    PartitionStatus current = loadStatus(record.key());
    List<Charge> rows = around.stream().filter(each -> each.usageHour() == usageHour).toList();
    Optional<Charge> own =
        rows.stream().filter(each -> each.revision() == 0 && isOf(each, record)).findFirst();
    if (own.isEmpty()) {
      // Not under its own name: a reading of the partition finds out what it is.
      due.add(record.key());
      current.due(true);
      status.update(current.encode());
      return;
    }
    Charge charge = own.get();
    EventIdentity identity = EventIdentity.of(record.accountId(), record.eventId());
    Charge newest = rows.stream().max(Comparator.comparingLong(Charge::revision)).orElse(charge);
    if (batch.foundByKey(
        record.seq(),
        charge.cdr().usageType(),
        charge.cdr().usage(),
        PartitionReading.checkOf(identity, charge))) {
      batches.put(batchKey, batch.encode());
      current
          .sums()
          .computeIfAbsent(record.source(), key -> new PartitionStatus.Sums())
          .add(identity, charge, newest);
    }
    current.read(now());
    identities.takeLate(identity.high());
    current.comparedToo(identity.high());
    status.update(current.encode());
    List<Charge> others =
        PartitionReading.isVoid(newest)
            ? List.of()
            : RepeatJudgement.owedElsewhere(around, usageHour);
    if (!others.isEmpty()) {
      watchEverywhere(record, IdentityPrefixes.of(identity.high()), others);
    }
    setCurrentKey(record.key());
    emitPartition(record.key(), loadStatus(record.key()), List.of(batch));
  }

  private void watchEverywhere(LateRecord record, IdentityPrefixes prefix, List<Charge> others)
      throws Exception {
    identities.watch(record.key(), prefix);
    Placement here = ledger.layout().at(PartitionFact.usageHour(record.key()));
    for (Charge other : others) {
      long key = PartitionFact.key(other.usageHour(), PartitionFact.bucket(record.key()));
      if (ledger.layout().at(other.usageHour()).equals(here)
          && touchedMillisByKey.containsKey(key)) {
        identities.watch(key, prefix);
      }
    }
  }

  private static boolean isOf(Charge charge, LateRecord record) {
    return charge.origin().source().equals(record.source())
        && charge.origin().batch().equals(record.batch())
        && charge.origin().batchSeq() == record.seq();
  }

  private void judge(ReadPartition read, Proof proof) throws Exception {
    setCurrentKey(read.key());
    Map<String, PartitionBatch> now = loadBatches();
    PartitionStatus current = loadStatus(read.key());
    PartitionJudgement judgement = PartitionJudgement.of(read.reading(), now, proof);
    Map<Subject, Disagreement> disagreements = new HashMap<>(judgement.disagreements());
    explainMissing(disagreements, now, current.suspicions());
    describeChanged(disagreements, now, current.suspicions());
    Map<Subject, RoaringBitmap> accepted = acceptWriteOffs(disagreements, now, read.key());
    current.watching(areLeft(judgeRepeats(read, disagreements), read.reading()));
    takeChecks(read.reading(), now, accepted);
    List<Found> findings = current.suspicions().look(disagreements, now());
    findings.forEach(found -> output.collect(FINDINGS, new StreamRecord<>(Finding.of(found))));
    current.sums().clear();
    current.sums().putAll(read.reading().sums());
    for (PartitionBatch batch : now.values()) {
      // A source whose rows are all missing is told of too, with nothing owed.
      current.sums().computeIfAbsent(batch.source(), key -> new PartitionStatus.Sums());
    }
    current.read(now());
    boolean again =
        !judgement.isComplete() || !current.suspicions().isEmpty() || current.isWatching();
    current.due(again);
    if (again) {
      due.add(read.key());
    } else {
      due.remove(read.key());
    }
    for (PartitionBatch batch : now.values()) {
      batches.put(batch.key(), batch.encode());
    }
    status.update(current.encode());
    emitPartition(read.key(), current, judgement.isOverflowed() ? List.of() : now.values());
  }

  /**
   * Judges what may be charged in another hour too.
   *
   * @return the identities that must be looked at again
   */
  private IdentityPrefixes judgeRepeats(
      ReadPartition read, Map<Subject, Disagreement> disagreements) {
    RepeatJudgement repeats =
        RepeatJudgement.of(
            ledger.layout(), read.repeats(), new KnownOfRows(read.key(), disagreements));
    Map<Subject, RoaringBitmap> accepted =
        writeOffs.takeAway(
            repeats.disagreements(),
            PartitionFact.usageHour(read.key()),
            PartitionFact.bucket(read.key()));
    disagreements.putAll(repeats.disagreements());
    return repeats.left(accepted);
  }

  /** Asks for each written-off difference once, however many rows there are. */
  private final class KnownOfRows implements RepeatJudgement.Knowledge {
    private final long key;
    private final Map<Subject, Disagreement> disagreements;
    private final Map<String, Boolean> writtenOff = new HashMap<>();

    KnownOfRows(long key, Map<Subject, Disagreement> disagreements) {
      this.key = key;
      this.disagreements = disagreements;
    }

    @Override
    public boolean isWrittenOff(Charge row) {
      Subject subject =
          new Subject(
              DifferenceKind.REPEATED_IDENTITY, row.origin().source(), row.origin().batch());
      int seq = (int) row.origin().batchSeq();
      return writtenOff.computeIfAbsent(
          subject + "\n" + row.usageHour() + "\n" + seq,
          text -> writeOffs.isWrittenOff(subject, row.usageHour(), bucketOf(row), seq));
    }

    @Override
    public boolean isQuestioned(Charge row) {
      long place = PartitionFact.key(row.usageHour(), bucketOf(row));
      Origin origin = row.origin();
      if (place == key) {
        return disagreements.entrySet().stream()
            .anyMatch(
                each ->
                    each.getKey().source().equals(origin.source())
                        && each.getKey().batch().equals(origin.batch())
                        && each.getValue().seqs().contains((int) origin.batchSeq()));
      }
      if (!touchedMillisByKey.containsKey(place)) {
        return false;
      }
      setCurrentKey(place);
      try {
        return loadStatus(place)
            .suspicions()
            .isQuestioned(
                DifferenceKind.REPEATED_IDENTITY,
                origin.source(),
                origin.batch(),
                (int) origin.batchSeq());
      } catch (Exception e) {
        throw new IllegalStateException("state cannot be read", e);
      } finally {
        setCurrentKey(key);
      }
    }

    private int bucketOf(Charge row) {
      return ledger.layout().at(row.usageHour()).bucket(row.cdr().accountId(), row.cdr().eventId());
    }
  }

  /** Watches what needs no further look no longer; returns whether anything is still watched. */
  private boolean areLeft(IdentityPrefixes left, PartitionReading reading) throws Exception {
    IdentityPrefixes looked = reading.watched();
    if (reading.watchedOverflowed()) {
      IdentityPrefixes.Builder seen = new IdentityPrefixes.Builder();
      reading.watchedRows().forEach(row -> seen.add(row.prefix()));
      looked = seen.build();
    }
    return identities.unwatch(looked.without(left));
  }

  private static void takeChecks(
      PartitionReading reading,
      Map<String, PartitionBatch> now,
      Map<Subject, RoaringBitmap> accepted) {
    for (PartitionBatch batch : now.values()) {
      PartitionReading.RowsOfBatch rows = reading.rows().get(batch.key());
      if (rows == null) {
        batch.takeChecks(RowChecks.none(), new RoaringBitmap(), new RoaringBitmap());
        continue;
      }
      RoaringBitmap changed = rows.changed.clone();
      RoaringBitmap writtenOff =
          accepted.get(new Subject(DifferenceKind.SETTLED_CHANGED, batch.source(), batch.batch()));
      if (writtenOff != null) {
        changed.andNot(writtenOff);
      }
      batch.takeChecks(rows.checks, rows.revised, changed);
    }
  }

  private Map<Subject, RoaringBitmap> acceptWriteOffs(
      Map<Subject, Disagreement> disagreements, Map<String, PartitionBatch> now, long key) {
    Map<Subject, RoaringBitmap> taken =
        writeOffs.takeAway(disagreements, PartitionFact.usageHour(key), PartitionFact.bucket(key));
    taken.forEach(
        (subject, accepted) -> {
          PartitionBatch batch = now.get(subject.source() + "\n" + subject.batch());
          if (subject.kind() == DifferenceKind.MISSING_ROW && batch != null) {
            batch.writeOff(accepted);
          }
        });
    return taken;
  }

  private void emitPartition(long key, PartitionStatus current, Iterable<PartitionBatch> changed) {
    long usageHour = PartitionFact.usageHour(key);
    int bucket = PartitionFact.bucket(key);
    for (PartitionBatch batch : changed) {
      output.collect(
          new StreamRecord<>(
              new BatchFact(
                  batch.source(),
                  batch.batch(),
                  BatchFact.Kind.PIECE,
                  batch.piece(usageHour, bucket).encode())));
    }
    current
        .results(usageHour, bucket)
        .forEach(result -> output.collect(FINDINGS, new StreamRecord<>(Finding.of(result))));
  }

  /**
   * A receipt without its row may speak of a repeat: after a loss of state a record can be called
   * RATED while the row of another record, with the same identity and content, stands. Looked for
   * by key before anything is told, which needs the record itself.
   */
  private void explainMissing(
      Map<Subject, Disagreement> disagreements,
      Map<String, PartitionBatch> now,
      Suspicions suspicions) {
    for (Map.Entry<Subject, Disagreement> each : List.copyOf(disagreements.entrySet())) {
      Subject subject = each.getKey();
      PartitionBatch batch = now.get(subject.source() + "\n" + subject.batch());
      RoaringBitmap lookedFor =
          RoaringBitmap.and(each.getValue().seqs(), suspicions.suspected(subject));
      if (subject.kind() != DifferenceKind.MISSING_ROW || batch == null || lookedFor.isEmpty()) {
        continue;
      }
      Map<Integer, Cdr> found =
          lookup.find(subject.source(), subject.batch(), lookedFor, batch.offsets());
      String example = each.getValue().example();
      for (Map.Entry<Integer, Cdr> record : found.entrySet()) {
        Cdr cdr = record.getValue();
        long fingerprint = ContentFingerprint.of(cdr);
        boolean isRepeat =
            ledger.findByIdentity(cdr.accountId(), cdr.eventId(), cdr.startMillis()).stream()
                .anyMatch(charge -> charge.fingerprint() == fingerprint);
        if (isRepeat) {
          batch.repeated(record.getKey(), cdr.usageType(), cdr.usage());
        } else {
          example =
              "account "
                  + cdr.accountId()
                  + ", event "
                  + cdr.eventId()
                  + ", batch-seq "
                  + record.getKey();
        }
      }
      RoaringBitmap stillMissing = RoaringBitmap.and(each.getValue().seqs(), batch.missing());
      if (stillMissing.isEmpty()) {
        disagreements.remove(subject);
      } else {
        disagreements.put(
            subject,
            Disagreement.about(
                stillMissing,
                each.getValue().expected(),
                stillMissing.getLongCardinality() + " without",
                example));
      }
    }
  }

  /** Says what a changed row should be, as far as the record itself is still kept. */
  private void describeChanged(
      Map<Subject, Disagreement> disagreements,
      Map<String, PartitionBatch> now,
      Suspicions suspicions) {
    for (Map.Entry<Subject, Disagreement> each : List.copyOf(disagreements.entrySet())) {
      Subject subject = each.getKey();
      Disagreement disagreement = each.getValue();
      PartitionBatch batch = now.get(subject.source() + "\n" + subject.batch());
      RoaringBitmap suspected =
          RoaringBitmap.and(disagreement.seqs(), suspicions.suspected(subject));
      if (subject.kind() != DifferenceKind.SETTLED_CHANGED
          || batch == null
          || suspected.isEmpty()) {
        continue;
      }
      RoaringBitmap first = RoaringBitmap.bitmapOf(suspected.first());
      Cdr record =
          lookup
              .find(subject.source(), subject.batch(), first, batch.offsets())
              .get(suspected.first());
      if (record == null) {
        continue;
      }
      disagreements.put(
          subject,
          Disagreement.about(
              disagreement.seqs(),
              disagreement.expected()
                  + "; record "
                  + suspected.first()
                  + " in the topic has fingerprint "
                  + HexFormat.of().toHexDigits(ContentFingerprint.of(record))
                  + " and costs "
                  + price(tariffs.rater().rate(record)),
              disagreement.found(),
              disagreement.example()));
    }
  }

  private static String price(Rating rating) {
    return rating instanceof Rating.Priced priced
        ? priced.amount().toPlainString() + " " + priced.currency()
        : "nothing: " + ((Rating.Unpriced) rating).detail();
  }

  private void report(Cycle cycle) {
    output.collect(
        SHARES,
        new StreamRecord<>(
            new CycleShare(
                STAGE,
                getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(),
                getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks(),
                cycle.number,
                cycle.startedMillis,
                cycle.read.size(),
                cycle.rowsRead,
                0,
                due.size())));
  }

  private PartitionStatus loadStatus(long key) throws Exception {
    byte[] bytes = status.value();
    return bytes == null
        ? PartitionStatus.unread(PartitionFact.usageHour(key), PartitionFact.bucket(key))
        : PartitionStatus.decode(bytes);
  }

  private Map<String, PartitionBatch> loadBatches() throws Exception {
    Map<String, PartitionBatch> loaded = new HashMap<>();
    for (byte[] bytes : batches.values()) {
      PartitionBatch batch = PartitionBatch.decode(bytes);
      loaded.put(batch.key(), batch);
    }
    return loaded;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Flink fails the task if the callback throws
  private void at(long millis, ProcessingTimeService.ProcessingTimeCallback callback) {
    getProcessingTimeService().registerTimer(millis, callback);
  }

  private long now() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }

  @Override
  public void close() throws Exception {
    List<AutoCloseable> opened = new ArrayList<>();
    // Each is null if the task ended before it was opened.
    for (AutoCloseable each : new AutoCloseable[] {writeOffs, lookup, progress, tariffs, ledger}) {
      if (each != null) {
        opened.add(each);
      }
    }
    for (AutoCloseable each : opened) {
      each.close();
    }
    super.close();
  }
}
