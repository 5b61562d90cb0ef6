package io.tollgate.ingest.generate;

import io.tollgate.domain.cdr.Cdr;

/**
 * A generated record.
 *
 * @param index its number in the load, from 0: the order of sending
 * @param kind what it is made for
 * @param late whether its usage lies hours or days before its neighbours'
 * @param cdr its content; for kinds that are no CDR, what they are made of
 */
public record GeneratedRecord(long index, Kind kind, boolean late, Cdr cdr) {}
