package io.tollgate.domain.tariff;

import java.time.LocalDate;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Named days that bands may refer to.
 *
 * @param name unique in a book
 * @param days date to what it is, for people
 */
public record HolidayCalendar(String name, SortedMap<LocalDate, String> days) {
  public HolidayCalendar {
    days = Collections.unmodifiableSortedMap(new TreeMap<>(days));
  }

  public HolidayCalendar(String name, Map<LocalDate, String> days) {
    this(name, new TreeMap<>(days));
  }
}
