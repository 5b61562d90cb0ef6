package io.tollgate.rating;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Reason;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of an arrival: a charge to be written, or the reason why there is none. Exactly one
 * of {@code charge} and {@code reason} is present; neither, ahead of a barrier, in the one that
 * says how far the correction history went.
 *
 * @param charge the charge, for RATED
 * @param origin where the record came from
 * @param cdr the CDR; absent if it could not be read
 * @param fingerprint its content; 0 without a CDR
 * @param late whether it came after the watermark had passed its start
 * @param reason why it was not rated
 * @param detail what was found and what was expected
 * @param key Kafka key of a refused record
 * @param value Kafka value of a refused record; absent where the CDR itself can be sent on
 * @param extra headers that a redrive must keep
 * @param tariffVersion newest book that rating had read
 * @param correction last correction that rating had read
 */
@SuppressWarnings("ArrayRecordComponent") // bytes pass through; results are never compared
public record Result(
    @Nullable Charge charge,
    Origin origin,
    @Nullable Cdr cdr,
    long fingerprint,
    boolean late,
    @Nullable Reason reason,
    String detail,
    byte @Nullable [] key,
    byte @Nullable [] value,
    Map<String, String> extra,
    long tariffVersion,
    long correction) {
  private static final Origin NOWHERE = new Origin("", "", -1, -1, -1, 0);

  /** Returns the result that says how far the correction history went. */
  public static Result ofReach(long tariffVersion, long correction) {
    return new Result(
        null, NOWHERE, null, 0, false, null, "", null, null, Map.of(), tariffVersion, correction);
  }

  /** Returns whether this is about no arrival. */
  public boolean isReach() {
    return charge == null && reason == null && origin.equals(NOWHERE);
  }
}
