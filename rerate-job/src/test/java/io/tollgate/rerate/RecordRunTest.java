package io.tollgate.rerate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.settlement.Rerates;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // Flink's harness lets close() throw anything
class RecordRunTest {
  private final Journal journal = new Journal();

  @Test
  void recordsTotalsAndThenThatItIsThrough() throws Exception {
    try (TwoInputStreamOperatorTestHarness<Change, UnitDone, Void> harness = harness()) {
      harness.open();
      unit(harness, 5, 1);
      unit(harness, 7, 2);
      change(harness, "acme", "1");
      harness.endInput1();
      assertThat(journal.lines).isEmpty();
      harness.endInput2();
    }
    assertThat(journal.lines)
        .containsExactly("total acme 0 to 1", "finished 2 units, 12 charges, 3 missing", "closed");
  }

  @Test
  void aUnitThatIsDoneAgainAfterARestartCountsOnce() throws Exception {
    OperatorSubtaskState state;
    try (TwoInputStreamOperatorTestHarness<Change, UnitDone, Void> harness = harness()) {
      harness.open();
      unit(harness, 5, 1);
      state = harness.snapshot(1, 1);
      unit(harness, 7, 2);
    }
    try (TwoInputStreamOperatorTestHarness<Change, UnitDone, Void> harness = harness()) {
      harness.initializeState(state);
      harness.open();
      unit(harness, 7, 2);
      harness.endInput1();
      harness.endInput2();
    }
    assertThat(journal.lines)
        .containsExactly(
            "progress 1 units, 5 charges, 1 missing",
            "closed",
            "finished 2 units, 12 charges, 3 missing",
            "closed");
  }

  @Test
  void totalsAreRecordedBeforeACheckpointForgetsThem() throws Exception {
    try (TwoInputStreamOperatorTestHarness<Change, UnitDone, Void> harness = harness()) {
      harness.open();
      change(harness, "acme", "1");
      harness.snapshot(1, 1);
    }
    assertThat(journal.lines.get(0)).isEqualTo("total acme 0 to 1");
  }

  @Test
  void isNotThroughWhenAUnitIsMissing() throws Exception {
    try (TwoInputStreamOperatorTestHarness<Change, UnitDone, Void> harness = harness()) {
      harness.open();
      unit(harness, 5, 1);
      harness.endInput1();
      assertThatThrownBy(harness::endInput2).hasMessage("units: 1 are done (expected: all 2)");
    }
    assertThat(journal.lines).containsExactly("closed");
  }

  private TwoInputStreamOperatorTestHarness<Change, UnitDone, Void> harness() throws Exception {
    Shared<Journal> shared = Shared.of(journal);
    return new TwoInputStreamOperatorTestHarness<>(new RecordRun("run", 2, shared::get));
  }

  private static void unit(
      TwoInputStreamOperatorTestHarness<Change, UnitDone, Void> harness, long charges, long missing)
      throws Exception {
    harness.processElement2(new StreamRecord<>(new UnitDone(charges, missing)));
  }

  private static void change(
      TwoInputStreamOperatorTestHarness<Change, UnitDone, Void> harness,
      String account,
      String after)
      throws Exception {
    harness.processElement1(
        new StreamRecord<>(
            new Change(account, "Germany", "EUR", 1, BigDecimal.ZERO, new BigDecimal(after))));
  }

  private static final class Journal implements RunStore {
    private final List<String> lines = new ArrayList<>();

    @Override
    public void totals(String run, List<Rerates.Total> totals) {
      totals.forEach(
          total ->
              lines.add(
                  "total " + total.account() + " " + total.before() + " to " + total.after()));
    }

    @Override
    public void progress(String run, Rerates.Progress progress) {
      lines.add("progress " + text(progress));
    }

    @Override
    public void finish(String run, Rerates.Progress progress) {
      lines.add("finished " + text(progress));
    }

    private static String text(Rerates.Progress progress) {
      return progress.unitsDone()
          + " units, "
          + progress.charges()
          + " charges, "
          + progress.missing()
          + " missing";
    }

    @Override
    public void close() {
      lines.add("closed");
    }
  }
}
