package io.tollgate.rating.dedup;

import static io.tollgate.rating.TestCdrs.DAY;
import static io.tollgate.rating.TestCdrs.NOON;
import static io.tollgate.rating.TestCdrs.arrival;
import static io.tollgate.rating.TestCdrs.call;
import static io.tollgate.rating.TestCdrs.unpriced;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.tariff.Correction;
import io.tollgate.domain.tariff.Publication;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.TariffHistory;
import io.tollgate.domain.tariff.Validity;
import io.tollgate.rating.InMemoryLedger;
import io.tollgate.rating.Result;
import io.tollgate.rating.ShardKey;
import io.tollgate.rating.TestCdrs;
import io.tollgate.rating.dedup.DeduplicateAndRate.DedupSettings;
import io.tollgate.rating.ingest.Arrival;
import io.tollgate.wire.tariff.TariffFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeduplicateAndRateTest {
  private static final Duration KEEP = Duration.ofDays(90);
  private static final LedgerLayout LAYOUT = LedgerLayout.always(new Placement(16, Set.of()));

  private final InMemoryLedger ledger = new InMemoryLedger();
  private final List<Result> results = new ArrayList<>();
  private KeyedOneInputStreamOperatorTestHarness<Integer, Arrival, Result> harness;
  private TariffFeed.Factory tariffs = TestCdrs.tariffs();
  private int seq;

  @AfterEach
  void close() throws Exception {
    if (harness != null) {
      harness.close();
    }
  }

  @Test
  void ratesADistinctCdrOnce() throws Exception {
    open(Long.MIN_VALUE);
    assertThat(outcomes(call("acme", "1", NOON, 5000), call("acme", "1", NOON, 5000)))
        .containsExactly("RATED", "SAME_CONTENT");
    assertThat(results.get(0).charge().rating().amount()).isEqualByComparingTo("0.05");
    assertThat(remembered()).isEqualTo(1);
  }

  @Test
  void recognizesARepeatInALaterBatchAndAfterARestore() throws Exception {
    open(Long.MIN_VALUE);
    assertThat(outcomes(call("acme", "1", NOON, 5000))).containsExactly("RATED");
    assertThat(outcomes(call("acme", "1", NOON, 5000))).containsExactly("SAME_CONTENT");
    restore();
    assertThat(outcomes(call("acme", "1", NOON, 5000))).containsExactly("SAME_CONTENT");
    assertThat(remembered()).isEqualTo(1);
  }

  @Test
  void keepsEqualEventIdsOfTwoAccountsApart() throws Exception {
    open(Long.MIN_VALUE);
    assertThat(outcomes(call("acme", "1", NOON, 5000), call("globex", "1", NOON, 5000)))
        .containsExactly("RATED", "RATED");
  }

  @Test
  void holdsOtherContentOfARatedIdentity() throws Exception {
    open(Long.MIN_VALUE);
    assertThat(outcomes(call("acme", "1", NOON, 5000), call("acme", "1", NOON, 6000)))
        .containsExactly("RATED", "OTHER_CONTENT");
    assertThat(results.get(1).detail()).contains("as charged");
    assertThat(remembered()).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0} hours")
  @ValueSource(ints = {-26, -14, -1, 1, 2, 12, 26})
  void holdsTheSameEventWithTheStartOfAWrongTimeZone(int hours) throws Exception {
    open(Long.MIN_VALUE);
    // Day after day, so that every edge of a slot is crossed in both directions.
    for (int day = 0; day < 2 * SeenKey.SLOT_DAYS; day++) {
      long start = NOON + day * DAY;
      String event = "e" + day;
      // In two batches, so that the second one must be found in state.
      assertThat(outcomes(call("acme", event, start, 5000))).containsExactly("RATED");
      assertThat(outcomes(call("acme", event, start + hours * 3_600_000L, 5000)))
          .as("day %d", day)
          .containsExactly("OTHER_CONTENT");
    }
  }

  @ParameterizedTest(name = "in one batch: {0}")
  @ValueSource(booleans = {true, false})
  void judgesAReusedIdOfAnotherSeasonAlikeWhereverABatchEnds(boolean inOneBatch) throws Exception {
    open(Long.MIN_VALUE);
    Cdr spring = call("acme", "1", NOON, 5000);
    Cdr summer = call("acme", "1", NOON + 60 * DAY, 5000);
    List<String> outcomes = new ArrayList<>();
    if (inOneBatch) {
      outcomes.addAll(outcomes(spring, summer, spring, summer));
    } else {
      for (Cdr cdr : List.of(spring, summer, spring, summer)) {
        outcomes.addAll(outcomes(cdr));
      }
    }
    assertThat(outcomes).containsExactly("RATED", "RATED", "SAME_CONTENT", "SAME_CONTENT");
    assertThat(remembered()).isEqualTo(2);
  }

  @Test
  void holdsTheSameEventOfAWrongTimeZoneWithinOneBatch() throws Exception {
    open(Long.MIN_VALUE);
    for (int day = 0; day < 2 * SeenKey.SLOT_DAYS; day++) {
      long start = NOON + day * DAY;
      assertThat(
              outcomes(
                  call("acme", "e" + day, start, 5000),
                  call("acme", "e" + day, start + 26 * 3_600_000L, 5000)))
          .as("day %d", day)
          .containsExactly("RATED", "OTHER_CONTENT");
    }
  }

  @Test
  void remembersOnlyWhatWasRated() throws Exception {
    open(Long.MIN_VALUE);
    assertThat(outcomes(unpriced("acme", "1", NOON))).containsExactly("NO_DESTINATION");
    assertThat(remembered()).isZero();
    // Redriven, still without a price; then the same identity comes with another number.
    assertThat(outcomes(unpriced("acme", "1", NOON), call("acme", "1", NOON, 5000)))
        .containsExactly("NO_DESTINATION", "RATED");
    assertThat(outcomes(unpriced("acme", "1", NOON))).containsExactly("OTHER_CONTENT");
  }

  @Test
  void passesRefusedRecordsThroughUnaltered() throws Exception {
    open(Long.MIN_VALUE);
    byte[] value = {1, 2, 3};
    harness.processElement(
        new Arrival(
            new Origin("pbx", "b", 4, 0, 7, NOON),
            null,
            Reason.UNREADABLE,
            "first byte 0x01",
            null,
            value,
            Map.of("place", "f:4")),
        NOON);
    assertThat(drain()).containsExactly("UNREADABLE");
    assertThat(results.get(0).value()).isEqualTo(value);
    assertThat(results.get(0).extra()).containsEntry("place", "f:4");
    assertThat(remembered()).isZero();
  }

  @Test
  void asksTheLedgerOnlyForWhatItsStateCannotVouchFor() throws Exception {
    open(NOON);
    ledger.put(charge(call("acme", "old", NOON - DAY, 5000), new Origin("pbx", "b0", 1, 0, 1, 0)));
    assertThat(outcomes(call("acme", "old", NOON - DAY, 5000))).containsExactly("SAME_CONTENT");
    assertThat(outcomes(call("acme", "old", NOON - DAY, 9000))).containsExactly("OTHER_CONTENT");
    assertThat(ledger.lookups()).isEqualTo(2);
    // Started so long after birth that it cannot have been appended before.
    assertThat(outcomes(call("acme", "new", NOON + 2 * DAY, 5000))).containsExactly("RATED");
    assertThat(ledger.lookups()).isEqualTo(2);
  }

  @Test
  void ratesTheVeryRecordAgainThatTheLedgerHolds() throws Exception {
    open(NOON);
    Cdr cdr = call("acme", "old", NOON - DAY, 5000);
    ledger.put(charge(cdr, arrival(cdr, 0).origin()));
    assertThat(outcomes(cdr)).containsExactly("RATED");
    assertThat(outcomes(cdr)).containsExactly("SAME_CONTENT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"heap", "rocksdb"})
  void forgetsEventsBeforeTheHorizonAndAsksTheLedgerForThem(String backend) throws Exception {
    open(Long.MIN_VALUE, backend);
    int events = 3_000;
    Cdr[] old =
        IntStream.range(0, events)
            .mapToObj(i -> call("account-" + i % 97, "e" + i, NOON + i, 5000))
            .toArray(Cdr[]::new);
    assertThat(outcomes(old)).hasSize(events).containsOnly("RATED");
    assertThat(outcomes(call("acme", "young", NOON + 80 * DAY, 1000))).containsExactly("RATED");
    assertThat(remembered()).isEqualTo(events + 1);
    for (Result result : results) {
      if (result.charge() != null) {
        ledger.put(result.charge());
      }
    }

    harness.processWatermark(NOON + 90 * DAY + SeenKey.SLOT_DAYS * DAY);
    settle();
    assertThat(remembered()).as("only the young event is left").isEqualTo(1);
    assertThat(outcomes(old[0])).containsExactly("SAME_CONTENT");
    assertThat(ledger.lookups()).isEqualTo(1);
    assertThat(outcomes(call("acme", "young", NOON + 80 * DAY, 1000)))
        .containsExactly("SAME_CONTENT");
    assertThat(ledger.lookups()).isEqualTo(1);
  }

  @Test
  void neverMovesTheHorizonBack() throws Exception {
    open(Long.MIN_VALUE);
    outcomes(call("acme", "1", NOON, 5000));
    harness.processWatermark(NOON + 200 * DAY);
    settle();
    assertThat(remembered()).isZero();
    restore();
    // A restored job starts with no watermark at all; what it forgot stays unvouched for.
    ledger.put(charge(call("acme", "1", NOON, 5000), new Origin("x", "y", 0, 0, 0, 0)));
    assertThat(outcomes(call("acme", "1", NOON, 5000))).containsExactly("SAME_CONTENT");
    assertThat(ledger.lookups()).isEqualTo(1);
  }

  @Test
  void doesNotTakeTheEndOfABoundedSourceForATime() throws Exception {
    open(Long.MIN_VALUE);
    outcomes(call("acme", "1", NOON, 5000));
    harness.processWatermark(Long.MAX_VALUE);
    settle();
    assertThat(remembered()).isEqualTo(1);
  }

  @Test
  void marksLateCdrsAndRatesThem() throws Exception {
    open(Long.MIN_VALUE);
    harness.processWatermark(NOON);
    assertThat(outcomes(call("acme", "1", NOON - 1, 5000), call("acme", "2", NOON, 5000)))
        .containsExactly("RATED", "RATED");
    assertThat(results.get(0).late()).isTrue();
    assertThat(results.get(0).charge().late()).isTrue();
    assertThat(results.get(1).late()).isFalse();
  }

  @Test
  void holdsNothingBackAcrossABarrier() throws Exception {
    open(Long.MIN_VALUE);
    harness.processElement(arrival(call("acme", "1", NOON, 5000), seq++), NOON);
    assertThat(harness.extractOutputValues()).isEmpty();
    harness.prepareSnapshotPreBarrier(1);
    assertThat(harness.extractOutputValues()).hasSize(1);
  }

  @Test
  void holdsNothingBackAtTheEndOfInput() throws Exception {
    open(Long.MIN_VALUE);
    harness.processElement(arrival(call("acme", "1", NOON, 5000), seq++), NOON);
    harness.endInput();
    assertThat(harness.extractOutputValues()).hasSize(1);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void keepsTheOrderOfArrivals(long seed) throws Exception {
    open(Long.MIN_VALUE);
    Random random = new Random(seed);
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Cdr cdr = call("a" + random.nextInt(50), "e" + random.nextInt(500), NOON, 1000);
      sent.add(InMemoryLedger.key(cdr));
      harness.processElement(arrival(cdr, seq++), NOON);
    }
    drain();
    assertThat(results).extracting(result -> InMemoryLedger.key(result.cdr())).isEqualTo(sent);
    long distinct = sent.stream().distinct().count();
    assertThat(results.stream().filter(result -> result.charge() != null)).hasSize((int) distinct);
  }

  @Test
  void givesTheTotalOfEachCorrectionBesideTheCharge() throws Exception {
    Cdr cdr = call("acme", "1", NOON, 60_000);
    tariffs = TestCdrs.tariffs(corrected(cdr));
    open(Long.MIN_VALUE);
    outcomes(cdr, call("acme", "2", NOON - DAY * 3, 60_000));
    assertThat(results)
        .extracting(
            r -> r.charge().revision() + ": " + r.charge().rating().amount().toPlainString())
        .containsExactly("0: 1.0000", "1: 2.0000", "2: 0.0000", "0: 1.0000");
    assertThat(results.get(1).charge().cdr()).isEqualTo(cdr);
    assertThat(outcomes(cdr)).as("a repeat writes nothing").containsExactly("SAME_CONTENT");
  }

  @Test
  void saysAheadOfABarrierHowFarTheHistoryWent() throws Exception {
    Cdr cdr = call("acme", "1", NOON, 60_000);
    tariffs = TestCdrs.tariffs(corrected(cdr));
    open(Long.MIN_VALUE);
    harness.processElement(arrival(cdr, 0), NOON);
    harness.prepareSnapshotPreBarrier(1);
    List<Result> all = harness.extractOutputValues();
    assertThat(all).hasSize(4);
    assertThat(all.get(3).isReach()).isTrue();
    assertThat(all.get(3).correction()).isEqualTo(2);
    harness.prepareSnapshotPreBarrier(2);
    assertThat(harness.extractOutputValues()).as("nothing new to say").hasSize(4);
  }

  /** One a minute, corrected to two for an hour, and then voided for one CDR. */
  private static TariffHistory corrected(Cdr cdr) {
    TariffBook before = flat("1", NOON, NOON + 1);
    TariffHistory first =
        TariffHistory.EMPTY.with(Publication.after(TariffHistory.EMPTY, before, NOON + DAY).book());
    TariffHistory corrected =
        first.with(
            Publication.after(first, flat("2", NOON, NOON + 3_600_000), NOON + DAY)
                .asCorrection(first, "typing error")
                .correction()
                .orElseThrow());
    return corrected.with(
        new Correction.VoidCharge(
            2,
            "test call",
            new Correction.ChargeKey(
                cdr.accountId(), cdr.eventId(), Placement.usageHour(cdr.startMillis()))));
  }

  private static TariffBook flat(String price, long fromMillis, long toMillis) {
    return TariffBook.builder(0)
        .plan(
            "p",
            p ->
                p.rate(
                        r ->
                            r.voice("+", "all")
                                .perMinute("1")
                                .valid(new Validity(Long.MIN_VALUE, fromMillis)))
                    .rate(
                        r ->
                            r.voice("+", "all")
                                .perMinute(price)
                                .valid(new Validity(fromMillis, toMillis)))
                    .rate(
                        r ->
                            r.voice("+", "all")
                                .perMinute("1")
                                .valid(new Validity(toMillis, Long.MAX_VALUE))))
        .assignDefault("p")
        .build();
  }

  private void open(long birthMillis) throws Exception {
    open(birthMillis, "heap");
  }

  private void open(long birthMillis, String backend) throws Exception {
    harness = harness(birthMillis);
    harness.setStateBackend(
        backend.equals("heap") ? new HashMapStateBackend() : new EmbeddedRocksDBStateBackend(true));
    harness.open();
  }

  private void restore() throws Exception {
    OperatorSubtaskState snapshot = harness.snapshot(1, 1);
    harness.close();
    results.clear();
    harness = harness(Long.MIN_VALUE);
    harness.initializeState(snapshot);
    harness.open();
  }

  private KeyedOneInputStreamOperatorTestHarness<Integer, Arrival, Result> harness(long birthMillis)
      throws Exception {
    ShardKey shardKey = new ShardKey(LAYOUT);
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new DeduplicateAndRate(
            new DedupSettings(birthMillis, KEEP, Duration.ofHours(1)), shardKey, tariffs, ledger),
        shardKey,
        Types.INT,
        ShardKey.MAX_PARALLELISM,
        1,
        0);
  }

  private List<String> outcomes(Cdr... cdrs) throws Exception {
    for (Cdr cdr : cdrs) {
      harness.processElement(arrival(cdr, seq++), cdr.startMillis());
    }
    return drain();
  }

  /** Ends the batch and returns the new outcomes. */
  private List<String> drain() throws Exception {
    harness.setProcessingTime(harness.getProcessingTime() + 100);
    List<Result> all = harness.extractOutputValues();
    List<Result> fresh = all.subList(results.size(), all.size());
    results.addAll(fresh);
    return fresh.stream()
        .map(result -> result.charge() != null ? "RATED" : result.reason().name())
        .toList();
  }

  /** Lets expiry come to its end. */
  private void settle() throws Exception {
    for (int i = 0; i < 100; i++) {
      harness.prepareSnapshotPreBarrier(i);
    }
  }

  private int remembered() throws Exception {
    @SuppressWarnings("unchecked")
    KeyedStateBackend<Integer> backend =
        (KeyedStateBackend<Integer>)
            (KeyedStateBackend<?>)
                ((DeduplicateAndRate) harness.getOneInputOperator()).getKeyedStateBackend();
    int count = 0;
    for (int shard = 0; shard < Placement.SHARDS; shard++) {
      backend.setCurrentKey(ShardKey.ofShard(shard));
      MapState<SeenKey, Long> state =
          backend.getPartitionedState(
              VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, SeenEvents.descriptor());
      for (SeenKey ignored : state.keys()) {
        count++;
      }
    }
    return count;
  }

  private static Charge charge(Cdr cdr, Origin origin) {
    return new Charge(
        cdr, ContentFingerprint.of(cdr), origin, false, (Rating.Priced) TestCdrs.rate(cdr), 0);
  }
}
