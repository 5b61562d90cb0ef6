package io.tollgate.rerate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.ledger.Charge;
import java.util.List;
import org.junit.jupiter.api.Test;

class RevisingTest {
  private final History history = History.ofTwoCorrections();
  private final Charge charge = history.charge("acme", "e1", "+49301", 1);
  private final Charge first = history.revision(charge, 1);
  private final Charge second = history.revision(charge, 2);

  @Test
  void givesEachRevisionThatIsNotThere() {
    assertThat(missing(0, 2, charge)).containsExactly("1: 2.00", "2: 3.00");
    assertThat(missing(0, 2, charge, first)).containsExactly("2: 3.00");
    assertThat(missing(0, 2, charge, second)).containsExactly("1: 2.00");
    assertThat(missing(0, 2, charge, first, second)).isEmpty();
  }

  @Test
  void leavesLaterCorrectionsToTheirOwnRuns() {
    assertThat(missing(0, 1, charge)).containsExactly("1: 2.00");
    assertThat(changes(0, 1, charge)).containsExactly("1.00 to 2.00");
  }

  @Test
  void saysTheSameOfTheMoneyWhateverIsThereAlready() {
    assertThat(changes(0, 2, charge)).containsExactly("1.00 to 3.00");
    assertThat(changes(0, 2, charge, first)).containsExactly("1.00 to 3.00");
    assertThat(changes(0, 2, charge, first, second)).containsExactly("1.00 to 3.00");
    assertThat(changes(1, 2, charge)).containsExactly("2.00 to 3.00");
  }

  @Test
  void changesNothingOfWhatNoCorrectionConcerns() {
    Charge other = history.charge("acme", "e2", "+44201", 1);
    assertThat(missing(0, 2, other)).isEmpty();
    assertThat(changes(0, 2, other)).isEmpty();
  }

  @Test
  void aVoidedChargeCountsForNothing() {
    history.voidCharge(charge);
    assertThat(missing(2, 3, charge, first, second)).containsExactly("3: 0.00");
    assertThat(changes(2, 3, charge, first, second)).containsExactly("3.00 to 0.00");
  }

  /** What a person repaired is right, and the row that was changed is not. */
  @Test
  void ratesWhatTheNewestRowKeeps() {
    Charge changed = history.charge("acme", "e1", "+49301", 7);
    assertThat(missing(0, 2, changed, first)).containsExactly("2: 3.00");
  }

  private List<String> missing(long from, long to, Charge... rows) {
    return Revising.of(List.of(rows), history.rater(), from, to).missing().stream()
        .map(row -> row.revision() + ": " + row.rating().amount().toPlainString())
        .toList();
  }

  private List<String> changes(long from, long to, Charge... rows) {
    return Revising.of(List.of(rows), history.rater(), from, to).changes().stream()
        .map(change -> change.before().toPlainString() + " to " + change.after().toPlainString())
        .toList();
  }
}
