package io.tollgate.rating.dedup;

/**
 * Since when the remembered events are complete. An event that could have been charged before is
 * not vouched for: the ledger is asked.
 *
 * <p>Two things bound it, and both only move forward: the birth of the state (an event appended
 * before a start without state was never seen), and the time to keep, counted back from the
 * watermark. No wall clock takes part.
 *
 * @param birthMillis largest append time of what the state has not seen, UTC milliseconds; {@link
 *     Long#MIN_VALUE} if it has seen everything
 * @param keptFromMillis events that started before are forgotten, UTC milliseconds; {@link
 *     Long#MIN_VALUE} at first
 */
public record Horizon(long birthMillis, long keptFromMillis) {

  /** Returns the horizon of a state that begins after {@code birthMillis}. */
  public static Horizon bornAt(long birthMillis) {
    return new Horizon(birthMillis, Long.MIN_VALUE);
  }

  /** Returns the horizon after the watermark came to {@code watermarkMillis}. Never moves back. */
  Horizon advance(long watermarkMillis, long keepMillis) {
    // The last watermark of a bounded source says that no more will come, not what time it is.
    if (watermarkMillis == Long.MAX_VALUE || watermarkMillis < Long.MIN_VALUE + keepMillis) {
      return this;
    }
    long from = watermarkMillis - keepMillis;
    return from <= keptFromMillis ? this : new Horizon(birthMillis, from);
  }

  /** Returns the later one of both, as after a change of parallelism. */
  Horizon latest(Horizon other) {
    return new Horizon(
        Math.max(birthMillis, other.birthMillis), Math.max(keptFromMillis, other.keptFromMillis));
  }

  /** Returns the first slot that is kept. */
  int firstKeptSlot() {
    return keptFromMillis == Long.MIN_VALUE ? Integer.MIN_VALUE : SeenKey.slot(keptFromMillis);
  }

  /**
   * Tells whether the remembered events can be believed about an event that is not among them.
   *
   * @param startMillis its start
   * @param maxAheadMillis how far a start may lie after its append time: an event appended before
   *     birth may have started so much later
   */
  boolean vouchesFor(long startMillis, long maxAheadMillis) {
    long earliest = startMillis - SeenEvents.WRONG_ZONE_MILLIS;
    boolean bornBefore = birthMillis == Long.MIN_VALUE || earliest > birthMillis + maxAheadMillis;
    return bornBefore && earliest >= keptFromMillis;
  }
}
