package io.tollgate.rating.dedup;

import io.tollgate.domain.cdr.EventIdentity;
import java.util.Iterator;
import java.util.Map;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.jspecify.annotations.Nullable;

/**
 * The events that were rated, in keyed state: identity and content fingerprint, about 24 bytes
 * each. All methods work on the current key, the shard.
 */
final class SeenEvents {
  /**
   * How far a wrong time zone can move a start: from UTC-12 to UTC+14. An identity is looked for so
   * far to both sides.
   */
  static final long WRONG_ZONE_MILLIS = 26 * 3_600_000L;

  /** Name of the state. Part of every savepoint: never changes. */
  static final String STATE_NAME = "seen-events";

  private final MapState<SeenKey, Long> fingerprintByKey;

  SeenEvents(MapState<SeenKey, Long> fingerprintByKey) {
    this.fingerprintByKey = fingerprintByKey;
  }

  static MapStateDescriptor<SeenKey, Long> descriptor() {
    return new MapStateDescriptor<>(
        STATE_NAME, SeenKeySerializer.INSTANCE, LongSerializer.INSTANCE);
  }

  /** Returns the fingerprint that was remembered for an event near {@code startMillis}, or null. */
  @Nullable Long find(EventIdentity identity, long startMillis) throws Exception {
    SeenKey own = SeenKey.of(identity, startMillis);
    Long found = fingerprintByKey.get(own);
    if (found != null) {
      return found;
    }
    int before = SeenKey.slot(startMillis - WRONG_ZONE_MILLIS);
    if (before != own.slot()) {
      return fingerprintByKey.get(own.inSlot(before));
    }
    int after = SeenKey.slot(startMillis + WRONG_ZONE_MILLIS);
    if (after != own.slot()) {
      return fingerprintByKey.get(own.inSlot(after));
    }
    return null;
  }

  void remember(EventIdentity identity, long startMillis, long fingerprint) throws Exception {
    fingerprintByKey.put(SeenKey.of(identity, startMillis), fingerprint);
  }

  /**
   * Forgets events of slots before {@code firstKeptSlot}, at most {@code limit} of them.
   *
   * @return how many were forgotten; less than {@code limit} if none are left
   */
  int forgetBefore(int firstKeptSlot, int limit) throws Exception {
    int forgotten = 0;
    Iterator<Map.Entry<SeenKey, Long>> oldestFirst = fingerprintByKey.iterator();
    while (forgotten < limit && oldestFirst.hasNext()) {
      if (oldestFirst.next().getKey().slot() >= firstKeptSlot) {
        return forgotten;
      }
      oldestFirst.remove();
      forgotten++;
    }
    return forgotten;
  }
}
