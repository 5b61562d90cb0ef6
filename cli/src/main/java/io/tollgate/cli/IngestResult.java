package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgate.ingest.batch.FileReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of the files of one {@code ingest}.
 *
 * @param source id of their source
 * @param dryRun whether they were only read
 * @param files reports of the files that were read, in order
 * @param failed why the rest was not sent, empty if all was
 */
record IngestResult(String source, boolean dryRun, List<FileReport> files, String failed) {
  private static final String ROW = "%-44s %11s %9s %11s %11s %9s %15s%n";
  private static final int MAX_NAME_LENGTH = 44;

  /** Returns whether the exit code must be 1. */
  boolean needsAttention() {
    return !failed.isEmpty() || files.stream().anyMatch(FileReport::needsAttention);
  }

  void printJson(PrintWriter out) throws JsonProcessingException {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("source", source);
    result.put("dryRun", dryRun);
    result.put("failed", failed);
    result.put("files", files);
    out.println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(result));
    out.flush();
  }

  void printTable(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        ROW,
        dryRun ? "file (dry run, nothing sent)" : "file",
        "records",
        "rejected",
        "sent before",
        "no records",
        "waiting",
        "bytes");
    for (FileReport file : files) {
      if (file.refused().isEmpty()) {
        print(out, file);
      } else {
        out.printf(Locale.ROOT, "%-44s refused: %s%n", shortName(file.file()), file.refused());
      }
    }
    if (files.size() > 1) {
      printSum(out);
    }
    printNotes(out);
    if (!failed.isEmpty()) {
      out.println();
      out.println(failed);
    }
    out.flush();
  }

  private static void print(PrintWriter out, FileReport file) {
    long others = file.nonRecords().values().stream().mapToLong(FileReport.NonRecords::count).sum();
    row(
        out,
        shortName(file.file()),
        file.records(),
        file.rejected(),
        file.skippedRecords(),
        others,
        file.pendingBytes() + " B",
        file.bytes());
  }

  private void printSum(PrintWriter out) {
    long records = 0;
    long rejected = 0;
    long skipped = 0;
    long others = 0;
    long pending = 0;
    long bytes = 0;
    for (FileReport file : files) {
      records += file.records();
      rejected += file.rejected();
      skipped += file.skippedRecords();
      pending += file.pendingBytes();
      bytes += file.refused().isEmpty() ? file.bytes() : 0;
      others += file.nonRecords().values().stream().mapToLong(FileReport.NonRecords::count).sum();
    }
    row(out, "all", records, rejected, skipped, others, pending + " B", bytes);
  }

  private static void row(
      PrintWriter out,
      String name,
      long records,
      long rejected,
      long skipped,
      long others,
      String pending,
      long bytes) {
    out.printf(
        Locale.ROOT,
        ROW,
        name,
        number(records),
        number(rejected),
        number(skipped),
        number(others),
        pending,
        number(bytes));
  }

  private void printNotes(PrintWriter out) {
    for (FileReport file : files) {
      boolean first = true;
      for (String note : notes(file)) {
        if (first) {
          out.println();
          out.println(file.file());
          first = false;
        }
        out.println("  " + note);
      }
    }
  }

  private static List<String> notes(FileReport file) {
    List<String> notes = new ArrayList<>();
    file.warnings().forEach(warning -> notes.add("warning: " + warning));
    file.examples().forEach(example -> notes.add("rejected " + example));
    long more = file.rejected() - file.examples().size();
    if (more > 0) {
      notes.add("and " + more + " more; all of them: ./tollgate rejected");
    }
    if (file.indistinguishable() > 0) {
      notes.add(
          "suspended "
              + file.indistinguishable()
              + " rows without an id that cannot be told from an earlier one");
    }
    new TreeMap<>(file.nonRecords())
        .forEach(
            (name, found) ->
                notes.add(
                    "no record: "
                        + name
                        + ", "
                        + found.count()
                        + " x, "
                        + found.bytes()
                        + " bytes"));
    if (file.pendingBytes() > 0) {
      notes.add("waiting: " + file.pendingBytes() + " bytes, " + file.pendingReason());
    }
    if (file.batchesSkipped() > 0) {
      notes.add(
          "sent before: "
              + file.batchesSkipped()
              + " closed batches, "
              + file.skippedBytes()
              + " bytes; --resend sends them again");
    }
    return notes;
  }

  private static String shortName(String name) {
    return name.length() <= MAX_NAME_LENGTH
        ? name
        : "..." + name.substring(name.length() - MAX_NAME_LENGTH + 3);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
