package io.tollgate.domain.tariff;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which of some bands applies when, compiled. What decides is the wall clock of the plan's zone:
 *
 * <table>
 *   <caption>Daylight saving time, Europe/Vienna, night 00:00-02:30, day the rest</caption>
 *   <tr><th>day</th><th>what happens</th></tr>
 *   <tr><td>2015-03-29, no 02:00-03:00</td><td>night ends at the jump (01:00Z, the clock shows
 *       03:00): a moment that the clock never shows is no time at all</td></tr>
 *   <tr><td>2015-10-25, 02:00-03:00 twice</td><td>night until 02:30 (00:30Z), day until the clock
 *       goes back (01:00Z), night again until the second 02:30 (01:30Z)</td></tr>
 * </table>
 *
 * Usage is measured in elapsed time, so a call over a jump is billed for the seconds that passed.
 */
final class Timetable {
  private static final int NEVER = Integer.MIN_VALUE;
  private static final int NONE = -1;
  private static final long MILLIS_PER_DAY = When.SECONDS_PER_DAY * 1000L;

  private final ZoneOffsets zone;

  /** Highest priority first, then in order of declaration. */
  private final Rule[] rules;

  /** Seconds of the day at which any rule begins or ends, sorted; the first is 0. */
  private final int[] cuts;

  /** The band that applies at every moment, or {@link #NONE} if the clock must be asked. */
  private final int alwaysBand;

  /**
   * @param bands in order of declaration
   * @param calendars of the book, by name
   */
  Timetable(List<Band> bands, Map<String, HolidayCalendar> calendars, ZoneOffsets zone) {
    this.zone = zone;
    List<Rule> found = new ArrayList<>();
    TreeSet<Integer> cutSeconds = new TreeSet<>(List.of(0));
    for (int band = 0; band < bands.size(); band++) {
      for (When when : bands.get(band).rules()) {
        found.add(new Rule(band, when, calendars));
        cutSeconds.add(when.fromSecond());
        cutSeconds.add(when.toSecond() % When.SECONDS_PER_DAY);
      }
    }
    found.sort(Comparator.comparingInt((Rule rule) -> rule.when.priority()).reversed());
    rules = found.toArray(Rule[]::new);
    cuts = cutSeconds.stream().mapToInt(Integer::intValue).toArray();
    alwaysBand = alwaysBand();
  }

  private int alwaysBand() {
    Rule top = rules[0];
    boolean alone = rules.length == 1 || rules[1].when.priority() < top.when.priority();
    return alone && top.when.isAlways() ? top.band : NONE;
  }

  /** Returns whether one band applies at every moment. */
  boolean isAlwaysTheSame() {
    return alwaysBand != NONE;
  }

  /** Returns the index of the band that applies at {@code instantMillis}, -1 if none does. */
  int bandAt(long instantMillis) {
    if (alwaysBand != NONE) {
      return alwaysBand;
    }
    long localMillis = instantMillis + zone.offsetMillisAt(instantMillis);
    long day = Math.floorDiv(localMillis, MILLIS_PER_DAY);
    int second = (int) ((localMillis - day * MILLIS_PER_DAY) / 1000);
    return bandAt(day, second);
  }

  /**
   * Returns the first moment after {@code instantMillis} at which another band may apply; until
   * then the same one does.
   */
  long nextCutMillis(long instantMillis) {
    if (alwaysBand != NONE) {
      return Long.MAX_VALUE;
    }
    int offset = zone.offsetMillisAt(instantMillis);
    long localMillis = instantMillis + offset;
    long day = Math.floorDiv(localMillis, MILLIS_PER_DAY);
    int second = (int) ((localMillis - day * MILLIS_PER_DAY) / 1000);
    long cut = MILLIS_PER_DAY;
    for (int i = cuts.length - 1; i >= 0 && cuts[i] > second; i--) {
      cut = cuts[i] * 1000L;
    }
    return Math.min(day * MILLIS_PER_DAY + cut - offset, zone.nextChangeMillis(instantMillis));
  }

  /** Returns the band at a second of a local day, -1 if none applies. */
  int bandAt(long epochDay, int secondOfDay) {
    int band = NONE;
    int priority = NEVER;
    int begin = NEVER;
    for (Rule rule : rules) {
      if (band != NONE && rule.when.priority() < priority) {
        return band;
      }
      int began = rule.beganAt(epochDay, secondOfDay);
      if (began > begin) {
        band = rule.band;
        priority = rule.when.priority();
        begin = began;
      }
    }
    return band;
  }

  /** Returns the seconds of a day between which the band is the same, the first 0. */
  int[] cuts() {
    return cuts.clone();
  }

  /** A rule with its dates and calendars as numbers of days. */
  private static final class Rule {
    private final int band;
    private final When when;
    private final @Nullable IntOpenHashSet days;
    private final boolean asksCalendarFields;

    Rule(int band, When when, Map<String, HolidayCalendar> calendars) {
      this.band = band;
      this.when = when;
      this.days = days(when, calendars);
      this.asksCalendarFields =
          when.months() != When.ANY_MONTH
              || when.monthDays() != When.ANY_MONTH_DAY
              || !when.years().isEmpty();
    }

    private static @Nullable IntOpenHashSet days(
        When when, Map<String, HolidayCalendar> calendars) {
      if (when.dates().isEmpty() && when.calendars().isEmpty()) {
        return null;
      }
      IntOpenHashSet days = new IntOpenHashSet();
      when.dates().forEach(date -> days.add((int) date.toEpochDay()));
      for (String name : when.calendars()) {
        HolidayCalendar calendar = calendars.get(name);
        if (calendar == null) {
          throw new IllegalArgumentException("calendar: '" + name + "' (expected: declared)");
        }
        calendar.days().keySet().forEach(date -> days.add((int) date.toEpochDay()));
      }
      return days;
    }

    /**
     * Returns the second at which the range around {@code second} began, counted from midnight of
     * {@code day} (negative: the day before), or NEVER if the rule does not apply then.
     */
    int beganAt(long day, int second) {
      int from = when.fromSecond();
      int to = when.toSecond();
      if (!when.runsOverMidnight()) {
        return second >= from && second < to && holdsOn(day) ? from : NEVER;
      }
      if (second >= from && holdsOn(day)) {
        return from;
      }
      return second < to && holdsOn(day - 1) ? from - When.SECONDS_PER_DAY : NEVER;
    }

    private boolean holdsOn(long day) {
      int weekday = Math.floorMod(day + 3, 7);
      if ((when.weekdays() & (1 << weekday)) == 0) {
        return false;
      }
      if (days != null && !days.contains((int) day)) {
        return false;
      }
      return !asksCalendarFields || calendarFieldsHold(LocalDate.ofEpochDay(day));
    }

    private boolean calendarFieldsHold(LocalDate date) {
      return (when.months() & (1 << (date.getMonthValue() - 1))) != 0
          && (when.monthDays() & (1 << (date.getDayOfMonth() - 1))) != 0
          && (when.years().isEmpty() || when.years().contains(date.getYear()));
    }
  }

  @Override
  public String toString() {
    return "Timetable" + Arrays.toString(cuts);
  }
}
