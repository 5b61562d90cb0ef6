package io.tollgate.reconcile.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.rating.Revision;
import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.domain.reconcile.ReconcileResult.Partition;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.Bytes;
import io.tollgate.reconcile.message.PartitionFact;
import io.tollgate.reconcile.progress.ProgressWatch;
import io.tollgate.reconcile.progress.Proof;
import io.tollgate.wire.tariff.TariffFeed;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

/** One call in two usage hours: found, told once, held back from settlement, and got out of. */
class CompareIdentitiesTest {
  private static final long HOUR = 496_000;
  private static final Placement PLACEMENT = new Placement(16, Set.of());
  private static final CompareSettings SETTINGS =
      new CompareSettings(
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofHours(1),
          Duration.ofHours(24),
          Duration.ofDays(80),
          Duration.ofDays(2));

  /** What the fakes below show; static, because operators travel to the harness as bytes. */
  private static final List<Charge> ROWS = new ArrayList<>();

  private static final Map<String, String> WRITTEN_OFF = new HashMap<>();
  private static final List<CompletableFuture<List<Charge>>> UNANSWERED = new ArrayList<>();
  private static LedgerLayout layout = LedgerLayout.always(PLACEMENT);
  private static boolean answering;
  private static boolean isOnlyAlike;
  private static int keyReadings;
  private static int readings;

  private KeyedOneInputStreamOperatorTestHarness<Long, PartitionFact, BatchFact> harness;
  private long nowMillis;

  @BeforeEach
  void open() throws Exception {
    ROWS.clear();
    WRITTEN_OFF.clear();
    UNANSWERED.clear();
    layout = LedgerLayout.always(PLACEMENT);
    answering = true;
    isOnlyAlike = false;
    keyReadings = 0;
    readings = 0;
    // All hours that are used here no longer fill.
    nowMillis = Duration.ofHours(HOUR + 60).toMillis();
    harness = harness();
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 26})
  void tellsACallThatIsChargedInTwoHours(int hours) throws Exception {
    charged("call", HOUR, "b1");
    charged("call", HOUR + hours, "b2");
    charged("other", HOUR + hours, "b2");
    cycle();
    assertThat(state(HOUR)).as("held from the first look").isEqualTo(State.OPEN);
    assertThat(state(HOUR + hours)).isEqualTo(State.OPEN);
    cycle();
    assertThat(found()).as("looked at once").isEmpty();
    cycle();
    Found repeated = found().get(0);
    assertThat(repeated.status()).isEqualTo(Status.CONFIRMED);
    assertThat(repeated.difference().kind()).isEqualTo(DifferenceKind.REPEATED_IDENTITY);
    assertThat(repeated.difference().usageHour()).isEqualTo(HOUR + hours);
    assertThat(repeated.difference().batch()).isEqualTo("b2");
    assertThat(repeated.example())
        .contains("account acme, event call", "batch b1", "batch b2", hourText(HOUR + hours));
    assertThat(state(HOUR)).isEqualTo(State.OPEN);
    assertThat(state(HOUR + hours)).isEqualTo(State.MISMATCH);
    cycle();
    assertThat(told()).as("in one of the two hours").isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void isOverWhenEitherChargeIsVoided(int which) throws Exception {
    tellsACallThatIsChargedInTwoHours(5);
    Charge row = ROWS.get(which);
    ROWS.add(row.withRevision(1, priced("0.00")));
    cycle();
    assertThat(found().get(found().size() - 1).status()).isEqualTo(Status.GONE);
    assertThat(state(HOUR)).isEqualTo(State.BALANCED);
    assertThat(state(HOUR + 5)).isEqualTo(State.BALANCED);
    assertIsLeftAlone();
  }

  @Test
  void isOverWhenItIsWrittenOff() throws Exception {
    tellsACallThatIsChargedInTwoHours(5);
    writeOff();
    cycle();
    cycle();
    assertThat(state(HOUR)).isEqualTo(State.BALANCED);
    assertThat(state(HOUR + 5)).isEqualTo(State.BALANCED);
    assertIsLeftAlone();
  }

  @Test
  void findsNothingAgainThatWasWrittenOffBeforeItsStateWasLost() throws Exception {
    tellsACallThatIsChargedInTwoHours(5);
    writeOff();
    harness.close();
    harness = harness();
    harness.open();
    receipt("call", HOUR, "b1", 0);
    receipt("call", HOUR + 5, "b2", 1);
    receipt("other", HOUR + 5, "b2", 2);
    for (int i = 0; i < 4; i++) {
      cycle();
    }
    assertThat(found()).isEmpty();
    assertThat(state(HOUR)).isEqualTo(State.BALANCED);
    assertThat(state(HOUR + 5)).isEqualTo(State.BALANCED);
  }

  @Test
  void takesCallsThatAreTooFarApartForTwo() throws Exception {
    charged("call", HOUR, "b1");
    charged("call", HOUR + 27, "b2");
    cycle();
    assertThat(state(HOUR)).isEqualTo(State.BALANCED);
    assertThat(state(HOUR + 27)).isEqualTo(State.BALANCED);
    assertIsLeftAlone();
  }

  @ParameterizedTest
  @ValueSource(ints = {-26, -1, 2, 26})
  void comparesWithAnHourThatWasBalancedLongBefore(int hours) throws Exception {
    charged("call", HOUR, "b1");
    cycle();
    assertThat(state(HOUR)).isEqualTo(State.BALANCED);
    charged("call", HOUR + hours, "b2");
    cycle();
    assertThat(state(HOUR)).as("the other hour is held too").isEqualTo(State.OPEN);
    cycle();
    cycle();
    assertThat(told()).isEqualTo(1);
    assertThat(keyReadings).isZero();
  }

  @Test
  void readsTheKeysOfANeighbourThatIsNoLongerInState() throws Exception {
    charged("call", HOUR, "b1");
    cycle();
    harness.setStateTtlProcessingTime(Duration.ofDays(3).toMillis());
    charged("call", HOUR + 2, "b2");
    cycle();
    cycle();
    cycle();
    assertThat(told()).isEqualTo(1);
    assertThat(keyReadings).isEqualTo(1);
  }

  @Test
  void looksALateRecordUpInTheHoursAround() throws Exception {
    charged("call", HOUR, "b1");
    charged("other", HOUR + 3, "b2");
    cycle();
    ROWS.add(row("call", HOUR + 3, "b2", 7));
    late("call", HOUR + 3, "b2", 7);
    cycle();
    assertThat(readings).as("no hour is read for it").isEqualTo(2);
    assertThat(state(HOUR)).isEqualTo(State.OPEN);
    assertThat(state(HOUR + 3)).isEqualTo(State.OPEN);
    cycle();
    cycle();
    assertThat(told()).isEqualTo(1);
  }

  @Test
  void comparesLaterHoursWithALateRecordToo() throws Exception {
    charged("other", HOUR, "b1");
    cycle();
    ROWS.add(row("call", HOUR, "b1", 7));
    late("call", HOUR, "b1", 7);
    cycle();
    assertThat(state(HOUR)).isEqualTo(State.BALANCED);
    charged("call", HOUR + 1, "b2");
    cycle();
    cycle();
    cycle();
    assertThat(told()).isEqualTo(1);
    assertThat(keyReadings).isZero();
  }

  @Test
  void takesIdentitiesThatOnlyBeginAlikeForTwo() throws Exception {
    isOnlyAlike = true;
    charged("call", HOUR, "b1");
    charged("call", HOUR + 5, "b2");
    cycle();
    cycle();
    assertThat(state(HOUR)).isEqualTo(State.BALANCED);
    assertThat(state(HOUR + 5)).isEqualTo(State.BALANCED);
    assertIsLeftAlone();
  }

  @Test
  void leavesARowThatNoReceiptNamesToThatDifference() throws Exception {
    charged("call", HOUR, "b1");
    ROWS.add(row("call", HOUR + 5, "b2", 1));
    harness.processElement(
        new StreamRecord<>(PartitionFact.exists(HOUR + 5, PLACEMENT.bucket("acme", "call"))));
    for (int i = 0; i < 4; i++) {
      cycle();
    }
    assertThat(found())
        .extracting(each -> each.difference().kind())
        .containsOnly(DifferenceKind.SURPLUS_ROW);
    assertThat(state(HOUR)).as("until that is resolved").isEqualTo(State.OPEN);
  }

  @Test
  void findsACallOnBothSidesOfAChangeOfLayout() throws Exception {
    layout =
        new LedgerLayout(
            List.of(
                new LedgerLayout.Era(0, PLACEMENT),
                new LedgerLayout.Era(HOUR + 2, new Placement(7, Set.of()))));
    harness.close();
    harness = harness();
    harness.open();
    charged("call", HOUR, "b1");
    charged("call", HOUR + 3, "b2");
    cycle();
    cycle();
    cycle();
    assertThat(told()).isEqualTo(1);
    assertThat(found().get(0).difference().usageHour()).isEqualTo(HOUR + 3);
  }

  @Test
  void goesOnAfterARestoreBetweenTwoLooks() throws Exception {
    charged("call", HOUR, "b1");
    charged("call", HOUR + 5, "b2");
    cycle();
    OperatorSubtaskState state = harness.snapshot(1, nowMillis);
    harness.close();
    harness = harness();
    harness.initializeState(state);
    harness.open();
    cycle();
    cycle();
    assertThat(told()).isEqualTo(1);
  }

  @Test
  void takesReceiptsInWhileTheLedgerDoesNotAnswer() throws Exception {
    charged("call", HOUR, "b1");
    charged("call", HOUR + 5, "b2");
    cycle();
    answering = false;
    cycle();
    int before = harness.getSideOutput(ComparePartitions.SHARES).size();
    cycle();
    assertThat(harness.getSideOutput(ComparePartitions.SHARES)).hasSize(before);
    harness.snapshot(1, nowMillis);
    charged("third", HOUR + 1, "b3");
    answering = true;
    UNANSWERED.forEach(each -> each.complete(around("call")));
    advance(1_000);
    cycle();
    assertThat(told()).isEqualTo(1);
  }

  @Test
  void bringsAllHoursOfABucketToOneSubtask() {
    for (long hour : new long[] {0, 1, HOUR, HOUR + 26}) {
      for (int bucket : new int[] {0, 5, 2_047}) {
        long key = PartitionFact.key(hour, bucket);
        assertThat(Long.hashCode(key)).isEqualTo(bucket);
        assertThat(PartitionFact.usageHour(key)).isEqualTo(hour);
        assertThat(PartitionFact.bucket(key)).isEqualTo(bucket);
      }
    }
  }

  private KeyedOneInputStreamOperatorTestHarness<Long, PartitionFact, BatchFact> harness()
      throws Exception {
    KeyedOneInputStreamOperatorTestHarness<Long, PartitionFact, BatchFact> created =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new ComparePartitions(
                SETTINGS, Rows::new, Prices::new, Progress::new, Topic::new, Accepted::new),
            PartitionFact::partitionKey,
            Types.LONG);
    created.setProcessingTime(nowMillis);
    return created;
  }

  private void assertIsLeftAlone() throws Exception {
    int before = readings;
    cycle();
    assertThat(readings).isEqualTo(before);
  }

  /** Lets the next cycle begin, and gives it time to end. */
  private void cycle() throws Exception {
    advance(SETTINGS.nextCycleMillis(nowMillis) - nowMillis);
    advance(2_000);
  }

  private void advance(long millis) throws Exception {
    nowMillis += millis;
    harness.setProcessingTime(nowMillis);
  }

  /** A row and its receipt. */
  private void charged(String event, long hour, String batch) throws Exception {
    int seq = ROWS.size();
    ROWS.add(row(event, hour, batch, seq));
    receipt(event, hour, batch, seq);
  }

  private void receipt(String event, long hour, String batch, int seq) throws Exception {
    harness.processElement(new StreamRecord<>(fact(event, hour, batch, seq, false)));
  }

  private void late(String event, long hour, String batch, int seq) throws Exception {
    harness.processElement(new StreamRecord<>(fact(event, hour, batch, seq, true)));
  }

  private static PartitionFact fact(
      String event, long hour, String batch, int seq, boolean isLate) {
    return new PartitionFact(
        hour,
        layout.at(hour).bucket("acme", event),
        "pbx",
        batch,
        Bytes.of(RoaringBitmap.bitmapOf(seq)),
        new int[] {0},
        new long[] {0},
        new long[] {9},
        isLate ? "acme" : "",
        isLate ? event : "");
  }

  private void writeOff() {
    Difference difference = found().get(0).difference();
    WRITTEN_OFF.put(difference.idPrefix(), difference.items());
  }

  private static Charge row(String event, long hour, String batch, int seq) {
    Cdr cdr =
        new Cdr(
            event,
            "acme",
            UsageType.VOICE,
            "+491",
            "+492",
            Duration.ofHours(hour).toMillis(),
            0,
            60_000,
            "",
            Map.of(),
            "",
            "");
    return new Charge(
        cdr,
        ContentFingerprint.of(cdr),
        new Origin("pbx", batch, seq, 0, seq, Long.MAX_VALUE),
        false,
        priced("0.60"),
        0);
  }

  private static Rating.Priced priced(String text) {
    BigDecimal amount = new BigDecimal(text);
    return new Rating.Priced("p", 1, "", "", 60_000, List.of(), amount, amount, "EUR");
  }

  private static String hourText(long hour) {
    return io.tollgate.domain.reconcile.UsageHours.text(hour);
  }

  private List<Found> found() {
    var output = harness.getSideOutput(ComparePartitions.FINDINGS);
    return output == null
        ? List.of()
        : output.stream()
            .map(record -> record.getValue().result())
            .filter(Found.class::isInstance)
            .map(Found.class::cast)
            .toList();
  }

  private long told() {
    return found().stream()
        .filter(each -> each.status() == Status.CONFIRMED)
        .filter(each -> each.difference().kind() == DifferenceKind.REPEATED_IDENTITY)
        .map(each -> each.difference().id())
        .distinct()
        .count();
  }

  /** Returns the newest state of any partition of an hour that is not balanced, or BALANCED. */
  private State state(long hour) {
    Map<Integer, State> states = new HashMap<>();
    harness.getSideOutput(ComparePartitions.FINDINGS).stream()
        .map(record -> record.getValue().result())
        .filter(Partition.class::isInstance)
        .map(Partition.class::cast)
        .filter(partition -> partition.usageHour() == hour)
        .forEach(partition -> states.put(partition.bucket(), partition.state()));
    assertThat(states).isNotEmpty();
    return states.values().stream()
        .filter(state -> state != State.BALANCED)
        .findFirst()
        .orElse(State.BALANCED);
  }

  private static List<Charge> around(String eventId) {
    return isOnlyAlike
        ? List.of()
        : ROWS.stream().filter(row -> row.cdr().eventId().equals(eventId)).toList();
  }

  private static final class Rows implements LedgerView {
    @Override
    public void partitionsOf(int part, PartitionName each) {
      throw new UnsupportedOperationException("not asked here");
    }

    @Override
    public LedgerLayout layout() {
      return layout;
    }

    @Override
    public Iterator<Charge> partition(long usageHour, int bucket) {
      readings++;
      return rows(usageHour, bucket).iterator();
    }

    private static List<Charge> rows(long usageHour, int bucket) {
      return ROWS.stream()
          .filter(row -> row.usageHour() == usageHour)
          .filter(row -> layout.at(usageHour).bucket("acme", row.cdr().eventId()) == bucket)
          .sorted(
              java.util.Comparator.comparing((Charge row) -> row.cdr().eventId())
                  .thenComparing(Charge::revision))
          .toList();
    }

    @Override
    public List<Charge> findByIdentity(String accountId, String eventId, long startMillis) {
      throw new UnsupportedOperationException("nothing is missing here");
    }

    @Override
    public CompletionStage<List<Charge>> findByIdentityLater(
        String accountId, String eventId, long startMillis) {
      throw new UnsupportedOperationException("nothing is a duplicate here");
    }

    @Override
    public CompletionStage<List<Charge>> findAroundLater(
        String accountId, String eventId, long startMillis) {
      if (answering) {
        return CompletableFuture.completedFuture(around(eventId));
      }
      CompletableFuture<List<Charge>> answer = new CompletableFuture<>();
      UNANSWERED.add(answer);
      return answer;
    }

    @Override
    public Iterator<EventIdentity> identities(long usageHour, int bucket) {
      keyReadings++;
      return rows(usageHour, bucket).stream()
          .map(row -> EventIdentity.of(row.cdr().accountId(), row.cdr().eventId()))
          .iterator();
    }

    @Override
    public void close() {}
  }

  private static final class Prices implements TariffFeed {
    @Override
    public Rater rater() {
      return new Rater() {
        @Override
        public Rating rate(Cdr cdr) {
          return priced("0.60");
        }

        @Override
        public List<Revision> revisions(Cdr cdr) {
          return List.of(new Revision(1, priced("0.00")));
        }
      };
    }

    @Override
    public long version() {
      return 1;
    }

    @Override
    public void poll() {}

    @Override
    public void close() {}
  }

  private static final class Progress implements ProgressWatch {
    @Override
    public Proof latest() {
      return new Proof(System.nanoTime() + 1, Map.of(0, 100L), Map.of(0, 100L));
    }

    @Override
    public void close() {}
  }

  private static final class Topic implements CdrLookup {
    @Override
    public Map<Integer, Cdr> find(
        String source, String batch, RoaringBitmap seqs, Map<Integer, long[]> offsets) {
      return Map.of();
    }

    @Override
    public void close() {}
  }

  private static final class Accepted implements WriteOffs {
    @Override
    public List<String> writtenOff(String idPrefix) {
      String items = WRITTEN_OFF.get(idPrefix);
      return items == null ? List.of() : List.of(items);
    }

    @Override
    public void close() {}
  }
}
