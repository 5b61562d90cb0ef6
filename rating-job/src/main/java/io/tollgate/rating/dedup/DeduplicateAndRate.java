package io.tollgate.rating.dedup;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.rating.Revision;
import io.tollgate.rating.LedgerAccess;
import io.tollgate.rating.OutcomeCounters;
import io.tollgate.rating.Result;
import io.tollgate.rating.ShardKey;
import io.tollgate.rating.dedup.EventLookup.StoredEvent;
import io.tollgate.rating.ingest.Arrival;
import io.tollgate.wire.tariff.TariffFeed;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Gives each arrival its outcome: deduplicates by identity, rates what is new, and remembers what
 * was rated. Both in one operator because being seen is not being charged: only an event that got a
 * price is remembered, and a suspended one may come again.
 *
 * <p>Arrivals are handled in small batches, so that questions to the ledger are under way together.
 * A batch ends before a watermark and before a barrier: nothing is held across either, and the
 * order of arrivals is kept.
 */
public final class DeduplicateAndRate extends AbstractStreamOperator<Result>
    implements OneInputStreamOperator<Arrival, Result>, BoundedOneInput {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "deduplicate-and-rate";

  private static final int BATCH_ARRIVALS = 512;
  private static final long BATCH_MILLIS = 20;
  private static final long TARIFF_POLL_MILLIS = 500;

  /** Events forgotten after each batch while there are any: spreads the work of expiry thinly. */
  private static final int FORGET_PER_BATCH = 256;

  private final DedupSettings settings;
  private final ShardKey shardKey;
  private final TariffFeed.Factory tariffs;
  private final LedgerAccess ledger;

  private transient Horizon horizon;
  private transient ListState<Horizon> horizonState;
  private transient SeenEvents seen;
  private transient TariffFeed tariffFeed;

  /** The last correction that a report said was read; reports are told again after a restart. */
  private transient long reportedCorrection;

  private transient EventLookup lookup;
  private transient List<Arrival> batch;
  private transient boolean batchTimerSet;
  private transient long watermarkMillis;
  private transient int sweptSlot;
  private transient int sweepShard;
  private transient OutcomeCounters outcomes;
  private transient Counter ledgerQuestions;
  private transient Counter lateArrivals;
  private transient Counter forgottenEvents;
  private transient Counter revisions;

  /**
   * Creates the operator.
   *
   * @param settings what to remember, and since when
   * @param shardKey the key selector that the stream is keyed with
   * @param tariffs opens the tariff history
   * @param ledger opens the ledger
   */
  public DeduplicateAndRate(
      DedupSettings settings, ShardKey shardKey, TariffFeed.Factory tariffs, LedgerAccess ledger) {
    this.settings = settings;
    this.shardKey = shardKey;
    this.tariffs = tariffs;
    this.ledger = ledger;
  }

  /**
   * What to remember, and since when.
   *
   * @param birthMillis birth of a state that starts empty; see {@link Horizon}
   * @param keep how long an event is remembered, by event time
   * @param maxAhead how far a start may lie after its append time
   */
  public record DedupSettings(long birthMillis, Duration keep, Duration maxAhead)
      implements Serializable {}

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    horizonState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("horizon", TypeInformation.of(Horizon.class)));
    Horizon restored = null;
    for (Horizon part : horizonState.get()) {
      restored = restored == null ? part : restored.latest(part);
    }
    horizon = restored == null ? Horizon.bornAt(settings.birthMillis()) : restored;
    seen = new SeenEvents(context.getKeyedStateStore().getMapState(SeenEvents.descriptor()));
  }

  @Override
  public void open() throws Exception {
    super.open();
    batch = new ArrayList<>(BATCH_ARRIVALS);
    watermarkMillis = Long.MIN_VALUE;
    sweptSlot = Integer.MIN_VALUE;
    sweepShard = shards().getStartKeyGroup();
    outcomes = new OutcomeCounters(getMetricGroup());
    ledgerQuestions = getMetricGroup().counter("ledgerLookups");
    lateArrivals = getMetricGroup().counter("lateArrivals");
    forgottenEvents = getMetricGroup().counter("forgottenEvents");
    revisions = getMetricGroup().counter("revisions");
    getMetricGroup().gauge("horizonMillis", () -> horizon.keptFromMillis());
    getMetricGroup().gauge("tariffVersion", () -> tariffFeed.version());
    getMetricGroup().gauge("tariffCorrection", () -> tariffFeed.correction());
    lookup = ledger.openLookup(getMetricGroup());
    tariffFeed = tariffs.open();
    scheduleTariffPoll();
  }

  @Override
  public void processElement(StreamRecord<Arrival> element) throws Exception {
    batch.add(element.getValue());
    if (batch.size() >= BATCH_ARRIVALS) {
      flush();
    } else if (!batchTimerSet) {
      batchTimerSet = true;
      after(
          BATCH_MILLIS,
          now -> {
            batchTimerSet = false;
            flush();
          });
    }
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    flush();
    watermarkMillis = mark.getTimestamp();
    horizon = horizon.advance(mark.getTimestamp(), settings.keep().toMillis());
    super.processWatermark(mark);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    flush();
    if (tariffFeed.correction() > reportedCorrection) {
      reportedCorrection = tariffFeed.correction();
      output.collect(
          new StreamRecord<>(Result.ofReach(tariffFeed.version(), tariffFeed.correction())));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    horizonState.update(List.of(horizon));
  }

  @Override
  public void endInput() throws Exception {
    flush();
  }

  @Override
  public void close() throws Exception {
    // Flink also closes an operator that never came to its open().
    TariffFeed feed = tariffFeed;
    EventLookup reader = lookup;
    try {
      if (feed != null) {
        feed.close();
      }
    } finally {
      if (reader != null) {
        reader.close();
      }
      super.close();
    }
  }

  private void flush() throws Exception {
    if (!batch.isEmpty()) {
      List<Candidate> candidates = new ArrayList<>(batch.size());
      for (Arrival arrival : batch) {
        candidates.add(candidate(arrival));
      }
      batch.clear();
      Set<EventIdentity> ratedInBatch = new HashSet<>();
      for (Candidate candidate : candidates) {
        Result result = judge(candidate, ratedInBatch);
        output.collect(new StreamRecord<>(result));
        addRevisions(result);
      }
    }
    forgetExpired();
  }

  private Candidate candidate(Arrival arrival) throws Exception {
    Cdr cdr = arrival.cdr();
    if (cdr == null || arrival.refusal() != null) {
      return new Candidate(arrival, null, 0, null, null);
    }
    EventIdentity identity = EventIdentity.of(cdr.accountId(), cdr.eventId());
    long fingerprint = ContentFingerprint.of(cdr);
    setCurrentKey(shardKey.getKey(arrival));
    Long remembered = seen.find(identity, cdr.startMillis());
    CompletableFuture<Optional<StoredEvent>> answer = null;
    if (remembered == null
        && !horizon.vouchesFor(cdr.startMillis(), settings.maxAhead().toMillis())) {
      ledgerQuestions.inc();
      answer = lookup.find(cdr).toCompletableFuture();
    }
    return new Candidate(arrival, identity, fingerprint, remembered, answer);
  }

  private Result judge(Candidate candidate, Set<EventIdentity> ratedInBatch) throws Exception {
    Arrival arrival = candidate.arrival();
    Cdr cdr = arrival.cdr();
    EventIdentity identity = candidate.identity();
    if (cdr == null || identity == null) {
      return refused(arrival);
    }
    Long remembered = candidate.remembered();
    if (ratedInBatch.contains(identity)) {
      // Asked again, by the same rules: where a batch happens to end must not change an outcome.
      setCurrentKey(shardKey.getKey(arrival));
      remembered = seen.find(identity, cdr.startMillis());
    }
    StoredEvent stored = remembered == null ? candidate.stored() : null;
    boolean late = cdr.startMillis() < watermarkMillis;
    if (late) {
      lateArrivals.inc();
    }
    long fingerprint = candidate.fingerprint();
    return switch (Judgement.of(arrival.origin(), fingerprint, remembered, stored)) {
      case NEW, SAME_RECORD -> {
        Result result = rated(arrival, cdr, fingerprint, late);
        if (result.charge() != null) {
          setCurrentKey(shardKey.getKey(arrival));
          seen.remember(identity, cdr.startMillis(), fingerprint);
          ratedInBatch.add(identity);
        }
        yield result;
      }
      case REPEAT -> unrated(arrival, cdr, fingerprint, late, Reason.SAME_CONTENT, "");
      case OTHER_CONTENT ->
          unrated(
              arrival,
              cdr,
              fingerprint,
              late,
              Reason.OTHER_CONTENT,
              conflict(fingerprint, remembered, stored));
    };
  }

  private Result rated(Arrival arrival, Cdr cdr, long fingerprint, boolean late) {
    Rating rating = tariffFeed.rater().rate(cdr);
    if (rating instanceof Rating.Unpriced unpriced) {
      return unrated(arrival, cdr, fingerprint, late, unpriced.reason(), unpriced.detail());
    }
    Charge charge = new Charge(cdr, fingerprint, arrival.origin(), late, (Rating.Priced) rating, 0);
    outcomes.rated();
    return new Result(
        charge,
        arrival.origin(),
        cdr,
        fingerprint,
        late,
        null,
        "",
        null,
        null,
        Map.of(),
        tariffFeed.version(),
        tariffFeed.correction());
  }

  /** Corrections give a charge further rows, and never another outcome. */
  private void addRevisions(Result result) {
    Charge charge = result.charge();
    if (charge == null || tariffFeed.correction() == 0) {
      return;
    }
    for (Revision revision : tariffFeed.rater().revisions(charge.cdr())) {
      revisions.inc();
      output.collect(
          new StreamRecord<>(
              new Result(
                  charge.withRevision(revision.number(), revision.total()),
                  result.origin(),
                  result.cdr(),
                  result.fingerprint(),
                  result.late(),
                  null,
                  "",
                  null,
                  null,
                  Map.of(),
                  result.tariffVersion(),
                  result.correction())));
    }
  }

  private Result unrated(
      Arrival arrival, Cdr cdr, long fingerprint, boolean late, Reason reason, String detail) {
    outcomes.unrated(reason);
    return new Result(
        null,
        arrival.origin(),
        cdr,
        fingerprint,
        late,
        reason,
        detail,
        null,
        null,
        arrival.extra(),
        tariffFeed.version(),
        tariffFeed.correction());
  }

  private Result refused(Arrival arrival) {
    Reason reason = arrival.refusal();
    if (reason == null) {
      throw new IllegalStateException("an arrival has a CDR or a refusal");
    }
    outcomes.unrated(reason);
    Cdr cdr = arrival.cdr();
    return new Result(
        null,
        arrival.origin(),
        cdr,
        cdr == null ? 0 : ContentFingerprint.of(cdr),
        false,
        reason,
        arrival.detail(),
        arrival.key(),
        arrival.value(),
        arrival.extra(),
        tariffFeed.version(),
        tariffFeed.correction());
  }

  private static String conflict(
      long fingerprint, @Nullable Long remembered, @Nullable StoredEvent stored) {
    String charged =
        stored == null
            ? String.format("%016x", remembered)
            : String.format(
                "%016x, started %s, from batch %s of %s, record %d",
                stored.fingerprint(),
                Instant.ofEpochMilli(stored.startMillis()),
                stored.batch(),
                stored.source(),
                stored.batchSeq());
    return String.format("content %016x (expected, as charged: %s)", fingerprint, charged);
  }

  /** Forgets events before the horizon, a few after each batch, shard by shard. */
  private void forgetExpired() throws Exception {
    int firstKeptSlot = horizon.firstKeptSlot();
    if (firstKeptSlot == sweptSlot) {
      return;
    }
    KeyGroupRange shards = shards();
    int left = FORGET_PER_BATCH;
    // Empty shards cost little each, but there may be thousands of them.
    for (int looked = 0; looked < FORGET_PER_BATCH; looked++) {
      if (sweepShard > shards.getEndKeyGroup()) {
        sweepShard = shards.getStartKeyGroup();
        sweptSlot = firstKeptSlot;
        return;
      }
      setCurrentKey(ShardKey.ofShard(sweepShard));
      int forgotten = seen.forgetBefore(firstKeptSlot, left);
      forgottenEvents.inc(forgotten);
      left -= forgotten;
      if (left == 0) {
        return;
      }
      sweepShard++;
    }
  }

  private void scheduleTariffPoll() {
    after(
        TARIFF_POLL_MILLIS,
        now -> {
          tariffFeed.poll();
          scheduleTariffPoll();
        });
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Flink fails the task if the callback throws
  private void after(long millis, ProcessingTimeService.ProcessingTimeCallback callback) {
    getProcessingTimeService()
        .registerTimer(getProcessingTimeService().getCurrentProcessingTime() + millis, callback);
  }

  private KeyGroupRange shards() {
    TaskInfo task = getRuntimeContext().getTaskInfo();
    return KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
        task.getMaxNumberOfParallelSubtasks(),
        task.getNumberOfParallelSubtasks(),
        task.getIndexOfThisSubtask());
  }

  /** An arrival with what is known of its identity. */
  private record Candidate(
      Arrival arrival,
      @Nullable EventIdentity identity,
      long fingerprint,
      @Nullable Long remembered,
      @Nullable CompletableFuture<Optional<StoredEvent>> answer) {

    @Nullable StoredEvent stored() throws InterruptedException {
      if (answer == null) {
        return null;
      }
      try {
        return answer.get().orElse(null);
      } catch (ExecutionException e) {
        throw new IllegalStateException("the ledger could not be asked", e.getCause());
      }
    }
  }
}
