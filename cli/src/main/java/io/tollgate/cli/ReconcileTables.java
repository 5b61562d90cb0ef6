package io.tollgate.cli;

import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.reconcile.ReconcileResult.Cycle;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.settlement.ResultReader.BatchHour;
import io.tollgate.settlement.ResultReader.BatchRow;
import io.tollgate.settlement.ResultReader.DifferenceRow;
import io.tollgate.settlement.ResultReader.HaltRow;
import io.tollgate.settlement.ResultReader.HourRow;
import io.tollgate.settlement.ResultReader.PartitionRow;
import io.tollgate.settlement.ResultReader.SettledPlace;
import io.tollgate.settlement.ResultReader.SourceRow;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/** What reconciliation found, as tables for people who have just been woken. */
final class ReconcileTables {
  private static final int SHOWN = 100;
  private static final int SHOWN_OF_SENTENCE = 300;
  private static final long MILLIS_PER_SECOND = 1_000;

  private final PrintWriter out;
  private final long nowMillis;

  ReconcileTables(PrintWriter out, long nowMillis) {
    this.out = out;
    this.nowMillis = nowMillis;
  }

  /**
   * Prints a status.
   *
   * @param pulse what the ledger says of cycles; empty if it was not asked
   */
  void print(ReconcileStatus status, String pulse) {
    out.println(status.verdict().text());
    if (!pulse.isEmpty()) {
      out.println(pulse);
    }
    if (!status.cycles().isEmpty()) {
      out.println("newest cycle: " + ago(status.cycles().get(0).finishedMillis()));
    }
    differences(status.differences(), status.overview().confirmedDifferences());
    halts(status.halts());
    cycles(status.cycles());
    sources(status.sources());
    batches(status.batches(), status.overview().openBatches());
    hours(status.hours(), status.overview().openHours());
  }

  void print(ReconcileExplanation.OfBatch explanation) {
    for (ReconcileExplanation.OneBatch one : explanation.batches()) {
      BatchRow batch = one.batch();
      title("batch " + shown(batch.batch()) + " of source " + batch.source());
      out.println("file      " + (batch.file().isEmpty() ? "unknown" : shown(batch.file())));
      out.println("state     " + batch.state() + waiting(batch.waitingFor()));
      out.println("judged    " + ago(batch.atMillis()));
      out.println(
          "expected  "
              + (batch.records() < 0
                  ? "unknown: there is no control total yet"
                  : batch.records() + " records, usage " + batch.usage()));
      out.println(
          "outcomes  "
              + batch.outcomes()
              + ", in all "
              + batch.outcomes().values().stream().mapToLong(Long::longValue).sum());
      batchHours(one.hours());
    }
  }

  void print(ReconcileExplanation.OfHour explanation) {
    title("usage hour " + UsageHours.text(explanation.usageHour()));
    hours(explanation.hours(), explanation.hours().size());
    partitions(explanation.partitions());
    batchHours(explanation.batches());
    settled(explanation.settled());
  }

  private void differences(List<DifferenceRow> differences, long all) {
    if (differences.isEmpty()) {
      return;
    }
    title("differences" + more(differences.size(), all));
    differences.forEach(this::print);
  }

  /** Prints one difference. */
  void print(DifferenceRow one) {
    out.println(
        one.status()
            + " "
            + one.kind()
            + ": "
            + place(one)
            + (one.records() < 0
                ? ""
                : ", " + one.records() + (one.records() == 1 ? " record" : " records"))
            + (one.items().isEmpty() ? "" : " (" + shown(one.items()) + ")"));
    if (!one.expected().isEmpty()) {
      out.println("  expected  " + shown(one.expected()));
    }
    out.println("  found     " + CdrRules.shown(one.found(), SHOWN_OF_SENTENCE));
    if (!one.example().isEmpty()) {
      out.println("  example   " + CdrRules.shown(one.example(), SHOWN_OF_SENTENCE));
    }
    out.println(
        "  id        "
            + one.id()
            + (one.haltId().isEmpty() ? "" : ", halt " + one.haltId())
            + ", first seen "
            + ago(one.firstMillis())
            + ", last "
            + ago(one.atMillis()));
  }

  private void halts(List<HaltRow> halts) {
    if (halts.isEmpty()) {
      return;
    }
    title("halts");
    for (HaltRow halt : halts) {
      out.println(
          (halt.isOpen() ? "HALT " : "halt ")
              + halt.haltId()
              + ", "
              + ago(halt.raisedMillis())
              + ", "
              + halt.resolved()
              + " of "
              + halt.differences()
              + " resolved"
              + (halt.answeredBy().isEmpty() ? "" : ", last by " + shown(halt.answeredBy()))
              + ": "
              + shown(halt.reason()));
    }
  }

  private void cycles(List<Cycle> cycles) {
    if (cycles.isEmpty()) {
      return;
    }
    title("last cycles");
    out.printf(
        "%-20s %8s %11s %12s %9s %11s%n",
        "finished", "took", "partitions", "rows", "batches", "differences");
    for (Cycle cycle : cycles) {
      out.printf(
          "%-20s %6d s %11d %12d %9d %11d%n",
          time(cycle.finishedMillis()),
          (cycle.finishedMillis() - cycle.startedMillis()) / MILLIS_PER_SECOND,
          cycle.partitionsRead(),
          cycle.rowsRead(),
          cycle.batchesJudged(),
          cycle.differences());
    }
  }

  private void sources(List<SourceRow> sources) {
    if (sources.isEmpty()) {
      return;
    }
    title("sources");
    out.printf(
        "%-20s %-9s %-12s %-14s %s%n",
        "source", "state", "open batches", "last heard", "waits for");
    for (SourceRow source : sources) {
      out.printf(
          "%-20s %-9s %12d %-14s %s%n",
          source.source(),
          source.state(),
          source.openBatches(),
          source.lastHeardMillis() == 0 ? "never" : ago(source.lastHeardMillis()),
          shown(source.waitingFor()));
    }
  }

  private void batches(List<BatchRow> batches, long all) {
    if (batches.isEmpty()) {
      return;
    }
    title("open batches" + more(batches.size(), all));
    out.printf("%-16s %-40s %-9s %s%n", "source", "batch", "state", "waits for");
    for (BatchRow batch : batches) {
      out.printf(
          "%-16s %-40s %-9s %s%n",
          batch.source(), shown(batch.batch()), batch.state(), shown(batch.waitingFor()));
    }
  }

  private void hours(List<HourRow> hours, long all) {
    if (hours.isEmpty()) {
      return;
    }
    title("hours" + more(hours.size(), all));
    out.printf("%-15s %-16s %-9s %-9s %s%n", "hour", "source", "state", "lines", "waits for");
    for (HourRow hour : hours) {
      out.printf(
          "%-15s %-16s %-9s %-9s %s%n",
          UsageHours.text(hour.usageHour()),
          hour.source(),
          hour.state(),
          hour.settledMillis().isPresent() ? "yes" : "none",
          shown(hour.waitingFor()));
    }
  }

  private void partitions(List<PartitionRow> partitions) {
    if (partitions.isEmpty()) {
      return;
    }
    title("read from the ledger");
    out.printf(
        "%-16s %6s %-9s %10s %-12s %s%n", "source", "bucket", "state", "rows", "read", "owed");
    for (PartitionRow one : partitions) {
      out.printf(
          "%-16s %6d %-9s %10d %-12s %s%n",
          one.source(),
          one.bucket(),
          one.state(),
          one.charges(),
          ago(one.atMillis()),
          one.amounts().entrySet().stream()
              .map(each -> each.getValue().toPlainString() + " " + each.getKey())
              .collect(Collectors.joining(", ")));
    }
  }

  private void batchHours(List<BatchHour> hours) {
    if (hours.isEmpty()) {
      return;
    }
    title("rows of batches by hour");
    out.printf("%-15s %-40s %10s %s%n", "hour", "batch", "rows", "settled");
    for (BatchHour one : hours) {
      out.printf(
          "%-15s %-40s %10d %s%n",
          UsageHours.text(one.usageHour()),
          shown(one.batch()),
          one.charges(),
          one.isSettled() ? "yes" : "no");
    }
  }

  private void settled(List<SettledPlace> places) {
    if (places.isEmpty()) {
      return;
    }
    title("settled");
    out.printf("%-16s %6s %10s %18s%n", "source", "bucket", "charges", "amount");
    for (SettledPlace one : places) {
      out.printf(
          "%-16s %6d %10d %18s %s%n",
          one.source(), one.bucket(), one.charges(), one.amount().toPlainString(), one.currency());
    }
  }

  void title(String text) {
    out.println();
    out.println(text);
  }

  private static String more(int shown, long all) {
    return all > shown ? " (" + shown + " of " + all + ")" : "";
  }

  private static String place(DifferenceRow one) {
    return "source "
        + (one.source().isEmpty() ? "unknown" : one.source())
        + (one.batch().isEmpty() ? "" : ", batch " + shown(one.batch()))
        + (one.usageHour() < 0 ? "" : ", hour " + UsageHours.text(one.usageHour()));
  }

  private static String waiting(String waitingFor) {
    return waitingFor.isEmpty() ? "" : ", waits for " + shown(waitingFor);
  }

  private static String shown(String text) {
    return CdrRules.shown(text, SHOWN);
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private String ago(long millis) {
    long seconds = (nowMillis - millis) / MILLIS_PER_SECOND;
    if (seconds < 120) {
      return seconds + " s ago";
    }
    long minutes = seconds / 60;
    return minutes < 120 ? minutes + " min ago" : minutes / 60 + " h ago";
  }
}
