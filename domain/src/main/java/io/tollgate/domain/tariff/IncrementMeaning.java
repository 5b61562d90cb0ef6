package io.tollgate.domain.tariff;

/**
 * What increments of the form {@code initial/next} mean.
 *
 * <table>
 *   <caption>30/60 at 0.06 per minute</caption>
 *   <tr><th>meaning</th><th>20 s</th><th>31 s</th><th>61 s</th><th>91 s</th></tr>
 *   <tr><td>INITIAL_THEN_NEXT</td><td>30 s: 0.03</td><td>30 + 60 s: 0.09</td>
 *       <td>30 + 60 s: 0.09</td><td>30 + 120 s: 0.15</td></tr>
 *   <tr><td>BLOCKS_OF_TOTAL</td><td>30 s: 0.03</td><td>60 s: 0.06</td><td>120 s: 0.12</td>
 *       <td>120 s: 0.12</td></tr>
 * </table>
 */
public enum IncrementMeaning {
  /** First one increment of the initial length, then as many of the next length as needed. */
  INITIAL_THEN_NEXT,
  /**
   * The whole usage, if longer than the initial increment, is rounded up to a multiple of the next
   * increment; if not, it counts as the initial increment. The row in force at the start of the
   * call rounds; the rounded total is then priced second by second.
   */
  BLOCKS_OF_TOTAL
}
