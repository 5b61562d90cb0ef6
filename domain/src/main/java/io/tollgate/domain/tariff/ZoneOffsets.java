package io.tollgate.domain.tariff;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The offsets of a time zone, laid out for fast look-up between 1970 and 2100; outside of that the
 * rules of the platform are asked.
 */
final class ZoneOffsets {
  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant LAST = Instant.parse("2100-01-01T00:00:00Z");

  private final ZoneRules rules;
  private final long[] startMillis;
  private final int[] offsetMillis;

  ZoneOffsets(ZoneId zone) {
    rules = zone.getRules();
    List<Long> starts = new ArrayList<>(List.of(FIRST.toEpochMilli()));
    List<Integer> offsets = new ArrayList<>(List.of(millis(rules.getOffset(FIRST))));
    ZoneOffsetTransition next = rules.nextTransition(FIRST);
    while (next != null && next.getInstant().isBefore(LAST)) {
      starts.add(next.getInstant().toEpochMilli());
      offsets.add(millis(next.getOffsetAfter()));
      next = rules.nextTransition(next.getInstant());
    }
    startMillis = starts.stream().mapToLong(Long::longValue).toArray();
    offsetMillis = offsets.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns the offset from UTC at {@code instantMillis}, in milliseconds, east positive. */
  int offsetMillisAt(long instantMillis) {
    if (isOutside(instantMillis)) {
      return millis(rules.getOffset(Instant.ofEpochMilli(instantMillis)));
    }
    return offsetMillis[index(instantMillis)];
  }

  /** Returns the next moment at which the offset changes; {@link Long#MAX_VALUE} if none. */
  long nextChangeMillis(long instantMillis) {
    if (!isOutside(instantMillis)) {
      int next = index(instantMillis) + 1;
      if (next < startMillis.length) {
        return startMillis[next];
      }
    }
    ZoneOffsetTransition next = rules.nextTransition(Instant.ofEpochMilli(instantMillis));
    return next == null ? Long.MAX_VALUE : next.getInstant().toEpochMilli();
  }

  private boolean isOutside(long instantMillis) {
    return instantMillis < startMillis[0] || instantMillis >= LAST.toEpochMilli();
  }

  private int index(long instantMillis) {
    int found = Arrays.binarySearch(startMillis, instantMillis);
    return found >= 0 ? found : -found - 2;
  }

  private static int millis(ZoneOffset offset) {
    return offset.getTotalSeconds() * 1000;
  }
}
