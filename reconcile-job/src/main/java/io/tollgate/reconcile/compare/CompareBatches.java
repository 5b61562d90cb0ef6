package io.tollgate.reconcile.compare;

import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import io.tollgate.reconcile.compare.Suspicions.Disagreement;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.Bytes;
import io.tollgate.reconcile.message.CycleShare;
import io.tollgate.reconcile.message.EntryBytes;
import io.tollgate.reconcile.message.Evidence;
import io.tollgate.reconcile.message.Finding;
import io.tollgate.reconcile.message.PartitionFact;
import io.tollgate.reconcile.message.Piece;
import io.tollgate.reconcile.progress.ProgressWatch;
import io.tollgate.reconcile.progress.Proof;
import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.Entry;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.ReceiptCodec;
import io.tollgate.wire.UnreadableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * Unites everything that is said of a batch and compares it, keyed by batch. A batch is looked at
 * in each cycle until it balances, and again when anything new is said of it.
 */
public final class CompareBatches extends AbstractStreamOperator<Finding>
    implements OneInputStreamOperator<BatchFact, Finding>, Triggerable<String, VoidNamespace> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "compare-batches";

  /** Name of the operator in the shares of a cycle. */
  public static final String STAGE = "batches";

  /** Longer than receipts are kept: afterwards nothing can be said of the batch any more. */
  private static final Duration KEPT = Duration.ofDays(100);

  private final LedgerLayout layout;
  private final CompareSettings settings;
  private final SourceRules sources;
  private final ProgressWatch.Factory watches;
  private final WriteOffs.Factory writeOffFactory;

  private transient ProgressWatch progress;
  private transient WriteOffs writeOffs;
  private transient ReceiptCodec receiptCodec;
  private transient InternalTimerService<VoidNamespace> timers;
  private transient ValueState<byte[]> states;
  private transient MapState<Long, byte[]> rated;
  private transient MapState<Long, byte[]> pieces;
  private transient MapState<String, byte[]> entries;
  private transient MapState<String, byte[]> evidence;
  private transient long judged;
  private transient long differing;
  private transient long startedMillis;
  private transient OpenBatches counting;
  private transient volatile OpenBatches counted;

  /**
   * Batches that are not balanced.
   *
   * @param count how many
   * @param oldestMillis when the one was heard of first that has been open for longest; {@link
   *     Long#MAX_VALUE} if there is none
   */
  private record OpenBatches(long count, long oldestMillis) {
    static final OpenBatches NONE = new OpenBatches(0, Long.MAX_VALUE);

    OpenBatches and(BatchState state) {
      return new OpenBatches(count + 1, Math.min(oldestMillis, state.firstHeardMillis()));
    }
  }

  /** Creates the operator; {@code layout} says in which bucket a late row lies. */
  public CompareBatches(
      LedgerLayout layout,
      CompareSettings settings,
      SourceRules sources,
      ProgressWatch.Factory watches,
      WriteOffs.Factory writeOffFactory) {
    this.layout = layout;
    this.settings = settings;
    this.sources = sources;
    this.watches = watches;
    this.writeOffFactory = writeOffFactory;
  }

  @Override
  public void open() throws Exception {
    super.open();
    receiptCodec = new ReceiptCodec();
    progress = watches.open();
    writeOffs = writeOffFactory.open();
    timers = getInternalTimerService("batches", VoidNamespaceSerializer.INSTANCE, this);
    ValueStateDescriptor<byte[]> state =
        new ValueStateDescriptor<>("state", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
    state.enableTimeToLive(StateTtlConfig.newBuilder(KEPT).build());
    states = getRuntimeContext().getState(state);
    rated = sets("rated");
    pieces = sets("pieces");
    entries = records("entries");
    evidence = records("evidence");
    startedMillis = now();
    counting = OpenBatches.NONE;
    counted = OpenBatches.NONE;
    getMetricGroup().gauge("openBatches", (Gauge<Long>) this::openBatches);
    getMetricGroup().gauge("oldestOpenBatchMillis", (Gauge<Long>) this::oldestOpenBatchMillis);
    scheduleEndOfCycle();
  }

  /** Returns how many batches of this subtask were not balanced at the end of the last cycle. */
  long openBatches() {
    return counted.count();
  }

  /** Returns how long ago the one that waits for longest was heard of first; 0 if none waits. */
  long oldestOpenBatchMillis() {
    OpenBatches open = counted;
    return open.count() == 0 ? 0 : Math.max(0, now() - open.oldestMillis());
  }

  private MapState<Long, byte[]> sets(String name) {
    MapStateDescriptor<Long, byte[]> descriptor =
        new MapStateDescriptor<>(
            name, Types.LONG, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
    descriptor.enableTimeToLive(StateTtlConfig.newBuilder(KEPT).build());
    return getRuntimeContext().getMapState(descriptor);
  }

  private MapState<String, byte[]> records(String name) {
    MapStateDescriptor<String, byte[]> descriptor =
        new MapStateDescriptor<>(
            name, Types.STRING, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
    descriptor.enableTimeToLive(StateTtlConfig.newBuilder(KEPT).build());
    return getRuntimeContext().getMapState(descriptor);
  }

  @Override
  public void processElement(StreamRecord<BatchFact> element) throws Exception {
    BatchFact fact = element.getValue();
    byte[] bytes = states.value();
    BatchState state = bytes == null ? new BatchState(now()) : BatchState.decode(bytes);
    switch (fact.kind()) {
      case CONTROL -> takeControl(fact, state);
      case RECEIPT -> takeReceipt(receiptCodec.decode(fact.payload()));
      case EVIDENCE -> {
        Evidence proof = Evidence.decode(fact.payload());
        String place = BatchJudgement.place(proof.partition(), proof.offset());
        // A look-up that found nothing does not undo one that did.
        if (proof.found() || !evidence.contains(place)) {
          evidence.put(place, fact.payload());
        }
      }
      case PIECE -> {
        Piece piece = Piece.decode(fact.payload());
        pieces.put(PartitionFact.key(piece.usageHour(), piece.bucket()), fact.payload());
      }
    }
    state.changed(true);
    states.update(state.encode());
    timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, settings.nextCycleMillis(now()));
  }

  private static void takeControl(BatchFact fact, BatchState state) throws UnreadableException {
    ControlMessage message = ControlMessage.decode(fact.payload());
    if (message instanceof ControlMessage.BatchAnnounced announced) {
      state.announce();
      state.file(announced.file());
      return;
    }
    ControlTotal total = (ControlTotal) message;
    state.file(total.file());
    total
        .lastOffsets()
        .forEach((partition, offset) -> state.lastOffsets().merge(partition, offset, Math::max));
    byte[] first = state.total();
    if (first == null) {
      state.total(fact.payload());
      return;
    }
    ControlTotal before = (ControlTotal) ControlMessage.decode(first);
    if (before.records() != total.records() || !before.usage().equals(total.usage())) {
      state.contradiction(BatchJudgement.records(total));
    }
  }

  private void takeReceipt(Receipt receipt) throws Exception {
    for (RatedSet set : receipt.rated()) {
      unite(PartitionFact.key(set.usageHour(), set.bucket()), set.batchSeqs());
    }
    for (Entry entry : receipt.entries()) {
      if (entry.outcome() == Outcome.RATED) {
        unite(partition(entry), RoaringBitmap.bitmapOf((int) entry.batchSeq()));
        continue;
      }
      String key =
          entry.batchSeq() < 0 ? BatchJudgement.place(entry) : Long.toString(entry.batchSeq());
      if (!entries.contains(key)) {
        entries.put(key, EntryBytes.of(entry));
      }
    }
  }

  private long partition(Entry late) {
    long usageHour = Placement.usageHour(late.startMillis());
    return PartitionFact.key(
        usageHour, layout.at(usageHour).bucket(late.accountId(), late.eventId()));
  }

  private void unite(long partitionKey, RoaringBitmap seqs) throws Exception {
    byte[] before = rated.get(partitionKey);
    RoaringBitmap united = before == null ? new RoaringBitmap() : Bytes.set(before);
    united.or(seqs);
    rated.put(partitionKey, Bytes.of(united));
  }

  @Override
  public void onProcessingTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
    byte[] bytes = states.value();
    if (bytes == null) {
      return;
    }
    BatchState state = BatchState.decode(bytes);
    String key = timer.getKey();
    int bar = key.indexOf('\n');
    judge(state, key.substring(0, bar), key.substring(bar + 1));
    states.update(state.encode());
    if (!state.balanced()) {
      // Each open batch has its timer in each cycle, so this counts every one once.
      counting = counting.and(state);
      timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, settings.nextCycleMillis(now()));
    }
  }

  @Override
  public void onEventTime(InternalTimer<String, VoidNamespace> timer) {
    throw new IllegalStateException("no event time timers are registered");
  }

  private void judge(BatchState state, String source, String batch) throws Exception {
    byte[] json = state.total();
    ControlTotal total = json == null ? null : (ControlTotal) ControlMessage.decode(json);
    if (total != null
        && !state.announced()
        && !sources.knows(source)
        && rated.isEmpty()
        && entries.isEmpty()) {
      if (state.changed()) {
        state.changed(false);
        emit(
            state,
            source,
            batch,
            total,
            "nothing: the source is neither declared nor did it announce the batch",
            Map.of());
      }
      return;
    }
    boolean isOverdue = total == null && !source.isEmpty() && isOverdue(state, source);
    if (!state.changed()
        && state.suspicions().isEmpty()
        && !state.waitsForProgress()
        && !isOverdue) {
      return;
    }
    Proof proof = progress.latest();
    BatchJudgement judgement =
        BatchJudgement.of(
            source,
            batch,
            new BatchJudgement.Facts(
                total,
                end(state, source, proof),
                state.contradiction(),
                ratedByPartition(),
                piecesByPartition(),
                this::entries,
                this::evidenceOf,
                proof::isPast,
                now -> writeOffs.takeAway(now, -1, -1).keySet()));
    judged++;
    Map<Subject, Disagreement> disagreements = new HashMap<>(judgement.disagreements());
    String waitingFor = judgement.waitingFor();
    if (total == null && !source.isEmpty()) {
      waitingFor = "its control total";
      if (isOverdue) {
        disagreements.put(
            new Subject(DifferenceKind.OVERDUE_TOTAL, source, batch),
            Disagreement.aboutAll(
                "control total",
                "a control total within " + sources.of(source).totalDeadline(),
                "none, for file " + state.file()));
      }
    }
    writeOffs.takeAway(disagreements, -1, -1);
    state
        .suspicions()
        .look(disagreements, now())
        .forEach(found -> output.collect(new StreamRecord<>(Finding.of(found))));
    differing += state.suspicions().size();
    state.balanced(waitingFor.isEmpty() && state.suspicions().isEmpty());
    state.changed(false);
    state.waitsForProgress(judgement.waitsForProgress());
    emit(state, source, batch, total, waitingFor, judgement.outcomes());
  }

  private BatchJudgement.End end(BatchState state, String source, Proof proof) {
    if (state.lastOffsets().isEmpty()) {
      return isOverdue(state, source) ? BatchJudgement.End.PASSED : BatchJudgement.End.UNKNOWN;
    }
    return state.lastOffsets().entrySet().stream()
            .allMatch(last -> proof.isPast(last.getKey(), last.getValue()))
        ? BatchJudgement.End.PASSED
        : BatchJudgement.End.AHEAD;
  }

  private boolean isOverdue(BatchState state, String source) {
    return now() - state.firstHeardMillis() > sources.of(source).totalDeadline().toMillis();
  }

  private void emit(
      BatchState state,
      String source,
      String batch,
      @Nullable ControlTotal total,
      String waitingFor,
      Map<Outcome, Long> outcomes)
      throws Exception {
    Map<Long, Piece> read = piecesByPartition();
    Map<Long, Long> hours = new TreeMap<>();
    for (Map.Entry<Long, RoaringBitmap> each : ratedByPartition().entrySet()) {
      // The row of a repeat is that of another record, maybe of another batch.
      Piece piece = read.get(each.getKey());
      hours.merge(
          PartitionFact.usageHour(each.getKey()),
          each.getValue().getLongCardinality() - (piece == null ? 0 : piece.repeats()),
          Long::sum);
    }
    output.collect(
        new StreamRecord<>(
            Finding.of(
                new ReconcileResult.Batch(
                    source,
                    batch,
                    state.file(),
                    state.balanced()
                        ? State.BALANCED
                        : state.suspicions().isEmpty() ? State.OPEN : State.MISMATCH,
                    waitingFor,
                    total == null ? -1 : total.records(),
                    outcomes,
                    total == null ? Map.of() : total.usage(),
                    hours,
                    now()))));
  }

  private Map<Long, RoaringBitmap> ratedByPartition() throws Exception {
    Map<Long, RoaringBitmap> byPartition = new HashMap<>();
    for (Map.Entry<Long, byte[]> each : rated.entries()) {
      byPartition.put(each.getKey(), Bytes.set(each.getValue()));
    }
    return byPartition;
  }

  private Map<Long, Piece> piecesByPartition() throws Exception {
    Map<Long, Piece> byPartition = new HashMap<>();
    for (Map.Entry<Long, byte[]> each : pieces.entries()) {
      byPartition.put(each.getKey(), Piece.decode(each.getValue()));
    }
    return byPartition;
  }

  private Iterator<Entry> entries() {
    try {
      Iterator<byte[]> values = entries.values().iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return values.hasNext();
        }

        @Override
        public Entry next() {
          return EntryBytes.entry(values.next());
        }
      };
    } catch (Exception e) {
      throw new IllegalStateException("state cannot be read", e);
    }
  }

  private @Nullable Evidence evidenceOf(String place) {
    try {
      byte[] bytes = evidence.get(place);
      return bytes == null ? null : Evidence.decode(bytes);
    } catch (Exception e) {
      throw new IllegalStateException("state cannot be read", e);
    }
  }

  /** Runs after the timers of the batches, which have the same time and were fired before. */
  private void scheduleEndOfCycle() {
    at(settings.nextCycleMillis(now()) + 1, this::endCycle);
  }

  private void endCycle(long timestamp) {
    report(settings.cycle(timestamp));
    scheduleEndOfCycle();
  }

  private void report(long cycle) {
    output.collect(
        ComparePartitions.SHARES,
        new StreamRecord<>(
            new CycleShare(
                STAGE,
                getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(),
                getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks(),
                cycle,
                startedMillis,
                0,
                0,
                judged,
                differing)));
    counted = counting;
    counting = OpenBatches.NONE;
    judged = 0;
    differing = 0;
    startedMillis = now();
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
    // Each is null if the task ended before it was opened.
    for (AutoCloseable each : new AutoCloseable[] {writeOffs, progress}) {
      if (each != null) {
        each.close();
      }
    }
    super.close();
  }
}
