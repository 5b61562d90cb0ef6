package io.tollgate.reconcile.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.reconcile.compare.Suspicions.Disagreement;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class SuspicionsTest {
  private static final Subject ROWS = new Subject(DifferenceKind.MISSING_ROW, "pbx", "b1");
  private static final Subject USAGE = new Subject(DifferenceKind.USAGE_MISMATCH, "pbx", "b1");

  private final Suspicions suspicions = Suspicions.none(496_000, 3);
  private long nowMillis;

  @Test
  void tellsNothingAtTheFirstLook() {
    assertThat(look(ROWS, 5, 6)).isEmpty();
    assertThat(suspicions.isEmpty()).isFalse();
    assertThat(suspicions.suspected(ROWS)).isEqualTo(RoaringBitmap.bitmapOf(5, 6));
    assertThat(suspicions.concerns("pbx")).isTrue();
    assertThat(suspicions.concerns("other")).isFalse();
  }

  @Test
  void forgetsWhatTheSecondLookDoesNotFindAgain() {
    look(ROWS, 5);
    assertThat(suspicions.look(Map.of(), ++nowMillis)).isEmpty();
    assertThat(suspicions.isEmpty()).isTrue();
  }

  @Test
  void tellsWhatTheSecondLookFindsAgain() {
    look(ROWS, 5, 6);
    List<Found> told = look(ROWS, 6, 7);
    assertThat(told).extracting(Found::status).containsExactly(Status.CONFIRMED);
    Difference difference = told.get(0).difference();
    assertThat(difference.items()).isEqualTo("6");
    assertThat(difference.count()).isEqualTo(1);
    assertThat(difference.usageHour()).isEqualTo(496_000);
    assertThat(difference.bucket()).isEqualTo(3);
    assertThat(suspicions.suspected(ROWS)).isEqualTo(RoaringBitmap.bitmapOf(7));
  }

  @Test
  void keepsADifferenceAsItWasToldWhenMoreOfItsKindIsFound() {
    look(ROWS, 5);
    String first = look(ROWS, 5, 9).get(0).difference().id();
    List<Found> next = look(ROWS, 5, 9);
    assertThat(next)
        .extracting(found -> found.difference().items())
        .containsExactlyInAnyOrder("5", "9");
    assertThat(next.stream().map(found -> found.difference().id())).contains(first);
  }

  @Test
  void saysThatADifferenceIsGoneOnceAllOfItsRecordsAgree() {
    look(ROWS, 5, 6);
    look(ROWS, 5, 6);
    assertThat(look(ROWS, 6)).extracting(Found::status).containsExactly(Status.CONFIRMED);
    assertThat(suspicions.look(Map.of(), ++nowMillis))
        .extracting(Found::status)
        .containsExactly(Status.GONE);
    assertThat(suspicions.isEmpty()).isTrue();
  }

  @Test
  void tellsAnewWhatIsNotAboutRecordsWhenItChanges() {
    lookAtUsage("10");
    assertThat(lookAtUsage("10")).extracting(Found::status).containsExactly(Status.CONFIRMED);
    List<Found> changed = lookAtUsage("11");
    assertThat(changed).extracting(Found::status).containsExactly(Status.GONE);
    assertThat(lookAtUsage("11")).extracting(Found::status).containsExactly(Status.CONFIRMED);
  }

  @Test
  void makesSeveralDifferencesOfAScatteredSet() {
    int[] seqs = new int[2 * Suspicions.MAX_RANGES + 1];
    for (int i = 0; i < seqs.length; i++) {
      seqs[i] = 2 * i;
    }
    look(ROWS, seqs);
    List<Found> told = look(ROWS, seqs);
    assertThat(told).hasSize(3);
    assertThat(told.stream().mapToLong(found -> found.difference().count()).sum())
        .isEqualTo(seqs.length);
    assertThat(told.stream().map(found -> found.difference().id()).distinct()).hasSize(3);
    assertThat(told).allMatch(found -> found.difference().items().length() <= 40_000);
  }

  @Test
  void saysThatOnePartOfAScatteredSetIsGone() {
    int[] seqs = new int[Suspicions.MAX_RANGES + 1];
    for (int i = 0; i < seqs.length; i++) {
      seqs[i] = 2 * i;
    }
    look(ROWS, seqs);
    look(ROWS, seqs);
    assertThat(look(ROWS, seqs[seqs.length - 1]))
        .extracting(Found::status)
        .containsExactlyInAnyOrder(Status.GONE, Status.CONFIRMED);
  }

  @Test
  void givesTheSameIdToTheSameDisagreementWhoeverFindsIt() {
    look(ROWS, 5);
    String id = look(ROWS, 5).get(0).difference().id();
    Suspicions other = Suspicions.none(496_000, 3);
    other.look(Map.of(ROWS, about(5)), 1);
    assertThat(other.look(Map.of(ROWS, about(5)), 2).get(0).difference().id()).isEqualTo(id);
    Suspicions elsewhere = Suspicions.none(496_000, 4);
    elsewhere.look(Map.of(ROWS, about(5)), 1);
    assertThat(elsewhere.look(Map.of(ROWS, about(5)), 2).get(0).difference().id()).isNotEqualTo(id);
  }

  @Test
  void goesOnFromWhatWasStored() {
    look(ROWS, 5, 6);
    look(ROWS, 6, 7);
    lookAtUsageBeside("10");
    Suspicions restored = Suspicions.decode(suspicions.encode());
    assertThat(restored.encode()).isEqualTo(suspicions.encode());
    assertThat(restored.suspected(ROWS)).isEqualTo(suspicions.suspected(ROWS));
    assertThat(restored.look(Map.of(), 99))
        .extracting(Found::status)
        .containsOnly(Status.GONE)
        .hasSize(suspicions.look(Map.of(), 99).size());
  }

  private List<Found> look(Subject subject, int... seqs) {
    return suspicions.look(Map.of(subject, about(seqs)), ++nowMillis);
  }

  private List<Found> lookAtUsage(String items) {
    return suspicions.look(Map.of(USAGE, Disagreement.aboutAll(items, "1", items)), ++nowMillis);
  }

  private void lookAtUsageBeside(String items) {
    suspicions.look(
        Map.of(USAGE, Disagreement.aboutAll(items, "1", items), ROWS, about(6, 7)), ++nowMillis);
  }

  private static Disagreement about(int... seqs) {
    return Disagreement.about(RoaringBitmap.bitmapOf(seqs), "rows", "none", "batch-seq " + seqs[0]);
  }
}
