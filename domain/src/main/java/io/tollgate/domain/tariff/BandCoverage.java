package io.tollgate.domain.tariff;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the times of the week at which none of some bands applies. */
public final class BandCoverage {
  private BandCoverage() {}

  /**
   * A time of the week without a band.
   *
   * @param weekday of its first occurrence
   * @param fromSecond start in seconds of the day
   * @param toSecond end (exclusive)
   * @param firstDate first day on which it occurs
   * @param days on how many days it occurs
   */
  public record Gap(
      DayOfWeek weekday, int fromSecond, int toSecond, LocalDate firstDate, int days) {
    @Override
    public String toString() {
      String name = weekday.name().substring(0, 3).toLowerCase(java.util.Locale.ROOT);
      return name + " " + time(fromSecond) + "-" + time(toSecond);
    }

    private static String time(int second) {
      return String.format("%02d:%02d", second / 3600, second / 60 % 60);
    }
  }

  /**
   * Returns the gaps, by weekday and time, on any day of a range.
   *
   * @param bands those that a prefix has rates for
   * @param calendars of the book, by name
   * @param from first day looked at
   * @param to last day looked at
   */
  public static List<Gap> gaps(
      List<Band> bands, Map<String, HolidayCalendar> calendars, LocalDate from, LocalDate to) {
    Timetable timetable = new Timetable(bands, calendars, new ZoneOffsets(ZoneOffset.UTC));
    int[] cuts = timetable.cuts();
    Map<String, Gap> found = new LinkedHashMap<>();
    for (LocalDate day = from; !day.isAfter(to); day = day.plusDays(1)) {
      int begin = -1;
      for (int i = 0; i <= cuts.length; i++) {
        boolean isGap = i < cuts.length && timetable.bandAt(day.toEpochDay(), cuts[i]) < 0;
        if (isGap && begin < 0) {
          begin = cuts[i];
        } else if (!isGap && begin >= 0) {
          int end = i < cuts.length ? cuts[i] : When.SECONDS_PER_DAY;
          Gap gap = new Gap(day.getDayOfWeek(), begin, end, day, 1);
          found.merge(
              gap.toString(),
              gap,
              (first, next) ->
                  new Gap(
                      first.weekday(),
                      first.fromSecond(),
                      first.toSecond(),
                      first.firstDate(),
                      first.days() + 1));
          begin = -1;
        }
      }
    }
    return new ArrayList<>(found.values());
  }
}
