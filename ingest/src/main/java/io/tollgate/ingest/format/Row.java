package io.tollgate.ingest.format;

import io.tollgate.domain.cdr.CdrRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The columns of one record by name, and what is wrong with them. All faults are gathered, so that
 * a bad line is explained once and in full.
 */
final class Row {
  /** Most digits of a whole number: more than any count of milliseconds since 1970 has. */
  private static final int MAX_DIGITS = 15;

  private static final char REPLACEMENT = '\uFFFD';

  private final UnaryOperator<String> textByColumn;
  private final List<String> faults = new ArrayList<>();

  /**
   * Creates a row.
   *
   * @param textByColumn returns the text of a column, empty if there is none
   */
  Row(UnaryOperator<String> textByColumn) {
    this.textByColumn = textByColumn;
  }

  /** Decodes UTF-8. Bytes that are none become replacement characters: {@link #text} finds them. */
  static String decode(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Returns a text as it stands, empty if the column is absent. */
  String text(String column) {
    String value = textByColumn.apply(column);
    if (value.indexOf(REPLACEMENT) >= 0) {
      fault(column, value, "UTF-8");
    }
    return value;
  }

  /** Returns a text without blanks around it, empty if the column is absent. */
  String stripped(String column) {
    return text(column).strip();
  }

  /** Returns a text that must be there. */
  String required(String column, String rule) {
    String value = stripped(column);
    if (value.isEmpty()) {
      fault(column, value, rule);
    }
    return value;
  }

  /**
   * Returns a whole number of 0 or more, 0 if the text is none, which is then a fault: no sign, no
   * fraction and no exponent. A negative duration is not a duration, and {@code 1e3} may be 1000 or
   * what a spreadsheet left of 1004.
   */
  long whole(String column, String unit) {
    String value = stripped(column);
    if (isWhole(value)) {
      return Long.parseLong(value);
    }
    fault(column, value, "a whole number of " + unit + ", 0 or more, in digits");
    return 0;
  }

  /** Returns whether a column holds what {@link #whole} accepts; one fault must not make two. */
  boolean isWholeAt(String column) {
    return isWhole(stripped(column));
  }

  private static boolean isWhole(String value) {
    return !value.isEmpty()
        && value.length() <= MAX_DIGITS
        && value.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  void fault(String column, String value, String rule) {
    faults.add(column + ": '" + CdrRules.shown(value) + "' (expected: " + rule + ")");
  }

  List<String> faults() {
    return faults;
  }
}
