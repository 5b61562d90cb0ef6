package io.tollgate.rerate;

/**
 * A unit that is through.
 *
 * @param charges charges that were read
 * @param missing revisions that were not there
 */
public record UnitDone(long charges, long missing) {}
