package io.tollgate.rating.ingest;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.outcome.Reason;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record as it arrived: either a valid CDR, or the reason why it is none, with its bytes.
 *
 * @param origin where it came from
 * @param cdr the CDR; absent if it was refused before it could be read
 * @param refusal why it is not to be rated; absent if it is
 * @param detail what was found and what was expected; empty without a refusal
 * @param key Kafka key; kept only for refused records
 * @param value Kafka value; kept only for refused records
 * @param extra headers that a redrive must keep; empty for most
 */
@SuppressWarnings("ArrayRecordComponent") // bytes pass through; arrivals are never compared
public record Arrival(
    Origin origin,
    @Nullable Cdr cdr,
    @Nullable Reason refusal,
    String detail,
    byte @Nullable [] key,
    byte @Nullable [] value,
    Map<String, String> extra) {

  /** Returns an arrival to be rated, without further headers. */
  public static Arrival of(Origin origin, Cdr cdr) {
    return of(origin, cdr, Map.of());
  }

  /** Returns an arrival to be rated, with headers to keep in case that it is suspended. */
  public static Arrival of(Origin origin, Cdr cdr, Map<String, String> extra) {
    return new Arrival(origin, cdr, null, "", null, null, extra);
  }
}
