package io.tollgate.domain.tariff;

import java.util.Collection;

/** A stretch of time in which the rows of one prefix are the same ones. */
final class PriceEpoch {
  /** First moment. */
  final long fromMillis;

  /** First moment after it. */
  final long toMillis;

  /** Name of the destination in that time, for people. */
  final String name;

  /** Which of the sheets applies when. */
  final Timetable timetable;

  private final Sheet first;
  private final Sheet[] sheets;

  /**
   * @param sheets by band, as the timetable numbers them
   */
  PriceEpoch(long fromMillis, long toMillis, String name, Timetable timetable, Sheet[] sheets) {
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
    this.name = name;
    this.timetable = timetable;
    this.first = sheets[0];
    this.sheets = sheets;
  }

  boolean contains(long millis) {
    return millis >= fromMillis && millis < toMillis;
  }

  boolean isMadeOf(RateRow row) {
    return sheets.length == 1 && first.rows.size() == 1 && first.rows.get(0).equals(row);
  }

  void addRowsTo(Collection<RateRow> rows) {
    for (Sheet sheet : sheets) {
      rows.addAll(sheet.rows);
    }
  }

  Sheet sheet(int band) {
    return band == 0 ? first : sheets[band];
  }
}
