package io.tollgate.rating.dedup;

import io.tollgate.domain.cdr.Origin;
import io.tollgate.rating.dedup.EventLookup.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * What an event is, compared with what is known of its identity.
 *
 * <table>
 *   <caption>Judgements; keyed state is asked first, the ledger only where state cannot vouch</caption>
 *   <tr><th>remembered fingerprint</th><th>the ledger's event</th><th>judgement</th></tr>
 *   <tr><td>the same</td><td>not asked</td><td>REPEAT</td></tr>
 *   <tr><td>another</td><td>not asked</td><td>OTHER_CONTENT</td></tr>
 *   <tr><td>none</td><td>not asked, or none</td><td>NEW</td></tr>
 *   <tr><td>none</td><td>the same, from the same batch-seq</td><td>SAME_RECORD</td></tr>
 *   <tr><td>none</td><td>the same, from another record</td><td>REPEAT</td></tr>
 *   <tr><td>none</td><td>another</td><td>OTHER_CONTENT</td></tr>
 * </table>
 *
 * <p>The start is part of the fingerprint, so the same event with another start is OTHER_CONTENT.
 */
enum Judgement {
  /** Not known: to be rated. */
  NEW,
  /**
   * The very record that was charged, read again by a job without its state: rated again, which
   * writes the same row and gives the same receipt.
   */
  SAME_RECORD,
  /** Charged already, reported once more. */
  REPEAT,
  /** The identity was charged with other content. */
  OTHER_CONTENT;

  static Judgement of(
      Origin origin, long fingerprint, @Nullable Long remembered, @Nullable StoredEvent stored) {
    if (remembered != null) {
      return remembered == fingerprint ? REPEAT : OTHER_CONTENT;
    }
    if (stored == null) {
      return NEW;
    }
    if (stored.fingerprint() != fingerprint) {
      return OTHER_CONTENT;
    }
    boolean sameRecord =
        stored.batchSeq() == origin.batchSeq()
            && stored.batch().equals(origin.batch())
            && stored.source().equals(origin.source());
    return sameRecord ? SAME_RECORD : REPEAT;
  }
}
