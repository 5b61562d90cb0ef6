package io.tollgate.pricing;

import io.tollgate.domain.tariff.HolidayCalendar;
import io.tollgate.pricing.Cells.UnreadableException;
import io.tollgate.pricing.CsvTable.Layout;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.TreeMap;

/** Reads {@code calendars/NAME.csv}. */
final class CalendarFile {
  private static final Layout LAYOUT =
      new Layout().required("date", "day").optional("name", "holiday", "description");

  private CalendarFile() {}

  static HolidayCalendar read(String calendar, Path file, String name, Problems problems) {
    TreeMap<LocalDate, String> days = new TreeMap<>();
    CsvTable.read(
        file,
        name,
        LAYOUT,
        problems,
        row -> {
          String given = row.get("date");
          try {
            if (days.putIfAbsent(Cells.date(given), row.get("name")) != null) {
              row.error("date", given, "each day once");
            }
          } catch (UnreadableException e) {
            row.error("date", given, e.rule());
          }
        });
    if (days.isEmpty() && !problems.hasErrors()) {
      problems.warn(name, 0, 0, "calendar", calendar, "no day in it");
    }
    return new HolidayCalendar(calendar, days);
  }
}
