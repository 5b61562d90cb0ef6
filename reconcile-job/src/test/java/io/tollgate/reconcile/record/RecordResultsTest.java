package io.tollgate.reconcile.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Cycle;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.reconcile.compare.CompareSettings;
import io.tollgate.reconcile.compare.SourceRules;
import io.tollgate.reconcile.halt.HaltDesk;
import io.tollgate.reconcile.halt.HaltPolicy;
import io.tollgate.reconcile.message.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordResultsTest {
  private static final CompareSettings SETTINGS =
      new CompareSettings(
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofHours(1),
          Duration.ofHours(24),
          Duration.ofDays(80),
          Duration.ofDays(2));
  private static final HaltPolicy POLICY =
      new HaltPolicy(
          true,
          new SourceRules(
              Map.of(), new SourceRules.Rules("", Duration.ofHours(1), true, null, null)));
  private static final Difference CHANGED =
      new Difference(
          DifferenceKind.SETTLED_CHANGED, "pbx", "", 496_000, 3, "settled 1, read 2", 1, "1", "2");

  /** What store and desk hold; static, because functions travel as bytes. */
  private static final List<ReconcileResult> RECORDED = new ArrayList<>();

  private static final List<Found> FOUND_BY_SETTLEMENT = new ArrayList<>();
  private static final List<String> RAISED = new ArrayList<>();
  private static final List<Boolean> SETTLED_WHILE_HALTED = new ArrayList<>();
  private static boolean isAnswering;

  private KeyedOneInputStreamOperatorTestHarness<Byte, Finding, Void> harness;
  private long nowMillis = 60_000;

  @BeforeEach
  void open() throws Exception {
    RECORDED.clear();
    FOUND_BY_SETTLEMENT.clear();
    RAISED.clear();
    SETTLED_WHILE_HALTED.clear();
    isAnswering = true;
    harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new RecordResults(SETTINGS, POLICY, Store::new, Desk::new)),
            finding -> (byte) 0,
            Types.BYTE);
    harness.setProcessingTime(nowMillis);
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void settlesOnceACycleWhenEverythingIsRecorded() throws Exception {
    isAnswering = false;
    cycle(1);
    advance(2_000);
    assertThat(SETTLED_WHILE_HALTED).as("while results wait").isEmpty();
    isAnswering = true;
    advance(10_000);
    assertThat(RECORDED).hasSize(1);
    assertThat(SETTLED_WHILE_HALTED).containsExactly(false);
    cycle(2);
    advance(2_000);
    assertThat(RECORDED).hasSize(2);
    assertThat(SETTLED_WHILE_HALTED).as("in the same cycle").hasSize(1);
  }

  @Test
  void haltsForWhatIsNotWhatWasSettled() throws Exception {
    FOUND_BY_SETTLEMENT.add(new Found(CHANGED, Status.CONFIRMED, "", "", nowMillis));
    cycle(1);
    advance(1_000);
    assertThat(RAISED).containsExactly(CHANGED.id());
    advance(2_000);
    Found recorded = (Found) RECORDED.get(RECORDED.size() - 1);
    assertThat(recorded.status()).isEqualTo(Status.CONFIRMED);
    assertThat(recorded.haltId()).isEqualTo(CHANGED.id());
    advance(60_000);
    cycle(2);
    advance(3_000);
    assertThat(RAISED).as("once").hasSize(1);
    assertThat(SETTLED_WHILE_HALTED).containsExactly(false, true);
  }

  private void cycle(long number) throws Exception {
    harness.processElement(
        new StreamRecord<>(Finding.of(new Cycle(number, number, number + 1, 0, 0, 0, 0))));
  }

  private void advance(long millis) throws Exception {
    nowMillis += millis;
    harness.setProcessingTime(nowMillis);
  }

  private static final class Store implements ResultStore {
    @Override
    public boolean record(List<ReconcileResult> results) {
      if (isAnswering) {
        RECORDED.addAll(results);
      }
      return isAnswering;
    }

    @Override
    public Settled settle(boolean isHalted) {
      SETTLED_WHILE_HALTED.add(isHalted);
      return new Settled(0, List.copyOf(FOUND_BY_SETTLEMENT));
    }

    @Override
    public void close() {}
  }

  private static final class Desk implements HaltDesk {
    @Override
    public void raise(Difference difference, String example) {
      RAISED.add(difference.id());
    }

    @Override
    public Optional<Recorded> find(Difference difference) {
      return RAISED.contains(difference.id())
          ? Optional.of(new Recorded(true, Optional.empty()))
          : Optional.empty();
    }

    @Override
    public List<RecordedHalt> all() {
      throw new UnsupportedOperationException("halts are copied elsewhere");
    }

    @Override
    public List<RecordedHalt> open() {
      throw new UnsupportedOperationException("halts are copied elsewhere");
    }

    @Override
    public Optional<RecordedHalt> halt(String id) {
      throw new UnsupportedOperationException("halts are copied elsewhere");
    }

    @Override
    public List<String> writtenOff(String idPrefix) {
      return List.of();
    }

    @Override
    public boolean isHalted() {
      return !RAISED.isEmpty();
    }

    @Override
    public void beat() {
      throw new UnsupportedOperationException("cycles end elsewhere");
    }

    @Override
    public void close() {}
  }
}
