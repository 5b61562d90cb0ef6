package io.tollgate.pricing;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A CSV file as spreadsheets write it: with or without byte order mark and quotes, any line end,
 * {@code ,}, {@code ;} or tab between fields (the header line decides), blanks around values, blank
 * lines and empty trailing fields. The first line names the columns, in any order.
 */
final class CsvTable {
  private final String name;
  private final Problems problems;
  private final Map<String, Integer> columns = new LinkedHashMap<>();
  private int lastColumn;

  private CsvTable(String name, Problems problems) {
    this.name = name;
    this.problems = problems;
  }

  /**
   * Reads a file row by row.
   *
   * @param name path to show in problems
   * @param layout columns that may and must be there
   */
  static void read(Path file, String name, Layout layout, Problems problems, Consumer<Row> onRow) {
    String text = TextFile.read(file, name, problems);
    if (text != null) {
      new CsvTable(name, problems).read(text, layout, onRow);
    }
  }

  private void read(String text, Layout layout, Consumer<Row> onRow) {
    try (CsvReader<CsvRecord> reader =
        CsvReader.builder()
            .fieldSeparator(separator(text))
            .skipEmptyLines(true)
            .allowUnclosedQuote(false)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .trimWhitespacesAroundQuotes(true)
            .ofCsvRecord(text)) {
      Iterator<CsvRecord> records = reader.iterator();
      CsvRecord header = nextFilled(records);
      if (header == null) {
        problems.error(
            name, 0, 0, "header", "no line", "a line with " + String.join(",", layout.required()));
        return;
      }
      if (!readHeader(header, layout)) {
        return;
      }
      CsvRecord record = nextFilled(records);
      while (record != null) {
        checkExtraFields(record);
        onRow.accept(new Row(record, this));
        record = nextFilled(records);
      }
    } catch (CsvParseException e) {
      problems.error(name, 0, 0, "CSV", causes(e), "CSV with balanced quotes");
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String causes(Throwable e) {
    Throwable cause = e.getCause();
    return e.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
  }

  private static @Nullable CsvRecord nextFilled(Iterator<CsvRecord> records) {
    while (records.hasNext()) {
      CsvRecord record = records.next();
      for (String field : record.getFields()) {
        if (!field.isBlank()) {
          return record;
        }
      }
    }
    return null;
  }

  private static char separator(String text) {
    int commas = 0;
    int semicolons = 0;
    int tabs = 0;
    boolean filled = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n' && filled) {
        break;
      }
      commas += c == ',' ? 1 : 0;
      semicolons += c == ';' ? 1 : 0;
      tabs += c == '\t' ? 1 : 0;
      filled |= !Character.isWhitespace(c);
    }
    if (semicolons > commas && semicolons >= tabs) {
      return ';';
    }
    return tabs > commas ? '\t' : ',';
  }

  private boolean readHeader(CsvRecord header, Layout layout) {
    boolean isGood = true;
    int line = (int) header.getStartingLineNumber();
    for (int i = 0; i < header.getFieldCount(); i++) {
      String given = header.getField(i).strip();
      if (given.isEmpty()) {
        continue;
      }
      String column = layout.column(given);
      if (column == null) {
        problems.error(
            name, line, i + 1, "column", given, "one of " + String.join(", ", layout.columns()));
        isGood = false;
      } else if (columns.putIfAbsent(column, i) != null) {
        problems.error(name, line, i + 1, "column", given, "each column once");
        isGood = false;
      } else {
        lastColumn = i;
      }
    }
    for (String required : layout.required()) {
      if (!columns.containsKey(required)) {
        problems.error(name, line, 0, "column", "no " + required, "a column " + required);
        isGood = false;
      }
    }
    return isGood;
  }

  private void checkExtraFields(CsvRecord record) {
    for (int i = lastColumn + 1; i < record.getFieldCount(); i++) {
      if (!record.getField(i).isBlank()) {
        problems.error(
            name,
            (int) record.getStartingLineNumber(),
            i + 1,
            "field",
            record.getField(i),
            "no more fields than the header; is there a decimal comma without quotes?");
      }
    }
  }

  /** Which columns a file has; other spellings of a name may stand for it. */
  static final class Layout {
    private final Map<String, String> byName = new LinkedHashMap<>();
    private final List<String> columns = new ArrayList<>();
    private final List<String> required = new ArrayList<>();

    Layout required(String column, String... otherNames) {
      required.add(column);
      return optional(column, otherNames);
    }

    Layout optional(String column, String... otherNames) {
      columns.add(column);
      byName.put(column, column);
      for (String other : otherNames) {
        byName.put(other, column);
      }
      return this;
    }

    @Nullable String column(String given) {
      String plain = given.toLowerCase(Locale.ROOT).replace(' ', '_').replace('-', '_');
      return byName.get(plain);
    }

    List<String> columns() {
      return columns;
    }

    List<String> required() {
      return required;
    }
  }

  /** A row with its place. */
  static final class Row {
    private final CsvRecord record;
    private final CsvTable table;

    Row(CsvRecord record, CsvTable table) {
      this.record = record;
      this.table = table;
    }

    int line() {
      return (int) record.getStartingLineNumber();
    }

    /** Returns the value without blanks around it, empty if the field or column is absent. */
    String get(String column) {
      Integer index = table.columns.get(column);
      if (index == null || index >= record.getFieldCount()) {
        return "";
      }
      return stripped(record.getField(index));
    }

    void error(String column, String value, String rule) {
      table.problems.error(table.name, line(), number(column), column, value, rule);
    }

    void warn(String column, String value, String rule) {
      table.problems.warn(table.name, line(), number(column), column, value, rule);
    }

    private int number(String column) {
      return Objects.requireNonNullElse(table.columns.get(column), -1) + 1;
    }

    /** Strips blanks, also those that do not break a line. */
    private static String stripped(String value) {
      int from = 0;
      int to = value.length();
      while (from < to && isBlank(value.charAt(from))) {
        from++;
      }
      while (to > from && isBlank(value.charAt(to - 1))) {
        to--;
      }
      return value.substring(from, to);
    }

    private static boolean isBlank(char c) {
      return c <= ' ' || c == '\u00A0' || c == '\u202F' || c == '\uFEFF';
    }
  }
}
