package io.tollgate.domain.tariff;

/**
 * What happens when a call crosses from one band into another, or, where the plan splits at price
 * changes, from one price into the next.
 *
 * <table>
 *   <caption>A call from 18:59:59 for 62 s; peak until 19:00 at 2 per minute in increments of 60 s,
 *       then off-peak at 1 per minute in increments of 30 s</caption>
 *   <tr><th>policy</th><th>billed</th><th>amount</th></tr>
 *   <tr><td>INCREMENT_START</td><td>peak 60 s (it began there), off-peak 30 s</td><td>2.5</td></tr>
 *   <tr><td>SPLIT_AND_ROUND</td><td>peak 1 s as 60 s, off-peak 61 s as 90 s</td><td>3.5</td></tr>
 *   <tr><td>CALL_START</td><td>peak 120 s</td><td>4</td></tr>
 * </table>
 */
public enum BandCrossing {
  /** An increment belongs, whole, to the band in which it begins. The default. */
  INCREMENT_START,
  /** The call is cut where the band changes, and each part is rounded up for itself. */
  SPLIT_AND_ROUND,
  /** The band at the start of the call prices all of it. */
  CALL_START
}
