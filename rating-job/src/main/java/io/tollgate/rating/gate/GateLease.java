package io.tollgate.rating.gate;

import org.apache.flink.api.connector.source.SourceEvent;

/**
 * From the enumerator to a reader: emit for so long.
 *
 * @param validMillis from when it arrives; 0 takes back what was granted before
 */
public record GateLease(long validMillis) implements SourceEvent {}
