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
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.Bytes;
import io.tollgate.reconcile.message.CycleShare;
import io.tollgate.reconcile.message.PartitionFact;
import io.tollgate.reconcile.message.Piece;
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
import org.roaringbitmap.RoaringBitmap;

class ComparePartitionsTest {
  private static final long HOUR = 496_000;
  private static final long START = HOUR * 3_600_000;
  private static final int BUCKET = 3;
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

  private static final Map<Integer, Cdr> TOPIC = new HashMap<>();
  private static final List<String> WRITTEN_OFF = new ArrayList<>();
  private static boolean proving;
  private static int readings;
  private static int lookUps;

  private KeyedOneInputStreamOperatorTestHarness<Long, PartitionFact, BatchFact> harness;
  private long nowMillis;
  private long factHour = HOUR;

  @BeforeEach
  void open() throws Exception {
    ROWS.clear();
    TOPIC.clear();
    WRITTEN_OFF.clear();
    proving = true;
    readings = 0;
    lookUps = 0;
    // Two hours later: the hour no longer fills.
    nowMillis = START + Duration.ofHours(3).toMillis();
    harness = harness();
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void balancesAPartitionWhoseReceiptsAndRowsAgree() throws Exception {
    rows(0, 1, 2);
    receipt(0, 1, 2);
    cycle();
    assertThat(partition().state()).isEqualTo(State.BALANCED);
    assertThat(partition().rows()).isEqualTo(3);
    assertThat(piece().explained()).isEqualTo(3);
    assertThat(found()).isEmpty();
    assertThat(share().rowsRead()).isEqualTo(3);
    assertThat(readings).isEqualTo(1);
    cycle();
    assertThat(readings).as("a balanced partition is left alone").isEqualTo(1);
  }

  @Test
  void readsAgainWhatGotReceiptsSince() throws Exception {
    rows(0);
    receipt(0);
    cycle();
    rows(1);
    receipt(1);
    cycle();
    assertThat(readings).isEqualTo(2);
    assertThat(partition().rows()).isEqualTo(2);
  }

  @Test
  void judgesNothingBeforeAProofThatIsNewerThanTheReading() throws Exception {
    proving = false;
    receipt(0);
    cycle();
    assertThat(shares()).isEmpty();
    assertThat(found()).isEmpty();
    proving = true;
    advance(1_000);
    assertThat(share().partitionsRead()).isEqualTo(1);
  }

  @Test
  void confirmsAMissingRowInTheNextCycleAndSaysWhenItIsBack() throws Exception {
    rows(0);
    receipt(0, 1);
    cycle();
    assertThat(found()).as("the first look").isEmpty();
    assertThat(partition().state()).isEqualTo(State.MISMATCH);
    TOPIC.put(1, cdr(1));
    cycle();
    Found missing = found().get(0);
    assertThat(missing.status()).isEqualTo(Status.CONFIRMED);
    assertThat(missing.difference().kind()).isEqualTo(DifferenceKind.MISSING_ROW);
    assertThat(missing.difference().items()).isEqualTo("1");
    assertThat(missing.example()).contains("account acme", "event e1");
    rows(1);
    cycle();
    assertThat(found().get(found().size() - 1).status()).isEqualTo(Status.GONE);
    assertThat(partition().state()).isEqualTo(State.BALANCED);
  }

  @Test
  void takesAReceiptForARepeatWhoseContentAnotherRecordWasChargedFor() throws Exception {
    ROWS.add(charge(1, "other", 77));
    receipt(1);
    TOPIC.put(1, cdr(1));
    cycle();
    cycle();
    assertThat(found().stream().filter(each -> isAbout(each, DifferenceKind.MISSING_ROW)))
        .isEmpty();
    assertThat(piece().repeats()).isEqualTo(1);
  }

  @Test
  void acceptsWhatWasWrittenOff() throws Exception {
    receipt(1);
    cycle();
    WRITTEN_OFF.add("1");
    cycle();
    assertThat(found()).isEmpty();
    assertThat(piece().withoutUsage()).isEqualTo(1);
    assertThat(piece().explained()).isEqualTo(1);
    assertThat(partition().state()).isEqualTo(State.BALANCED);
  }

  @Test
  void looksUpALateRecordByItsKeyInsteadOfReadingThePartitionAgain() throws Exception {
    rows(0);
    receipt(0);
    cycle();
    rows(1);
    late(1);
    cycle();
    assertThat(readings).isEqualTo(1);
    assertThat(lookUps).isEqualTo(1);
    assertThat(piece().explained()).isEqualTo(2);
    assertThat(partition().rows()).isEqualTo(2);
    assertThat(partition().state()).isEqualTo(State.BALANCED);
  }

  @Test
  void readsThePartitionIfALateRecordHasNoRow() throws Exception {
    rows(0);
    receipt(0);
    cycle();
    late(1);
    cycle();
    cycle();
    assertThat(readings).isEqualTo(2);
    cycle();
    assertThat(found()).extracting(Found::status).containsExactly(Status.CONFIRMED);
  }

  @Test
  void readsAPartitionThatNoReceiptSpokeOf() throws Exception {
    rows(0);
    harness.processElement(new StreamRecord<>(PartitionFact.exists(HOUR, BUCKET)));
    cycle();
    cycle();
    assertThat(found().get(0).difference().kind()).isEqualTo(DifferenceKind.SURPLUS_ROW);
    assertThat(found().get(0).difference().source()).isEqualTo("pbx");
  }

  @Test
  void readsABalancedPartitionAgainWhenRevisionsWereWrittenToIt() throws Exception {
    rows(0);
    receipt(0);
    cycle();
    cycle();
    assertThat(readings).isEqualTo(1);
    harness.processElement(new StreamRecord<>(PartitionFact.revised(HOUR, BUCKET)));
    cycle();
    cycle();
    assertThat(readings).isEqualTo(2);
  }

  @Test
  void readsAnHourThatStillFillsOnlyWhenItIsItsTurn() throws Exception {
    factHour = HOUR + 3;
    rows(0);
    receipt(0);
    for (int i = 0; i < 10; i++) {
      cycle();
      receipt(i + 1);
      rows(i + 1);
    }
    assertThat(readings).isEqualTo(1);
  }

  @Test
  void verifiesABalancedPartitionAgainOnceADay() throws Exception {
    rows(0);
    receipt(0);
    cycle();
    ROWS.clear();
    for (int minute = 0; minute < 24 * 60 && readings < 2; minute++) {
      cycle();
    }
    assertThat(readings).isEqualTo(2);
    cycle();
    assertThat(found()).extracting(Found::status).contains(Status.CONFIRMED);
  }

  @Test
  void tellsARowThatWasChangedTogetherWithAllThatItIsCheckedBy() throws Exception {
    rows(0, 1);
    receipt(0, 1);
    cycle();
    Charge before = ROWS.remove(1);
    ROWS.add(forged(before));
    TOPIC.put(1, cdr(1));
    readAgain();
    assertThat(found()).as("the first look").isEmpty();
    assertThat(partition().state()).isEqualTo(State.MISMATCH);
    cycle();
    Found changed = found().get(0);
    assertThat(changed.difference().kind()).isEqualTo(DifferenceKind.SETTLED_CHANGED);
    assertThat(changed.difference().items()).isEqualTo("1");
    assertThat(changed.example()).contains("account acme", "event e1");
    assertThat(changed.difference().expected()).contains("in the topic", "costs 0.60 EUR");
    ROWS.add(
        new Charge(before.cdr(), before.fingerprint(), before.origin(), false, priced("0.00"), 1));
    cycle();
    assertThat(found().get(found().size() - 1).status()).isEqualTo(Status.GONE);
    assertThat(partition().state()).isEqualTo(State.BALANCED);
  }

  @Test
  void tellsAChangedRowUntilItIsWhatItWas() throws Exception {
    rows(0, 1);
    receipt(0, 1);
    cycle();
    Charge before = ROWS.remove(1);
    readAgain();
    ROWS.add(forged(before));
    cycle();
    cycle();
    assertThat(found().get(found().size() - 1).difference().kind())
        .as("what was known of it outlives its absence")
        .isEqualTo(DifferenceKind.SETTLED_CHANGED);
    ROWS.set(1, before);
    cycle();
    assertThat(found().get(found().size() - 1).status()).isEqualTo(Status.GONE);
    assertThat(partition().state()).isEqualTo(State.BALANCED);
  }

  @Test
  void acceptsAChangedRowThatWasWrittenOff() throws Exception {
    rows(0, 1);
    receipt(0, 1);
    cycle();
    ROWS.add(forged(ROWS.remove(1)));
    WRITTEN_OFF.add("1");
    readAgain();
    assertThat(found()).isEmpty();
    assertThat(partition().state()).isEqualTo(State.BALANCED);
    WRITTEN_OFF.clear();
    readAgain();
    assertThat(partition().state()).as("it is what was accepted").isEqualTo(State.BALANCED);
  }

  /** Lets a day pass, within which each partition has its turn. */
  private void readAgain() throws Exception {
    int before = readings;
    while (readings == before) {
      cycle();
    }
  }

  /** Another call of the same price, consistent in itself. */
  private static Charge forged(Charge charge) {
    Cdr cdr = charge.cdr();
    Cdr other =
        new Cdr(
            cdr.eventId(),
            cdr.accountId(),
            cdr.usageType(),
            cdr.calling(),
            "+499999",
            cdr.startMillis(),
            0,
            cdr.usage(),
            "",
            Map.of(),
            "",
            "");
    return new Charge(
        other, ContentFingerprint.of(other), charge.origin(), false, charge.rating(), 0);
  }

  @Test
  void goesOnAfterARestoreWithWhatWasDue() throws Exception {
    rows(0);
    receipt(0, 1);
    cycle();
    OperatorSubtaskState state = harness.snapshot(1, nowMillis);
    harness.close();
    harness = harness();
    harness.initializeState(state);
    harness.open();
    cycle();
    assertThat(found()).extracting(Found::status).containsExactly(Status.CONFIRMED);
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

  /** Lets the next cycle begin, and gives it time to end. */
  private void cycle() throws Exception {
    advance(SETTINGS.nextCycleMillis(nowMillis) - nowMillis);
    advance(2_000);
  }

  private void advance(long millis) throws Exception {
    nowMillis += millis;
    harness.setProcessingTime(nowMillis);
  }

  private void receipt(int... seqs) throws Exception {
    harness.processElement(new StreamRecord<>(fact("", seqs)));
  }

  private void late(int seq) throws Exception {
    harness.processElement(new StreamRecord<>(fact("acme", seq)));
  }

  private PartitionFact fact(String lateAccount, int... seqs) {
    return new PartitionFact(
        factHour,
        BUCKET,
        "pbx",
        "b1",
        Bytes.of(RoaringBitmap.bitmapOf(seqs)),
        new int[] {0},
        new long[] {0},
        new long[] {9},
        lateAccount,
        lateAccount.isEmpty() ? "" : "e" + seqs[0]);
  }

  private static void rows(int... seqs) {
    for (int seq : seqs) {
      ROWS.add(charge(seq, "b1", seq));
    }
  }

  private static Charge charge(int event, String batch, int seq) {
    Cdr cdr = cdr(event);
    return new Charge(
        cdr,
        ContentFingerprint.of(cdr),
        new Origin("pbx", batch, seq, 0, seq, Long.MAX_VALUE),
        false,
        priced(),
        0);
  }

  private static Cdr cdr(int event) {
    return new Cdr(
        "e" + event,
        "acme",
        UsageType.VOICE,
        "+491",
        "+492",
        START,
        0,
        60_000,
        "",
        Map.of(),
        "",
        "");
  }

  private static Rating.Priced priced() {
    return priced("0.60");
  }

  private static Rating.Priced priced(String text) {
    BigDecimal amount = new BigDecimal(text);
    return new Rating.Priced("p", 1, "", "", 60_000, List.of(), amount, amount, "EUR");
  }

  private List<Found> found() {
    return results().stream().filter(Found.class::isInstance).map(Found.class::cast).toList();
  }

  private static boolean isAbout(Found found, DifferenceKind kind) {
    return found.difference().kind() == kind;
  }

  private List<ReconcileResult.Partition> partitions() {
    return results().stream()
        .filter(ReconcileResult.Partition.class::isInstance)
        .map(ReconcileResult.Partition.class::cast)
        .toList();
  }

  private ReconcileResult.Partition partition() {
    return partitions().get(partitions().size() - 1);
  }

  private List<ReconcileResult> results() {
    var output = harness.getSideOutput(ComparePartitions.FINDINGS);
    return output == null
        ? List.of()
        : output.stream().map(record -> record.getValue().result()).toList();
  }

  private List<CycleShare> shares() {
    var output = harness.getSideOutput(ComparePartitions.SHARES);
    return output == null ? List.of() : output.stream().map(StreamRecord::getValue).toList();
  }

  private CycleShare share() {
    return shares().get(shares().size() - 1);
  }

  private Piece piece() {
    List<BatchFact> facts = harness.extractOutputValues();
    return Piece.decode(facts.get(facts.size() - 1).payload());
  }

  private static final class Rows implements LedgerView {
    @Override
    public void partitionsOf(int part, PartitionName each) {
      throw new UnsupportedOperationException("not asked here");
    }

    @Override
    public LedgerLayout layout() {
      return LedgerLayout.always(new Placement(16, Set.of()));
    }

    @Override
    public Iterator<Charge> partition(long usageHour, int bucket) {
      readings++;
      return List.copyOf(ROWS).iterator();
    }

    @Override
    public List<Charge> findByIdentity(String accountId, String eventId, long startMillis) {
      lookUps++;
      return ROWS.stream().filter(row -> row.cdr().eventId().equals(eventId)).toList();
    }

    @Override
    public CompletionStage<List<Charge>> findByIdentityLater(
        String accountId, String eventId, long startMillis) {
      return CompletableFuture.completedFuture(findByIdentity(accountId, eventId, startMillis));
    }

    @Override
    public CompletionStage<List<Charge>> findAroundLater(
        String accountId, String eventId, long startMillis) {
      return CompletableFuture.completedFuture(findByIdentity(accountId, eventId, startMillis));
    }

    @Override
    public Iterator<EventIdentity> identities(long usageHour, int bucket) {
      return ROWS.stream()
          .filter(row -> row.usageHour() == usageHour)
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
          return priced();
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
      return proving
          ? new Proof(System.nanoTime() + 1, Map.of(0, 100L), Map.of(0, 100L))
          : Proof.none();
    }

    @Override
    public void close() {}
  }

  private static final class Topic implements CdrLookup {
    @Override
    public Map<Integer, Cdr> find(
        String source, String batch, RoaringBitmap seqs, Map<Integer, long[]> offsets) {
      Map<Integer, Cdr> found = new HashMap<>(TOPIC);
      found.keySet().removeIf(seq -> !seqs.contains(seq));
      return found;
    }

    @Override
    public void close() {}
  }

  private static final class Accepted implements WriteOffs {
    @Override
    public List<String> writtenOff(String idPrefix) {
      return WRITTEN_OFF;
    }

    @Override
    public void close() {}
  }
}
