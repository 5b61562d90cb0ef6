package io.tollgate.reconcile.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.reconcile.compare.BatchJudgement.End;
import io.tollgate.reconcile.compare.BatchJudgement.Facts;
import io.tollgate.reconcile.compare.Suspicions.Disagreement;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import io.tollgate.reconcile.message.Evidence;
import io.tollgate.reconcile.message.Piece;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Receipt.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** The rows of the table in {@link BatchJudgement}; each clean case beside its broken one. */
class BatchJudgementTest {
  private static final long HERE = 7;
  private static final long THERE = 8;

  private @Nullable ControlTotal total = total(4, 400);
  private End end = End.PASSED;
  private String contradiction = "";
  private final Map<Long, RoaringBitmap> rated = new HashMap<>();
  private final Map<Long, Piece> pieces = new HashMap<>();
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Evidence> evidence = new HashMap<>();
  private final Set<DifferenceKind> writtenOff = new HashSet<>();
  private long passedOffset = 100;

  @Test
  void balancesABatchOfAllOutcomes() {
    rate(HERE, 100, 0, 1);
    entry(2, Outcome.DUPLICATE, Reason.SAME_CONTENT, 100);
    entry(3, Outcome.SUSPENDED, Reason.NO_PLAN, 100);
    prove(2, true);
    prove(3, true);
    BatchJudgement judgement = judge();
    assertThat(judgement.disagreements()).isEmpty();
    assertThat(judgement.waitingFor()).isEmpty();
    assertThat(judgement.outcomes())
        .isEqualTo(Map.of(Outcome.RATED, 2L, Outcome.DUPLICATE, 1L, Outcome.SUSPENDED, 1L));
  }

  @Test
  void takesUsageOfUnreadableRecordsFromTheRecordsThemselves() {
    rate(HERE, 100, 0, 1, 2);
    entries.add(new Entry(3, 0, 3, Outcome.REJECTED, Reason.INVALID, false, "", "", 0, null, 0, 0));
    evidence.put("0@3", new Evidence(0, 3, true, Map.of(UsageType.VOICE, 100L)));
    assertThat(judge().disagreements()).isEmpty();
    evidence.put("0@3", new Evidence(0, 3, true, Map.of()));
    assertThat(kinds()).containsExactly(DifferenceKind.USAGE_MISMATCH);
  }

  @Test
  void missesRecordsOnlyOnceTheRatingJobIsPastThem() {
    rate(HERE, 100, 0, 1, 3);
    end = End.AHEAD;
    assertThat(judge().disagreements()).isEmpty();
    assertThat(judge().waitingFor()).isEqualTo("the rating job to read past the batch");
    assertThat(judge().waitsForProgress()).isTrue();
    end = End.PASSED;
    assertThat(disagreement(DifferenceKind.MISSING_OUTCOME).seqs())
        .isEqualTo(RoaringBitmap.bitmapOf(2));
  }

  @Test
  void findsRecordsBeyondTheControlTotal() {
    rate(HERE, 100, 0, 1, 2, 3, 4);
    assertThat(disagreement(DifferenceKind.SURPLUS_OUTCOME).seqs())
        .isEqualTo(RoaringBitmap.bitmapOf(4));
  }

  @Test
  void takesAnyWellFormedTotalAtItsWord() {
    total = total(1_000_000, 400);
    rate(HERE, 100, 0, 1, 2, 3);
    assertThat(disagreement(DifferenceKind.MISSING_OUTCOME).seqs().getCardinality())
        .isEqualTo(999_996);
    total = total(Long.MAX_VALUE, 400);
    assertThat(kinds()).containsExactly(DifferenceKind.MISSING_OUTCOME);
  }

  @Test
  void findsTotalsThatContradictEachOther() {
    rate(HERE, 100, 0, 1, 2, 3);
    contradiction = "5 records, usage {VOICE=400}";
    assertThat(kinds()).containsExactly(DifferenceKind.CONTRADICTING_TOTALS);
  }

  @Test
  void findsARecordThatWasChargedInTwoPartitions() {
    rate(HERE, 100, 0, 1, 2, 3);
    rate(THERE, 100, 3);
    assertThat(disagreement(DifferenceKind.DOUBLE_CHARGE).seqs())
        .isEqualTo(RoaringBitmap.bitmapOf(3));
  }

  @Test
  void waitsForRowsToBeReadBack() {
    rate(HERE, 100, 0, 1, 2, 3);
    pieces.clear();
    assertThat(judge().disagreements()).isEmpty();
    assertThat(judge().waitingFor()).isEqualTo("rows to be read back");
    assertThat(judge().waitsForProgress()).as("somebody tells when they were").isFalse();
  }

  @Test
  void findsUsageThatDoesNotAddUp() {
    rate(HERE, 100, 0, 1, 2, 3);
    pieces.put(HERE, new Piece(HERE, 0, 4, 0, 0, Map.of(UsageType.VOICE, 401L)));
    assertThat(kinds()).containsExactly(DifferenceKind.USAGE_MISMATCH);
  }

  @Test
  void doesNotAskForUsageOfWhatWasWrittenOff() {
    rate(HERE, 100, 0, 1, 2, 3);
    pieces.put(HERE, new Piece(HERE, 0, 4, 0, 1, Map.of(UsageType.VOICE, 300L)));
    assertThat(judge().disagreements()).isEmpty();
    assertThat(judge().waitingFor()).isEmpty();
  }

  @Test
  void balancesWhenWhatIsMissingIsWrittenOff() {
    rate(HERE, 100, 0, 1, 3);
    writtenOff.add(DifferenceKind.MISSING_OUTCOME);
    assertThat(judge().disagreements()).isEmpty();
  }

  @Test
  void countsRepeatsAsDuplicates() {
    rate(HERE, 100, 0, 1, 2, 3);
    pieces.put(HERE, new Piece(HERE, 0, 4, 1, 0, Map.of(UsageType.VOICE, 400L)));
    assertThat(judge().outcomes()).isEqualTo(Map.of(Outcome.RATED, 3L, Outcome.DUPLICATE, 1L));
  }

  @Test
  void findsADuplicateWithoutARow() {
    rate(HERE, 100, 0, 1, 2);
    entry(3, Outcome.DUPLICATE, Reason.SAME_CONTENT, 100);
    assertThat(judge().disagreements()).as("not looked up yet").isEmpty();
    assertThat(judge().waitingFor()).isEqualTo("rows of duplicates to be looked up");
    prove(3, false);
    assertThat(kinds()).containsExactly(DifferenceKind.DUPLICATE_WITHOUT_ROW);
  }

  @Test
  void findsASuspendedRecordThatIsNotOnItsTopic() {
    rate(HERE, 100, 0, 1, 2);
    entry(3, Outcome.SUSPENDED, Reason.NO_PLAN, 100);
    passedOffset = 3;
    assertThat(judge().disagreements()).as("may still be on its way").isEmpty();
    assertThat(judge().waitsForProgress()).isTrue();
    passedOffset = 4;
    assertThat(kinds()).containsExactly(DifferenceKind.MISSING_EVIDENCE);
  }

  @Test
  void takesRatedForTheStrongestOutcome() {
    rate(HERE, 100, 0, 1, 2, 3);
    entry(3, Outcome.SUSPENDED, Reason.NO_PLAN, 100);
    assertThat(judge().disagreements()).isEmpty();
    assertThat(judge().outcomes()).isEqualTo(Map.of(Outcome.RATED, 4L));
  }

  @Test
  void judgesRecordsWithoutATotalByThemselves() {
    total = null;
    rate(HERE, 100, 0, 1, 2, 3);
    entry(9, Outcome.DUPLICATE, Reason.SAME_CONTENT, 100);
    prove(9, false);
    assertThat(kinds()).containsExactly(DifferenceKind.DUPLICATE_WITHOUT_ROW);
  }

  private void rate(long partition, long usage, int... seqs) {
    rated.put(partition, RoaringBitmap.bitmapOf(seqs));
    pieces.put(
        partition,
        new Piece(partition, 0, seqs.length, 0, 0, Map.of(UsageType.VOICE, usage * seqs.length)));
  }

  private void entry(long seq, Outcome outcome, Reason reason, long usage) {
    entries.add(
        new Entry(
            seq, 0, seq, outcome, reason, false, "a", "e" + seq, 1, UsageType.VOICE, 0, usage));
  }

  private void prove(long seq, boolean found) {
    evidence.put("0@" + seq, new Evidence(0, seq, found, Map.of()));
  }

  private BatchJudgement judge() {
    return BatchJudgement.of(
        "pbx",
        "b1",
        new Facts(
            total,
            end,
            contradiction,
            rated,
            pieces,
            entries,
            evidence::get,
            (partition, offset) -> offset < passedOffset,
            this::takeAway));
  }

  private Set<Subject> takeAway(Map<Subject, Disagreement> disagreements) {
    Set<Subject> taken = new HashSet<>(disagreements.keySet());
    taken.removeIf(subject -> !writtenOff.contains(subject.kind()));
    disagreements.keySet().removeAll(taken);
    return taken;
  }

  private Set<DifferenceKind> kinds() {
    Set<DifferenceKind> kinds = new HashSet<>();
    judge().disagreements().keySet().forEach(subject -> kinds.add(subject.kind()));
    return kinds;
  }

  private Disagreement disagreement(DifferenceKind kind) {
    Disagreement found = judge().disagreements().get(new Subject(kind, "pbx", "b1"));
    assertThat(found).as(kind + " in " + judge().disagreements()).isNotNull();
    return found;
  }

  private static ControlTotal total(long records, long usage) {
    return new ControlTotal(
        "pbx", "b1", "file", records, 0, Map.of(UsageType.VOICE, usage), Map.of(0, 99L));
  }
}
