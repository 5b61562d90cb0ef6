package io.tollgate.domain.tariff;

import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/**
 * One rule of a band: on which days and between which times of day the band applies, in the plan's
 * time zone.
 *
 * <p>A day must satisfy all conditions that are given: weekday, month, day of the month, year, and
 * (being in the dates or in one of the calendars). A range over midnight belongs to the day on
 * which it begins: {@code fri 22:00-06:00} lasts until Saturday, 06:00.
 *
 * @param weekdays bit 0 for Monday to bit 6 for Sunday; {@link #ANY_WEEKDAY} for all
 * @param months bit 0 for January to bit 11 for December; {@link #ANY_MONTH} for all
 * @param monthDays bit 0 for the first to bit 30 for the 31st; {@link #ANY_MONTH_DAY} for all
 * @param years calendar years, sorted; empty for all
 * @param dates single days, sorted; with {@code calendars} empty: all days
 * @param calendars names of holiday calendars of the book
 * @param fromSecond start of the range in seconds of the day, 0 to 86,399
 * @param toSecond end of the range (exclusive), 1 to 86,400; at or before {@code fromSecond} if the
 *     range runs over midnight
 * @param priority among rules that apply at a moment the highest wins; among equals the one whose
 *     range began last, then the band that was declared first
 */
public record When(
    int weekdays,
    int months,
    int monthDays,
    List<Integer> years,
    List<LocalDate> dates,
    List<String> calendars,
    int fromSecond,
    int toSecond,
    int priority) {
  public static final int ANY_WEEKDAY = 0x7f;
  public static final int ANY_MONTH = 0xfff;
  public static final int ANY_MONTH_DAY = 0x7fffffff;
  public static final int SECONDS_PER_DAY = 86_400;

  /** Every day, all day, at priority 0. */
  public static final When ALWAYS =
      new When(
          ANY_WEEKDAY,
          ANY_MONTH,
          ANY_MONTH_DAY,
          List.of(),
          List.of(),
          List.of(),
          0,
          SECONDS_PER_DAY,
          0);

  public When {
    Objects.requireNonNull(years, "years");
    years = List.copyOf(new TreeSet<>(years));
    dates = List.copyOf(new TreeSet<>(dates));
    calendars = List.copyOf(new TreeSet<>(calendars));
    check("weekdays", weekdays, 1, ANY_WEEKDAY);
    check("months", months, 1, ANY_MONTH);
    check("monthDays", monthDays, 1, ANY_MONTH_DAY);
    check("fromSecond", fromSecond, 0, SECONDS_PER_DAY - 1);
    check("toSecond", toSecond, 1, SECONDS_PER_DAY);
  }

  /** Returns this rule on the given weekdays only, 1 for Monday to 7 for Sunday. */
  public When onWeekdays(int... isoWeekdays) {
    int mask = 0;
    for (int weekday : isoWeekdays) {
      mask |= 1 << (weekday - 1);
    }
    return new When(
        mask, months, monthDays, years, dates, calendars, fromSecond, toSecond, priority);
  }

  /** Returns this rule in the given months only, 1 for January. */
  public When inMonths(int... isoMonths) {
    int mask = 0;
    for (int month : isoMonths) {
      mask |= 1 << (month - 1);
    }
    return new When(
        weekdays, mask, monthDays, years, dates, calendars, fromSecond, toSecond, priority);
  }

  /** Returns this rule on the given days of the month only, 1 to 31. */
  public When onMonthDays(int... days) {
    int mask = 0;
    for (int day : days) {
      mask |= 1 << (day - 1);
    }
    return new When(
        weekdays, months, mask, years, dates, calendars, fromSecond, toSecond, priority);
  }

  /** Returns this rule in the given years only. */
  public When inYears(List<Integer> onlyYears) {
    return new When(
        weekdays, months, monthDays, onlyYears, dates, calendars, fromSecond, toSecond, priority);
  }

  /** Returns this rule on the given dates only (or on days of its calendars). */
  public When onDates(List<LocalDate> onlyDates) {
    return new When(
        weekdays, months, monthDays, years, onlyDates, calendars, fromSecond, toSecond, priority);
  }

  /** Returns this rule on days of the given calendars only (or on its dates). */
  public When onCalendars(List<String> names) {
    return new When(
        weekdays, months, monthDays, years, dates, names, fromSecond, toSecond, priority);
  }

  /** Returns this rule between two times of day; over midnight if {@code to} is not after. */
  public When between(int fromSecondOfDay, int toSecondOfDay) {
    return new When(
        weekdays,
        months,
        monthDays,
        years,
        dates,
        calendars,
        fromSecondOfDay,
        toSecondOfDay,
        priority);
  }

  /** Returns this rule with another priority. */
  public When withPriority(int newPriority) {
    return new When(
        weekdays, months, monthDays, years, dates, calendars, fromSecond, toSecond, newPriority);
  }

  /** Returns whether the range runs into the next day. */
  public boolean runsOverMidnight() {
    return toSecond <= fromSecond;
  }

  /** Returns whether the rule applies at every moment. */
  public boolean isAlways() {
    return weekdays == ANY_WEEKDAY
        && months == ANY_MONTH
        && monthDays == ANY_MONTH_DAY
        && years.isEmpty()
        && dates.isEmpty()
        && calendars.isEmpty()
        && ((fromSecond == 0 && toSecond == SECONDS_PER_DAY) || fromSecond == toSecond);
  }

  private static void check(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + min + " to " + max + ")");
    }
  }
}
