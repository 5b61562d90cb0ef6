package io.tollgate.settlement;

import io.tollgate.domain.reconcile.ReconcileResult.Owed;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What a new line says, so that all lines together say what is owed.
 *
 * <table>
 * <caption>Lines of one hour, bucket, source and currency</caption>
 * <tr><th>settled so far</th><th>owed now</th><th>new line</th></tr>
 * <tr><td>no line</td><td>nothing</td><td>none</td></tr>
 * <tr><td>no line</td><td>something</td><td>all of it, number 0</td></tr>
 * <tr><td>the same count, amount and digest</td><td></td><td>none</td></tr>
 * <tr><td>anything else</td><td></td><td>what is owed less what is settled, next number</td></tr>
 * </table>
 */
final class LineRule {
  private LineRule() {}

  /**
   * What is settled so far.
   *
   * @param lines number of lines
   * @param sum charges and amounts of all lines; digest of the newest
   */
  record Settled(int lines, Owed sum) {
    static final Settled NOTHING = new Settled(0, Owed.NOTHING);
  }

  /**
   * What a line adds.
   *
   * @param number place in the order of lines, from 0
   * @param charges may be negative
   * @param amount may be negative
   * @param digest of all that is settled with this line
   */
  record Addition(int number, long charges, BigDecimal amount, long digest) {}

  /** Returns what is to be added, if anything. */
  static Optional<Addition> next(Settled settled, Owed owed) {
    if (settled.sum().isSame(owed)) {
      return Optional.empty();
    }
    return Optional.of(
        new Addition(
            settled.lines(),
            owed.charges() - settled.sum().charges(),
            owed.amount().subtract(settled.sum().amount()),
            owed.digest()));
  }
}
