package io.tollgate.settlement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tollgate.domain.reconcile.ReconcileResult.State;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table in the javadoc of {@link SettlementRule}, row by row. */
class SettlementRuleTest {
  private static final long HOUR = 495_000;
  private static final long END = (HOUR + 1) * 3_600_000;
  private static final Duration QUIET = Duration.ofHours(6);
  private static final long CHANGED = END + 1_000;
  private static final long QUIET_UNTIL = CHANGED + QUIET.toMillis();

  private final SettlementRule rule = new SettlementRule(QUIET);

  /** Everything in order. */
  private static HourFacts good() {
    return new HourFacts(HOUR, "pbx-1", "north", State.OPEN, 4, 0, 100, 0, "", 100, 0, "", CHANGED);
  }

  static Stream<Arguments> table() {
    HourFacts f = good();
    // Each row also has what later rows ask for, so that the order is tested too.
    HourFacts missing = rows(f, 99, 100, 0);
    HourFacts batches = with(missing, 4, 0, 2, "b7");
    HourFacts partitions = with(missing, 4, 3, 2, "b7");
    HourFacts blocked = source(partitions, "north", State.MISMATCH);
    HourFacts unknown = source(partitions, null, null);
    HourFacts confirmed = differences(unknown, "d1");
    return Stream.of(
        arguments(confirmed, 0L, true, HourState.MISMATCH, "difference d1"),
        arguments(unknown, 0L, true, HourState.OPEN, "word of source pbx-1"),
        arguments(blocked, 0L, true, HourState.OPEN, "source pbx-1 to be in order"),
        arguments(partitions, END - 1, true, HourState.OPEN, "its end"),
        arguments(partitions, END, true, HourState.OPEN, "3 of 4 partitions"),
        arguments(batches, END, true, HourState.OPEN, "batch b7 and 1 more"),
        arguments(with(missing, 4, 0, 1, "b7"), END, true, HourState.OPEN, "batch b7"),
        arguments(missing, END, true, HourState.OPEN, "readings of 1 of 100 rows"),
        arguments(f, QUIET_UNTIL, true, HourState.BALANCED, "the halt to be acknowledged"),
        arguments(
            f,
            QUIET_UNTIL - 1,
            false,
            HourState.BALANCED,
            "no change until " + java.time.Instant.ofEpochMilli(QUIET_UNTIL)),
        arguments(f, QUIET_UNTIL, false, HourState.SETTLED, ""),
        // Accepted as missing; more rows than batches know of is another comparison's matter.
        arguments(rows(f, 99, 100, 1), QUIET_UNTIL, false, HourState.SETTLED, ""),
        arguments(rows(f, 101, 100, 0), QUIET_UNTIL, false, HourState.SETTLED, ""),
        arguments(source(f, "north", State.BALANCED), QUIET_UNTIL, false, HourState.SETTLED, ""));
  }

  @ParameterizedTest(name = "{3} {4}")
  @MethodSource("table")
  void shouldFollowTheTable(
      HourFacts facts, long nowMillis, boolean isHalted, HourState state, String waitingFor) {
    assertThat(rule.judge(facts, nowMillis, isHalted))
        .isEqualTo(new HourVerdict(state, waitingFor));
  }

  @Test
  void shouldRefuseANegativeQuietTime() {
    assertThatThrownBy(() -> new SettlementRule(Duration.ofMillis(-1)))
        .hasMessageContaining("expected: not negative");
  }

  private static HourFacts rows(HourFacts f, long read, long ofBatches, long accepted) {
    return new HourFacts(
        f.usageHour(),
        f.source(),
        f.market(),
        f.sourceState(),
        f.partitions(),
        f.partitionsNotBalanced(),
        read,
        f.batchesNotBalanced(),
        f.exampleBatch(),
        ofBatches,
        accepted,
        f.confirmed(),
        f.changedMillis());
  }

  private static HourFacts with(
      HourFacts f, long partitions, long notBalanced, long batches, String example) {
    return new HourFacts(
        f.usageHour(),
        f.source(),
        f.market(),
        f.sourceState(),
        partitions,
        notBalanced,
        f.charges(),
        batches,
        example,
        f.batchCharges(),
        f.acceptedMissing(),
        f.confirmed(),
        f.changedMillis());
  }

  private static HourFacts differences(HourFacts f, String confirmed) {
    return new HourFacts(
        f.usageHour(),
        f.source(),
        f.market(),
        f.sourceState(),
        f.partitions(),
        f.partitionsNotBalanced(),
        f.charges(),
        f.batchesNotBalanced(),
        f.exampleBatch(),
        f.batchCharges(),
        f.acceptedMissing(),
        confirmed,
        f.changedMillis());
  }

  private static HourFacts source(HourFacts f, String market, State state) {
    return new HourFacts(
        f.usageHour(),
        f.source(),
        market,
        state,
        f.partitions(),
        f.partitionsNotBalanced(),
        f.charges(),
        f.batchesNotBalanced(),
        f.exampleBatch(),
        f.batchCharges(),
        f.acceptedMissing(),
        f.confirmed(),
        f.changedMillis());
  }
}
