package io.tollgate.domain.tariff;

/**
 * What happens when a price changes (another row becomes valid) in the middle of a call.
 *
 * <table>
 *   <caption>A call from 23:59:30 for 60 s, 1 s increments; 0.60 per minute, from midnight 1.20</caption>
 *   <tr><th>policy</th><th>billed</th><th>amount</th></tr>
 *   <tr><td>SPLIT</td><td>30 s at 0.60, 30 s at 1.20</td><td>0.90</td></tr>
 *   <tr><td>CALL_START</td><td>60 s at 0.60</td><td>0.60</td></tr>
 * </table>
 */
public enum PriceChange {
  /** What is billed from that moment on has the new price. The default. */
  SPLIT,
  /** The prices valid at the start of the call price all of it. */
  CALL_START
}
