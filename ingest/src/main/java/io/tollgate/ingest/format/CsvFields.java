package io.tollgate.ingest.format;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a row into its fields, by the same rules as {@link CsvFramer}. Where quotes do not
 * balance, which the framer lets pass only as a torn row, it makes some fields and never fails.
 */
final class CsvFields {
  private CsvFields() {}

  static List<String> split(String row) {
    List<String> fields = new ArrayList<>(24);
    int at = 0;
    while (true) {
      if (at < row.length() && row.charAt(at) == '"') {
        at = quoted(row, at + 1, fields);
      } else {
        int comma = row.indexOf(',', at);
        int end = comma < 0 ? row.length() : comma;
        fields.add(row.substring(at, end));
        at = end;
      }
      if (at >= row.length()) {
        return fields;
      }
      at++;
    }
  }

  /** Adds the field that begins at {@code from}, after its quote; returns where its comma is. */
  private static int quoted(String row, int from, List<String> fields) {
    StringBuilder doubled = null;
    int copied = from;
    int at = from;
    while (true) {
      int quote = row.indexOf('"', at);
      if (quote < 0) {
        fields.add(row.substring(from));
        return row.length();
      }
      boolean isDoubled = quote + 1 < row.length() && row.charAt(quote + 1) == '"';
      if (!isDoubled) {
        String tail = row.substring(copied, quote);
        fields.add(doubled == null ? tail : doubled.append(tail).toString());
        return Math.max(quote + 1, commaAfter(row, quote + 1));
      }
      doubled = doubled == null ? new StringBuilder() : doubled;
      doubled.append(row, copied, quote + 1);
      at = quote + 2;
      copied = at;
    }
  }

  /** Passes over a carriage return that stood before a line end within the file. */
  private static int commaAfter(String row, int from) {
    int comma = row.indexOf(',', from);
    return comma < 0 ? row.length() : comma;
  }
}
