package io.tollgate.pricing.cgrates;

import de.siegmar.fastcsv.reader.CommentStrategy;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.tollgate.pricing.Problem;
import io.tollgate.pricing.Problems;
import io.tollgate.pricing.TextFile;
import io.tollgate.pricing.cgrates.Finding.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * The six files, and the columns of each. Columns have no names in a file: their place counts. A
 * line that begins with {@code #} is a comment.
 */
enum CgratesFile {
  TIMINGS("Timings.csv", false, "Tag", "Years", "Months", "MonthDays", "WeekDays", "Time"),
  DESTINATIONS("Destinations.csv", false, "Id", "Prefix"),
  RATES(
      "Rates.csv",
      true,
      "Id",
      "ConnectFee",
      "Rate",
      "RateUnit",
      "RateIncrement",
      "GroupIntervalStart"),
  DESTINATION_RATES(
      "DestinationRates.csv",
      true,
      "Id",
      "DestinationId",
      "RatesTag",
      "RoundingMethod",
      "RoundingDecimals",
      "MaxCost",
      "MaxCostStrategy"),
  RATING_PLANS("RatingPlans.csv", true, "Id", "DestinationRatesId", "TimingTag", "Weight"),
  RATING_PROFILES(
      "RatingProfiles.csv",
      true,
      "Tenant",
      "Category",
      "Subject",
      "ActivationTime",
      "RatingPlanId",
      "RatesFallbackSubject");

  final String fileName;
  private final boolean isRequired;

  @SuppressWarnings("ImmutableEnumChecker") // it does not know that List.of cannot change
  private final List<String> columns;

  CgratesFile(String fileName, boolean isRequired, String... columns) {
    this.fileName = fileName;
    this.isRequired = isRequired;
    this.columns = List.of(columns);
  }

  /** Reads the rows that have all their columns. */
  void read(Path directory, Findings findings, Consumer<Row> onRow) {
    Path file = directory.resolve(fileName);
    if (!Files.exists(file)) {
      if (isRequired) {
        findings.add(fault(0, 0, "file", "not there", "expected: a file " + fileName));
      }
      return;
    }
    Problems problems = new Problems();
    String text = TextFile.read(file, fileName, problems);
    if (text == null) {
      for (Problem problem : problems.sorted()) {
        findings.add(fault(problem.line(), 0, problem.field(), problem.value(), problem.rule()));
      }
      return;
    }
    try (CsvReader<CsvRecord> reader =
        CsvReader.builder()
            .commentStrategy(CommentStrategy.SKIP)
            .commentCharacter('#')
            .skipEmptyLines(true)
            .allowUnclosedQuote(false)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .trimWhitespacesAroundQuotes(true)
            .ofCsvRecord(text)) {
      for (CsvRecord record : reader) {
        Row row = new Row(this, record, findings);
        if (!row.isBlank() && !row.get(1).startsWith("#") && row.hasItsColumns()) {
          onRow.accept(row);
        }
      }
    } catch (CsvParseException e) {
      Throwable cause = e.getCause();
      String what = e.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
      findings.add(fault(0, 0, "CSV", what, "expected: CSV with balanced quotes"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Finding fault(int line, int column, String field, String value, String why) {
    return new Finding(Kind.FAULT, fileName, line, column, field, value, why);
  }

  /** A row with its place. */
  static final class Row {
    private final CgratesFile file;
    private final CsvRecord record;
    private final Findings findings;

    Row(CgratesFile file, CsvRecord record, Findings findings) {
      this.file = file;
      this.record = record;
      this.findings = findings;
    }

    /** Returns a field without blanks around it; the first has number 1. */
    String get(int column) {
      return column <= record.getFieldCount() ? record.getField(column - 1).strip() : "";
    }

    int line() {
      return (int) record.getStartingLineNumber();
    }

    String place() {
      return file.fileName + ":" + line();
    }

    void fault(int column, String expected) {
      add(Kind.FAULT, column, "expected: " + expected);
    }

    void notExpressed(int column, String why) {
      add(Kind.NOT_EXPRESSED, column, why);
    }

    void note(int column, String why) {
      add(Kind.NOTE, column, why);
    }

    private void add(Kind kind, int column, String why) {
      String field = column == 0 ? "row" : file.columns.get(column - 1);
      String value = column == 0 ? String.join(",", record.getFields()) : get(column);
      findings.add(new Finding(kind, file.fileName, line(), column, field, value, why));
    }

    private boolean isBlank() {
      return record.getFields().stream().allMatch(String::isBlank);
    }

    private boolean hasItsColumns() {
      int filled = record.getFieldCount();
      while (filled > file.columns.size() && get(filled).isEmpty()) {
        filled--;
      }
      // The last column may be left off where it may be empty.
      boolean isGood =
          filled == file.columns.size()
              || (filled == file.columns.size() - 1
                  && (file == RATING_PROFILES || file == DESTINATION_RATES));
      if (!isGood) {
        fault(
            0,
            file.columns.size()
                + " fields: "
                + String.join(",", file.columns)
                + "; there are "
                + filled);
      }
      return isGood;
    }
  }
}
