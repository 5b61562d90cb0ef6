package io.tollgate.cli;

import io.tollgate.cli.explain.BatchClues;
import io.tollgate.cli.explain.BatchClues.FileClue;
import io.tollgate.cli.explain.BatchClues.Look;
import io.tollgate.cli.explain.BatchClues.Said;
import io.tollgate.cli.explain.BatchKey;
import io.tollgate.cli.explain.Explainer.Answer;
import io.tollgate.cli.explain.Explainer.Explained;
import io.tollgate.cli.explain.Explainer.Place;
import io.tollgate.cli.explain.RecordClues;
import io.tollgate.cli.explain.RecordClues.Copy;
import io.tollgate.cli.explain.RecordClues.Kept;
import io.tollgate.cli.explain.RecordClues.Line;
import io.tollgate.cli.explain.RecordClues.Named;
import io.tollgate.cli.explain.RecordClues.RowClue;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.settlement.ResultReader.PartitionRow;
import io.tollgate.wire.SeqText;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/** What became of single records and why they probably disagree, for people. */
final class ExplanationText {
  private static final int SHOWN = 300;
  private static final int RANGES_SHOWN = 20;

  private final PrintWriter out;
  private final ReconcileTables tables;

  ExplanationText(PrintWriter out, ReconcileTables tables) {
    this.out = out;
    this.tables = tables;
  }

  /** Prints the batches, the differences with their reasons, and what could not be asked. */
  void print(Answer answer) {
    answer.batches().values().forEach(this::print);
    if (!answer.differences().isEmpty()) {
      tables.title("differences");
      answer.differences().forEach(this::print);
    }
    if (!answer.unavailable().isEmpty()) {
      tables.title("could not be asked");
      answer.unavailable().forEach(each -> out.println("  " + each));
    }
    out.flush();
  }

  /** Prints what receipts and ledger say of an hour now, beside what was read of it last. */
  void print(List<Place> places, List<PartitionRow> recorded) {
    if (places.isEmpty()) {
      return;
    }
    tables.title("receipts and rows, as they are now");
    out.printf("%-16s %6s %12s %12s %12s %s%n", "source", "bucket", "receipts", "rows", "read", "");
    for (Place each : places) {
      out.printf(
          "%-16s %6s %12s %12s %12s %s%n",
          CdrRules.shown(each.source()),
          each.bucket() < 0 ? "?" : Integer.toString(each.bucket()),
          number(each.receipts()),
          number(each.rows()),
          recorded.stream()
              .filter(row -> row.bucket() == each.bucket() && row.source().equals(each.source()))
              .findFirst()
              .map(row -> Long.toString(row.charges()))
              .orElse("never"),
          each.receipts() >= 0 && each.rows() >= 0 && each.receipts() != each.rows()
              ? "differ"
              : "");
    }
  }

  private static String number(long count) {
    return count < 0 ? "unknown" : Long.toString(count);
  }

  private void print(BatchClues batch) {
    BatchKey key = batch.key();
    tables.title(
        "evidence about batch "
            + CdrRules.shown(key.batch())
            + " of source "
            + CdrRules.shown(key.source()));
    for (Said said : batch.said()) {
      out.println(
          "  said      "
              + CdrRules.shown(said.what(), SHOWN)
              + ", at "
              + Instant.ofEpochMilli(said.atMillis())
              + " ("
              + said.partition()
              + ":"
              + said.offset()
              + ")");
    }
    FileClue file = batch.file();
    if (!file.note().isEmpty()) {
      out.println("  file      " + CdrRules.shown(file.note(), SHOWN));
    }
    if (batch.receipts() != Look.NONE) {
      out.println(
          "  receipts  "
              + batch.rated().getLongCardinality()
              + " RATED, "
              + batch.unrated().getLongCardinality()
              + " otherwise"
              + seqs(", none for batch-seqs ", batch.withoutReceipt())
              + seqs(", beyond the control total: ", batch.beyondTotal())
              + (batch.receipts() == Look.PART ? " (not all were read)" : ""));
    }
    for (RecordClues record : batch.named().values()) {
      print(record, batch);
    }
    if (batch.unnamed() > 0) {
      out.println("  and " + batch.unnamed() + " more records (--records shows more)");
    }
  }

  private static String seqs(String what, RoaringBitmap seqs) {
    if (seqs.isEmpty()) {
      return "";
    }
    List<String> parts = SeqText.parts(seqs, RANGES_SHOWN);
    return what + parts.get(0) + (parts.size() > 1 ? ",..." : "");
  }

  private void print(RecordClues record, BatchClues batch) {
    out.println("  batch-seq " + record.seq());
    lines(record, batch).forEach(line -> out.println("    " + line));
  }

  /** Returns what is known of a record, a line for each piece of evidence. */
  static List<String> lines(RecordClues record, BatchClues batch) {
    List<String> lines = new ArrayList<>();
    for (Copy copy : record.copies()) {
      lines.add(
          "topic     at "
              + copy.partition()
              + ":"
              + copy.offset()
              + (copy.isCommitted() ? ", committed" : ", not committed yet")
              + (copy.place().isEmpty() ? "" : ", from " + CdrRules.shown(copy.place(), SHOWN)));
      lines.add("          " + content(copy));
    }
    if (record.copies().isEmpty() && batch.topic() != Look.NONE) {
      lines.add(
          "topic     "
              + switch (batch.topic()) {
                case PART -> "not seen in the part that was read";
                case SHORTENED -> "not in what it still keeps";
                default -> "not there";
              });
    }
    for (Named named : record.receipts()) {
      lines.add(
          "receipt   "
              + named.outcome()
              + (named.reason().isEmpty() ? "" : " (" + named.reason() + ")")
              + (named.usageHour() < 0 ? "" : ", hour " + UsageHours.text(named.usageHour()))
              + (named.bucket() < 0 ? "" : ", bucket " + named.bucket())
              + (named.partition() < 0 ? "" : ", at " + named.partition() + ":" + named.offset()));
    }
    if (record.receipts().isEmpty() && batch.receipts() != Look.NONE) {
      lines.add(
          "receipt   "
              + (batch.receipts() == Look.PART ? "none in the part that was read" : "none"));
    }
    record.rows().forEach(row -> lines.add(row(row)));
    for (Kept kept : record.kept()) {
      lines.add(
          "waits     on "
              + kept.topic()
              + ": "
              + kept.reason()
              + ", from "
              + kept.partition()
              + ":"
              + kept.offset()
              + ", "
              + CdrRules.shown(kept.detail(), SHOWN));
    }
    Line line = record.line();
    if (line != null) {
      lines.add(
          "file      "
              + CdrRules.shown(line.file(), SHOWN)
              + ":"
              + line.number()
              + (line.isExact() ? "" : ", by its neighbours"));
      if (!line.text().isEmpty()) {
        lines.add("          " + CdrRules.shown(line.text(), SHOWN));
      }
    }
    return lines;
  }

  private static String content(Copy copy) {
    if (!copy.badLine().isEmpty()) {
      return "no CDR: " + CdrRules.shown(copy.badLine(), SHOWN);
    }
    Cdr cdr = copy.cdr();
    return cdr == null
        ? "no CDR that can be read"
        : "account "
            + CdrRules.shown(cdr.accountId())
            + ", event "
            + CdrRules.shown(cdr.eventId(), SHOWN)
            + ", "
            + cdr.usageType()
            + ", to "
            + CdrRules.shown(cdr.called())
            + ", start "
            + Instant.ofEpochMilli(cdr.startMillis())
            + ", usage "
            + cdr.usage();
  }

  private static String row(RowClue row) {
    Charge charge = row.charge();
    return "row       "
        + (row.isOfRecord() ? "" : "of another record with this identity: ")
        + "hour "
        + UsageHours.text(charge.usageHour())
        + ", bucket "
        + row.bucket()
        + ", account "
        + CdrRules.shown(charge.cdr().accountId())
        + ", event "
        + CdrRules.shown(charge.cdr().eventId(), SHOWN)
        + ", "
        + charge.rating().amount().toPlainString()
        + " "
        + charge.rating().currency()
        + ", tariff version "
        + charge.rating().tariffVersion()
        + (charge.revision() == 0 ? "" : ", revision " + charge.revision())
        + ", made of "
        + charge.origin().partition()
        + ":"
        + charge.origin().offset();
  }

  private void print(Explained explained) {
    tables.print(explained.row());
    for (Map.Entry<io.tollgate.cli.explain.Likely, String> reason :
        explained.reasons().entrySet()) {
      out.println(
          "  likely    "
              + (reason.getValue().isEmpty() ? "" : "batch-seqs " + reason.getValue() + ": ")
              + reason.getKey().cause());
      out.println("  next      " + reason.getKey().next());
    }
  }
}
