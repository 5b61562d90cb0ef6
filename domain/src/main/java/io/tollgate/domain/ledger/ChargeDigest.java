package io.tollgate.domain.ledger;

import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.rating.Rating;
import java.math.BigDecimal;

/**
 * 64 bits that stand for what a charge is compared by: key, fingerprint, amount and currency. The
 * digest of a set is the sum of its members', so it can be made in any order and in parts.
 */
public final class ChargeDigest {
  private ChargeDigest() {}

  /**
   * Returns the digest of one charge.
   *
   * @param charge the charge itself (revision 0)
   * @param owed the rating that counts: its own, or that of its newest revision
   */
  public static long of(Charge charge, Rating.Priced owed) {
    return of(EventIdentity.of(charge.cdr().accountId(), charge.cdr().eventId()), charge, owed);
  }

  /** As above, for whoever has the identity of {@code charge} already. */
  public static long of(EventIdentity identity, Charge charge, Rating.Priced owed) {
    BigDecimal amount = owed.amount().stripTrailingZeros();
    long hash = mix(identity.high());
    hash = mix(hash ^ identity.low());
    hash = mix(hash ^ charge.fingerprint());
    hash = mix(hash ^ charge.usageHour());
    for (byte each : amount.unscaledValue().toByteArray()) {
      hash = mix(hash ^ each);
    }
    hash = mix(hash ^ amount.scale());
    return mix(hash ^ owed.currency().hashCode());
  }

  /** The finalizer of SplitMix64: every bit of the input moves half the bits of the output. */
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
