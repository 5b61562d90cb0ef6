package io.tollgate.domain.tariff;

import org.jspecify.annotations.Nullable;

/**
 * Finds what prices one CDR at a moment, and until when that stays so. Used for one CDR at a time.
 *
 * <table>
 *   <caption>Which price holds at a moment</caption>
 *   <tr><th>question</th><th>answer</th></tr>
 *   <tr><td>prefix</td><td>the longest that has a price valid then; so a prefix that begins or ends
 *       to be priced on a day changes nothing before or after</td></tr>
 *   <tr><td>band</td><td>of those that this prefix has a valid price for, the one that applies by
 *       the plan's clock; no shorter prefix fills a gap</td></tr>
 * </table>
 */
final class Lookup {
  private final RatePlan plan;
  private final @Nullable Destination longest;
  private final long startMillis;

  @Nullable Destination destination;
  @Nullable PriceEpoch epoch;
  @Nullable Sheet sheet;
  long untilMillis;

  Lookup(RatePlan plan, @Nullable Destination longest, long startMillis) {
    this.plan = plan;
    this.longest = longest;
    this.startMillis = startMillis;
  }

  /** Finds the sheet of the start of usage. */
  @Nullable Sheet atStart() {
    return find(startMillis, startMillis);
  }

  /**
   * Finds the sheet that prices an increment that begins at {@code millis}, under the plan's
   * policies for crossing bands and for price changes.
   */
  @Nullable Sheet at(long millis) {
    boolean pricesOfStart = plan.priceChange() == PriceChange.CALL_START;
    boolean bandOfStart = plan.bandCrossing() == BandCrossing.CALL_START;
    return find(pricesOfStart ? startMillis : millis, bandOfStart ? startMillis : millis);
  }

  private @Nullable Sheet find(long pricesMillis, long bandMillis) {
    sheet = null;
    untilMillis = Long.MAX_VALUE;
    findEpoch(pricesMillis);
    PriceEpoch found = epoch;
    if (found == null) {
      return null;
    }
    boolean splitsAtBands = plan.bandCrossing() != BandCrossing.CALL_START;
    if (splitsAtBands && !found.timetable.isAlwaysTheSame()) {
      untilMillis = Math.min(untilMillis, found.timetable.nextCutMillis(bandMillis));
    }
    int band = found.timetable.bandAt(bandMillis);
    sheet = band < 0 ? null : found.sheet(band);
    return sheet;
  }

  private void findEpoch(long millis) {
    boolean splitsAtPrices = plan.priceChange() == PriceChange.SPLIT;
    destination = null;
    epoch = null;
    for (Destination next = longest; next != null; next = next.shorter()) {
      PriceEpoch found = next.epochAt(millis);
      if (found != null) {
        destination = next;
        epoch = found;
        if (splitsAtPrices) {
          untilMillis = Math.min(untilMillis, found.toMillis);
        }
        return;
      }
      if (splitsAtPrices) {
        untilMillis = Math.min(untilMillis, next.nextBeginMillis(millis));
      }
    }
  }
}
