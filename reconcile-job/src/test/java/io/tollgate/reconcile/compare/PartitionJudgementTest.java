package io.tollgate.reconcile.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.rating.Revision;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.reconcile.compare.Suspicions.Disagreement;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import io.tollgate.reconcile.message.Bytes;
import io.tollgate.reconcile.message.PartitionFact;
import io.tollgate.reconcile.message.Piece;
import io.tollgate.reconcile.progress.Proof;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.roaringbitmap.RoaringBitmap;

/** The rows of the table in {@link PartitionJudgement}, and what a row can be wrong in. */
class PartitionJudgementTest {
  private static final long HOUR = 496_000;
  private static final long START = HOUR * 3_600_000;

  /** A cent for each second. */
  private static final Rater RATER =
      new Rater() {
        @Override
        public Rating rate(Cdr cdr) {
          return priced(BigDecimal.valueOf(cdr.usage() / 1_000, 2));
        }

        /** Whatever is corrected: first to nothing, later to ten cents. */
        @Override
        public List<Revision> revisions(Cdr cdr) {
          return List.of(
              new Revision(1, priced(new BigDecimal("0.00"))),
              new Revision(4, priced(new BigDecimal("0.10"))));
        }
      };

  private final Map<String, PartitionBatch> atStart = new HashMap<>();
  private final Map<String, PartitionBatch> now = new HashMap<>();
  private final List<Charge> rows = new ArrayList<>();
  private final Proof proof = new Proof(1, Map.of(0, 10L), Map.of(0, 20L));
  private long judgedFromMillis;

  @Test
  void findsNothingWhereReceiptsAndRowsAgree() {
    receipt(atStart, 0, 1, 2);
    receipt(now, 0, 1, 2);
    row(0).row(1).row(2);
    PartitionJudgement judgement = judge();
    assertThat(judgement.disagreements()).isEmpty();
    assertThat(judgement.isComplete()).isTrue();
    assertThat(piece()).isEqualTo(new Piece(HOUR, 3, 3, 0, 0, Map.of(UsageType.VOICE, 180_000L)));
  }

  @Test
  void findsAReceiptWithoutItsRow() {
    receipt(atStart, 0, 1, 2);
    receipt(now, 0, 1, 2);
    row(0).row(2);
    assertThat(seqs(DifferenceKind.MISSING_ROW)).isEqualTo(RoaringBitmap.bitmapOf(1));
    assertThat(piece().explained()).isEqualTo(2);
  }

  @Test
  void leavesReceiptsThatCameDuringTheReadingToTheNextOne() {
    receipt(atStart, 0);
    receipt(now, 0, 1);
    row(0);
    PartitionJudgement judgement = judge();
    assertThat(judgement.disagreements()).isEmpty();
    assertThat(judgement.isComplete()).isFalse();
  }

  @Test
  void takesARowForRightWhoseReceiptCameAfterIt() {
    receipt(now, 0);
    row(0);
    assertThat(judge().disagreements()).isEmpty();
    assertThat(judge().isComplete()).isTrue();
  }

  @Test
  void waitsForTheReceiptOfARowThatTheRatingJobHasNotCommitted() {
    row(11);
    PartitionJudgement judgement = judge();
    assertThat(judgement.disagreements()).isEmpty();
    assertThat(judgement.isComplete()).isFalse();
  }

  @Test
  void findsARowWithoutAReceiptOnceTheRatingJobIsPastIt() {
    row(9);
    assertThat(seqs(DifferenceKind.SURPLUS_ROW)).isEqualTo(RoaringBitmap.bitmapOf(9));
  }

  @Test
  void findsARowOfARecordThatTheTopicDoesNotHave() {
    row(20);
    assertThat(seqs(DifferenceKind.SURPLUS_ROW)).isEqualTo(RoaringBitmap.bitmapOf(20));
  }

  @Test
  void asksForNoReceiptThatIsNoLongerKept() {
    judgedFromMillis = START + 1;
    row(9);
    assertThat(judge().disagreements()).isEmpty();
    assertThat(judge().isComplete()).isTrue();
  }

  @Test
  void findsAChangedAmount() {
    receipt(atStart, 0);
    receipt(now, 0);
    Cdr cdr = cdr("e0", 60_000);
    rows.add(charge(cdr, ContentFingerprint.of(cdr), 0, 0, priced(new BigDecimal("0.61"))));
    assertThat(seqs(DifferenceKind.CHANGED_AMOUNT)).isEqualTo(RoaringBitmap.bitmapOf(0));
    assertThat(disagreement(DifferenceKind.CHANGED_AMOUNT).expected()).isEqualTo("0.60 EUR");
  }

  @Test
  void findsAChangedCurrency() {
    receipt(atStart, 0);
    receipt(now, 0);
    Cdr cdr = cdr("e0", 60_000);
    Rating.Priced right = priced(new BigDecimal("0.60"));
    rows.add(
        charge(
            cdr,
            ContentFingerprint.of(cdr),
            0,
            0,
            new Rating.Priced(
                "p", 1, "", "", 60_000, List.of(), right.amount(), right.amount(), "USD")));
    assertThat(judge().disagreements()).hasSize(1);
  }

  @Test
  void findsChangedUsage() {
    receipt(atStart, 0);
    receipt(now, 0);
    long fingerprint = ContentFingerprint.of(cdr("e0", 60_000));
    rows.add(charge(cdr("e0", 61_000), fingerprint, 0, 0, priced(new BigDecimal("0.60"))));
    assertThat(seqs(DifferenceKind.CHANGED_CONTENT)).isEqualTo(RoaringBitmap.bitmapOf(0));
  }

  @Test
  void findsOneRecordChargedToTwoAccounts() {
    receipt(atStart, 0);
    receipt(now, 0);
    row(0);
    Cdr other = cdr("other", 60_000);
    rows.add(charge(other, ContentFingerprint.of(other), 0, 0, priced(new BigDecimal("0.60"))));
    assertThat(seqs(DifferenceKind.DOUBLE_CHARGE)).isEqualTo(RoaringBitmap.bitmapOf(0));
  }

  @Test
  void explainsASurplusRowThatWasVoided() {
    row(9);
    rows.add(voided(rows.get(0)));
    assertThat(judge().disagreements()).isEmpty();
    assertThat(read().sums().get("pbx").owed.get("EUR").amount()).isEqualByComparingTo("0");
  }

  @Test
  void explainsTheSecondRowOfARecordOnceItWasVoided() {
    receipt(atStart, 0);
    receipt(now, 0);
    row(0);
    Cdr other = cdr("other", 60_000);
    rows.add(charge(other, ContentFingerprint.of(other), 0, 0, priced(new BigDecimal("0.60"))));
    rows.add(voided(rows.get(1)));
    assertThat(judge().disagreements()).isEmpty();
    assertThat(piece().usage()).isEqualTo(Map.of(UsageType.VOICE, 60_000L));
  }

  private static Charge voided(Charge charge) {
    return charge(
        charge.cdr(),
        charge.fingerprint(),
        (int) charge.origin().batchSeq(),
        1,
        priced(new BigDecimal("0.00")));
  }

  @Test
  void countsTheNewestRevisionAndItsOwnAmount() {
    receipt(atStart, 0);
    receipt(now, 0);
    row(0);
    Charge corrected =
        charge(rows.get(0).cdr(), rows.get(0).fingerprint(), 0, 4, priced(new BigDecimal("0.10")));
    rows.add(corrected);
    PartitionReading reading = read();
    assertThat(PartitionJudgement.of(reading, now, proof).disagreements()).isEmpty();
    PartitionStatus.Sums sums = reading.sums().get("pbx");
    assertThat(sums).isNotNull();
    assertThat(sums.rows).isEqualTo(1);
    assertThat(sums.correction).isEqualTo(4);
    assertThat(sums.owed.get("EUR").amount()).isEqualByComparingTo("0.10");
  }

  @ParameterizedTest
  @CsvSource({"4, 0.11", "3, 0.10"})
  void findsARevisionThatTheHistoryDoesNotHave(long number, String amount) {
    receipt(atStart, 0);
    receipt(now, 0);
    row(0);
    Charge base = rows.get(0);
    rows.add(charge(base.cdr(), base.fingerprint(), 0, number, priced(new BigDecimal(amount))));
    assertThat(seqs(DifferenceKind.CHANGED_AMOUNT)).isEqualTo(RoaringBitmap.bitmapOf(0));
  }

  @Test
  void findsARowThatIsNotWhatItWas() {
    rightBefore(0, 1);
    rows.clear();
    row(0);
    Cdr other = cdr("e1", 59_999);
    rows.add(charge(other, ContentFingerprint.of(other), 1, 0, priced(new BigDecimal("0.59"))));
    Disagreement changed = disagreement(DifferenceKind.SETTLED_CHANGED);
    assertThat(changed.seqs()).isEqualTo(RoaringBitmap.bitmapOf(1));
    assertThat(changed.found()).contains("0.59 EUR", "event e1");
  }

  @Test
  void leavesARowThatIsWrongByItselfToThatDifference() {
    rightBefore(0);
    rows.clear();
    Cdr cdr = cdr("e0", 60_000);
    rows.add(charge(cdr, ContentFingerprint.of(cdr), 0, 0, priced(new BigDecimal("0.61"))));
    assertThat(seqs(DifferenceKind.CHANGED_AMOUNT)).isEqualTo(RoaringBitmap.bitmapOf(0));
  }

  @Test
  void asksForNothingOfARowThatARevisionOverrules() {
    rightBefore(0);
    rows.clear();
    Cdr other = cdr("e0", 59_999);
    rows.add(charge(other, ContentFingerprint.of(other), 0, 0, priced(new BigDecimal("0.59"))));
    rows.add(voided(rows.get(0)));
    assertThat(judge().disagreements()).isEmpty();
  }

  /** Receipts and rows agree, and this is known at the start. */
  private void rightBefore(int... seqs) {
    receipt(atStart, seqs);
    receipt(now, seqs);
    for (int seq : seqs) {
      row(seq);
    }
    PartitionReading reading = read();
    atStart
        .get("pbx\nb1")
        .takeChecks(reading.rows().get("pbx\nb1").checks, new RoaringBitmap(), new RoaringBitmap());
  }

  @Test
  void explainsRepeatsAndWriteOffs() {
    receipt(atStart, 0, 1, 2);
    receipt(now, 0, 1, 2);
    row(0);
    judge();
    PartitionBatch batch = now.get("pbx\nb1");
    batch.repeated(1, UsageType.VOICE, 60_000);
    batch.writeOff(RoaringBitmap.bitmapOf(2));
    assertThat(batch.missing().isEmpty()).isTrue();
    PartitionBatch stored = PartitionBatch.decode(batch.encode());
    assertThat(stored.encode()).isEqualTo(batch.encode());
    assertThat(stored.piece(HOUR, 3))
        .isEqualTo(new Piece(HOUR, 3, 3, 1, 1, Map.of(UsageType.VOICE, 120_000L)));
    assertThat(Piece.decode(stored.piece(HOUR, 3).encode())).isEqualTo(stored.piece(HOUR, 3));
  }

  @Test
  void sumsDoNotDependOnTheOrderOfAccounts() {
    row(0).row(1).row(2);
    long digest = read().sums().get("pbx").digest;
    java.util.Collections.reverse(rows);
    assertThat(read().sums().get("pbx").digest).isEqualTo(digest);
    rows.remove(0);
    assertThat(read().sums().get("pbx").digest).isNotEqualTo(digest);
  }

  private PartitionJudgementTest row(int seq) {
    Cdr cdr = cdr("e" + seq, 60_000);
    rows.add(charge(cdr, ContentFingerprint.of(cdr), seq, 0, priced(new BigDecimal("0.60"))));
    return this;
  }

  private static void receipt(Map<String, PartitionBatch> batches, int... seqs) {
    batches
        .computeIfAbsent("pbx\nb1", key -> PartitionBatch.unknown("pbx", "b1"))
        .unite(
            new PartitionFact(
                HOUR,
                3,
                "pbx",
                "b1",
                Bytes.of(RoaringBitmap.bitmapOf(seqs)),
                new int[] {0},
                new long[] {0},
                new long[] {9},
                "",
                ""));
  }

  private PartitionReading read() {
    PartitionReading reading =
        new PartitionReading(atStart, judgedFromMillis, RATER, IdentityPrefixes.NONE);
    rows.forEach(reading::add);
    reading.end();
    return reading;
  }

  private PartitionJudgement judge() {
    return PartitionJudgement.of(read(), now, proof);
  }

  private Piece piece() {
    return now.get("pbx\nb1").piece(HOUR, 3);
  }

  private Disagreement disagreement(DifferenceKind kind) {
    Map<Subject, Disagreement> found = judge().disagreements();
    assertThat(found).containsOnlyKeys(new Subject(kind, "pbx", "b1"));
    return found.values().iterator().next();
  }

  private RoaringBitmap seqs(DifferenceKind kind) {
    return disagreement(kind).seqs();
  }

  private static Cdr cdr(String eventId, long usage) {
    return new Cdr(
        eventId, "acme", UsageType.VOICE, "+491", "+492", START, 0, usage, "", Map.of(), "", "");
  }

  private static Charge charge(
      Cdr cdr, long fingerprint, int seq, long revision, Rating.Priced rating) {
    Origin origin = new Origin("pbx", "b1", seq, 0, seq, START);
    return new Charge(cdr, fingerprint, origin, false, rating, revision);
  }

  private static Rating.Priced priced(BigDecimal amount) {
    return new Rating.Priced("p", 1, "", "", 60_000, List.of(), amount, amount, "EUR");
  }
}
