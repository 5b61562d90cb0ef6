package io.tollgate.rating.dedup;

import io.tollgate.domain.cdr.EventIdentity;

/**
 * Key of a remembered event: the slot of its event day, then its identity. Slot first, so that in
 * RocksDB the oldest events lie together at the front and expiry reads nothing else.
 *
 * @param slot {@link #SLOT_DAYS} days of event time, counted from 1970
 * @param high first half of the {@link EventIdentity}
 * @param low second half
 */
public record SeenKey(int slot, long high, long low) {
  /**
   * Days in a slot. A CDR is looked for in its own slot and, where a wrong time zone could have
   * moved it across the edge, in the next one: with 8 days that is 1.27 look-ups on average, with
   * single days it would be 3.2. Events are dropped by whole slots, so up to 8 days after their
   * horizon.
   */
  public static final int SLOT_DAYS = 8;

  private static final long SLOT_MILLIS = SLOT_DAYS * 86_400_000L;

  /** Returns the key of an event. */
  public static SeenKey of(EventIdentity identity, long startMillis) {
    return new SeenKey(slot(startMillis), identity.high(), identity.low());
  }

  /** Returns the slot that an instant lies in. */
  public static int slot(long millis) {
    return (int) Math.floorDiv(millis, SLOT_MILLIS);
  }

  /** Returns the same event in another slot. */
  SeenKey inSlot(int otherSlot) {
    return otherSlot == slot ? this : new SeenKey(otherSlot, high, low);
  }
}
