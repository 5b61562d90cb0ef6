package io.tollgate.domain.rating;

/**
 * What a CDR costs after an entry of the correction history.
 *
 * @param number number of the entry, from 1; the revision in the key of the ledger row
 * @param total the new total, and not a difference: of all revisions of a charge the highest counts
 */
public record Revision(long number, Rating.Priced total) {}
