package io.tollgate.reconcile.message;

/**
 * A record that the rating job called a duplicate; a row with its identity and content must exist.
 *
 * @param source declared id of the source
 * @param batch id of the batch
 * @param partition Kafka partition of the record
 * @param offset its offset
 * @param accountId account of its identity
 * @param eventId event of its identity
 * @param fingerprint its content
 * @param startMillis when its usage began
 * @param usageType name of the usage type
 * @param usage raw usage
 */
public record DuplicateClaim(
    String source,
    String batch,
    int partition,
    long offset,
    String accountId,
    String eventId,
    long fingerprint,
    long startMillis,
    String usageType,
    long usage) {}
