package io.tollgate.ledger.gate;

/**
 * How a difference is resolved.
 *
 * <table>
 *   <caption>Resolutions</caption>
 *   <tr><th>resolution</th><th>for</th><th>what it does</th></tr>
 *   <tr><td>REPAIR</td><td>records that are named and lack their row</td><td>sends them again, to
 *       be written if absent</td></tr>
 *   <tr><td>REPLAY</td><td>records that were never rated</td><td>reads the topic again</td></tr>
 *   <tr><td>RERATE</td><td>rows with a wrong amount</td><td>appends revisions</td></tr>
 *   <tr><td>VOID</td><td>rows that nobody sent</td><td>appends a revision of zero</td></tr>
 *   <tr><td>WRITE_OFF</td><td>what cannot or need not be mended</td><td>records that it is accepted
 *       as it is</td></tr>
 * </table>
 */
public enum Resolution {
  REPAIR,
  REPLAY,
  RERATE,
  VOID,
  WRITE_OFF
}
