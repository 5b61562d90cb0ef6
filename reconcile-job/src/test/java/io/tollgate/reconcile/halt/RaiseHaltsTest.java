package io.tollgate.reconcile.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import io.tollgate.reconcile.compare.SourceRules;
import io.tollgate.reconcile.message.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of {@link RaiseHalts} and {@link HaltPolicy}. */
class RaiseHaltsTest {
  private static final SourceRules SOURCES =
      new SourceRules(
          Map.of("quiet", new SourceRules.Rules("", Duration.ofHours(1), false, null, null)),
          new SourceRules.Rules("", Duration.ofHours(1), true, null, null));

  /** What the desk holds, by id; static, because functions travel as bytes. */
  private static final Map<String, HaltDesk.Recorded> RECORDED = new HashMap<>();

  private static final List<String> RAISED = new ArrayList<>();

  @BeforeEach
  void clear() {
    RECORDED.clear();
    RAISED.clear();
  }

  static Stream<Arguments> found() {
    return Stream.of(
        Arguments.of(Status.CONFIRMED, null, false, Status.CONFIRMED, true),
        Arguments.of(Status.CONFIRMED, null, true, Status.CONFIRMED, false),
        Arguments.of(Status.CONFIRMED, Resolution.WRITE_OFF, true, Status.WRITTEN_OFF, false),
        Arguments.of(Status.CONFIRMED, Resolution.REPAIR, true, Status.RESOLVING, false),
        Arguments.of(Status.CONFIRMED, Resolution.VOID, true, Status.RESOLVING, false),
        Arguments.of(Status.GONE, Resolution.WRITE_OFF, true, Status.WRITTEN_OFF, false),
        Arguments.of(Status.GONE, Resolution.REPAIR, true, Status.GONE, false),
        Arguments.of(Status.GONE, null, false, Status.GONE, false));
  }

  @ParameterizedTest(name = "{0}, recorded {2} as {1}: {3}, raised {4}")
  @MethodSource("found")
  void saysWhatBecameOfADifference(
      Status status,
      @Nullable Resolution resolution,
      boolean isRecorded,
      Status expected,
      boolean isRaised)
      throws Exception {
    Difference difference = difference(DifferenceKind.MISSING_ROW, "pbx");
    if (isRecorded) {
      RECORDED.put(
          difference.id(),
          new HaltDesk.Recorded(resolution == null, Optional.ofNullable(resolution)));
    }
    Found told = tell(true, difference, status);
    assertThat(told.status()).isEqualTo(expected);
    assertThat(RAISED).isEqualTo(isRaised ? List.of(difference.id()) : List.of());
  }

  static Stream<Arguments> policies() {
    return Stream.of(
        Arguments.of(DifferenceKind.MISSING_ROW, "pbx", true, true),
        Arguments.of(DifferenceKind.MISSING_ROW, "pbx", false, false),
        Arguments.of(DifferenceKind.MISSING_ROW, "quiet", true, true),
        Arguments.of(DifferenceKind.OVERDUE_TOTAL, "pbx", true, true),
        Arguments.of(DifferenceKind.OVERDUE_TOTAL, "quiet", true, false),
        Arguments.of(DifferenceKind.MISSING_FILE, "quiet", true, false),
        Arguments.of(DifferenceKind.SILENT_SOURCE, "quiet", true, false),
        Arguments.of(DifferenceKind.SILENT_SOURCE, "pbx", false, false),
        Arguments.of(DifferenceKind.UNREADABLE_CONTROL, "", true, false));
  }

  @ParameterizedTest(name = "{0} of {1}, on_mismatch halt {2}: halts {3}")
  @MethodSource("policies")
  void haltsForWhatThePolicySays(
      DifferenceKind kind, String source, boolean haltsOnMismatch, boolean halts) throws Exception {
    Found told = tell(haltsOnMismatch, difference(kind, source), Status.CONFIRMED);
    assertThat(told.status()).isEqualTo(Status.CONFIRMED);
    assertThat(RAISED).hasSize(halts ? 1 : 0);
    assertThat(told.haltId()).isEqualTo(halts ? told.difference().id() : "");
  }

  @Test
  void letsEverythingElsePass() throws Exception {
    ReconcileResult cycle = new ReconcileResult.Cycle(1, 2, 3, 4, 5, 6, 7);
    assertThat(pass(true, cycle)).isEqualTo(cycle);
  }

  private static Found tell(boolean haltsOnMismatch, Difference difference, Status status)
      throws Exception {
    return (Found) pass(haltsOnMismatch, new Found(difference, status, "", "", 1));
  }

  private static ReconcileResult pass(boolean haltsOnMismatch, ReconcileResult result)
      throws Exception {
    OneInputStreamOperatorTestHarness<Finding, Finding> harness =
        new OneInputStreamOperatorTestHarness<>(
            new ProcessOperator<>(
                new RaiseHalts(new HaltPolicy(haltsOnMismatch, SOURCES), Desk::new)));
    harness.open();
    harness.processElement(new StreamRecord<>(Finding.of(result)));
    ReconcileResult passed = harness.extractOutputValues().get(0).result();
    harness.close();
    return passed;
  }

  private static Difference difference(DifferenceKind kind, String source) {
    return new Difference(kind, source, "b", 1, 2, "3", 1, "x", "y");
  }

  private static final class Desk implements HaltDesk {
    @Override
    public void raise(Difference difference, String example) {
      RAISED.add(difference.id());
    }

    @Override
    public Optional<Recorded> find(Difference difference) {
      return Optional.ofNullable(RECORDED.get(difference.id()));
    }

    @Override
    public List<String> writtenOff(String idPrefix) {
      return List.of();
    }

    @Override
    public List<RecordedHalt> all() {
      throw new UnsupportedOperationException("not here");
    }

    @Override
    public List<RecordedHalt> open() {
      throw new UnsupportedOperationException("not here");
    }

    @Override
    public Optional<RecordedHalt> halt(String id) {
      throw new UnsupportedOperationException("not here");
    }

    @Override
    public boolean isHalted() {
      return !RAISED.isEmpty();
    }

    @Override
    public void beat() {
      throw new UnsupportedOperationException("not here");
    }

    @Override
    public void close() {}
  }
}
