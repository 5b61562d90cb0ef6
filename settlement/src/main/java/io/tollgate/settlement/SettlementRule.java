package io.tollgate.settlement;

import io.tollgate.domain.reconcile.ReconcileResult;
import java.time.Duration;
import java.time.Instant;

/**
 * Whether an hour of a source is settled. The first row that applies decides:
 *
 * <table>
 * <caption>States</caption>
 * <tr><th>what is known</th><th>state</th><th>waits for</th></tr>
 * <tr><td>a confirmed difference concerns it</td><td>MISMATCH</td><td>the difference</td></tr>
 * <tr><td>nothing was heard of the source itself</td><td>OPEN</td><td>the source</td></tr>
 * <tr><td>the source is in MISMATCH</td><td>OPEN</td><td>the source</td></tr>
 * <tr><td>the hour is not over</td><td>OPEN</td><td>its end</td></tr>
 * <tr><td>a partition is not balanced</td><td>OPEN</td><td>partitions</td></tr>
 * <tr><td>a batch with rows in it is not balanced</td><td>OPEN</td><td>batches</td></tr>
 * <tr><td>fewer rows were read than its batches have, but for those accepted as missing</td>
 *     <td>OPEN</td><td>readings</td></tr>
 * <tr><td>charging is halted</td><td>BALANCED</td><td>acknowledgement</td></tr>
 * <tr><td>something new was found less than the quiet time ago, or in the future</td>
 *     <td>BALANCED</td><td>the quiet time</td></tr>
 * <tr><td>none of these</td><td>SETTLED</td><td></td></tr>
 * </table>
 */
final class SettlementRule {
  private final long quietMillis;

  /**
   * @param quiet how long an hour must have been without change
   */
  SettlementRule(Duration quiet) {
    if (quiet.isNegative()) {
      throw new IllegalArgumentException("quiet time: " + quiet + " (expected: not negative)");
    }
    this.quietMillis = quiet.toMillis();
  }

  /**
   * Judges an hour.
   *
   * @param isHalted whether charging is halted
   */
  HourVerdict judge(HourFacts facts, long nowMillis, boolean isHalted) {
    if (!facts.confirmed().isEmpty()) {
      return new HourVerdict(HourState.MISMATCH, "difference " + facts.confirmed());
    }
    if (facts.market() == null || facts.sourceState() == null) {
      return open("word of source " + facts.source());
    }
    if (facts.sourceState() == ReconcileResult.State.MISMATCH) {
      return open("source " + facts.source() + " to be in order");
    }
    if (nowMillis < facts.endMillis()) {
      return open("its end");
    }
    if (facts.partitionsNotBalanced() > 0) {
      return open(facts.partitionsNotBalanced() + " of " + facts.partitions() + " partitions");
    }
    if (facts.batchesNotBalanced() > 0) {
      return open(batches(facts));
    }
    long expected = facts.batchCharges() - facts.acceptedMissing();
    if (facts.charges() < expected) {
      return open("readings of " + (expected - facts.charges()) + " of " + expected + " rows");
    }
    if (isHalted) {
      return new HourVerdict(HourState.BALANCED, "the halt to be acknowledged");
    }
    long quietUntilMillis = Math.addExact(facts.changedMillis(), quietMillis);
    if (nowMillis < quietUntilMillis) {
      return new HourVerdict(
          HourState.BALANCED, "no change until " + Instant.ofEpochMilli(quietUntilMillis));
    }
    return HourVerdict.SETTLED;
  }

  private static HourVerdict open(String waitingFor) {
    return new HourVerdict(HourState.OPEN, waitingFor);
  }

  private static String batches(HourFacts facts) {
    long others = facts.batchesNotBalanced() - 1;
    return "batch " + facts.exampleBatch() + (others == 0 ? "" : " and " + others + " more");
  }
}
