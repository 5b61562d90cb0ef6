package io.tollgate.pricing;

import io.tollgate.domain.cdr.CdrRules;

/**
 * Something wrong with a tariff file, or worth a look.
 *
 * @param severity an error keeps the book from being used, a warning does not
 * @param file path below the tariff directory
 * @param line from 1; 0 if the file as a whole is meant
 * @param column in a CSV file the number of the field, in a YAML file that of the character, from
 *     1; 0 if the line as a whole is meant
 * @param field name of the column or key; empty if none is meant
 * @param value what stands there, shortened
 * @param rule what is expected, and where it helps how to mend it
 */
public record Problem(
    Severity severity, String file, int line, int column, String field, String value, String rule) {
  /** Whether a problem keeps the book from being used. */
  public enum Severity {
    ERROR,
    WARNING
  }

  public Problem {
    value = CdrRules.shown(value);
  }

  /** Returns {@code file:line:column: severity: field: value (expected: rule)}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(file);
    if (line > 0) {
      text.append(':').append(line);
      if (column > 0) {
        text.append(':').append(column);
      }
    }
    text.append(severity == Severity.ERROR ? ": error: " : ": warning: ");
    if (!field.isEmpty()) {
      text.append(field).append(": ");
    }
    if (!value.isEmpty()) {
      text.append(value).append(' ');
    }
    return text.append('(').append(rule).append(')').toString();
  }
}
