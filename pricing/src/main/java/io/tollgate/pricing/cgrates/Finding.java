package io.tollgate.pricing.cgrates;

import io.tollgate.domain.cdr.CdrRules;
import java.util.Locale;

/**
 * Something about a CGRateS file that whoever imports it should know.
 *
 * @param kind what it means for the import
 * @param file name of the file
 * @param line from 1; 0 if the file as a whole is meant
 * @param column number of the field, from 1; 0 if the line as a whole is meant
 * @param field name of the column; empty if none is meant
 * @param value what stands there, shortened
 * @param why what is expected, or why it cannot be expressed
 */
public record Finding(
    Kind kind, String file, int line, int column, String field, String value, String why) {
  /** What a finding means for the import. */
  public enum Kind {
    /** It cannot be read; nothing is written. */
    FAULT,
    /** Our files cannot say it; the rest is written. */
    NOT_EXPRESSED,
    /** It is not in our files and has no effect on a price. */
    NOTE
  }

  public Finding {
    value = CdrRules.shown(value);
  }

  /** Returns {@code file:line:column: kind: field: value (why)}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(file);
    if (line > 0) {
      text.append(':').append(line);
      if (column > 0) {
        text.append(':').append(column);
      }
    }
    text.append(": ").append(kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')).append(": ");
    if (!field.isEmpty()) {
      text.append(field).append(": ");
    }
    if (!value.isEmpty()) {
      text.append(value).append(' ');
    }
    return text.append('(').append(why).append(')').toString();
  }
}
