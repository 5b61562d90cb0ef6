package io.tollgate.domain.tariff;

/**
 * What reaching the maximum charge means.
 *
 * <table>
 *   <caption>0.25 per started minute, maximum 0.60, a call of 200 s</caption>
 *   <tr><th>policy</th><th>billed</th><th>amount</th></tr>
 *   <tr><td>CAP</td><td>240 s, less 0.40</td><td>0.60</td></tr>
 *   <tr><td>DISCONNECT</td><td>120 s</td><td>0.50</td></tr>
 * </table>
 */
public enum MaximumPolicy {
  /** The rest of the usage is free: the charge is the maximum. */
  CAP,
  /**
   * The call would have been cut: only the whole increments whose charge, with all fees, stays at
   * or below the maximum are billed.
   */
  DISCONNECT
}
