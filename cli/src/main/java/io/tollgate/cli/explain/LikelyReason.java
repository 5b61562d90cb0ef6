package io.tollgate.cli.explain;

import io.tollgate.cli.explain.BatchClues.InFile;
import io.tollgate.cli.explain.BatchClues.Look;
import io.tollgate.cli.explain.RecordClues.Copy;
import io.tollgate.cli.explain.RecordClues.RowClue;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.reconcile.DifferenceKind;

/**
 * Why something probably disagrees, by what was found of it. The first row that fits decides; a row
 * that rests on something being absent counts only if it was looked for to the end.
 *
 * <table>
 *   <caption>Reasons</caption>
 *   <tr><th>difference</th><th>found</th><th>reason</th></tr>
 *   <tr><td>MISSING_OUTCOME</td><td>a receipt</td><td>it is there by now</td></tr>
 *   <tr><td></td><td>in the topic, not committed</td><td>still to be read</td></tr>
 *   <tr><td></td><td>in the topic, committed</td><td>the rating job lost it</td></tr>
 *   <tr><td></td><td>not in the file that was announced</td><td>the total is too high</td></tr>
 *   <tr><td></td><td>the file has changed</td><td>cut or edited after it was sent</td></tr>
 *   <tr><td></td><td>not in what the topic still keeps</td><td>deleted from the topic, or never
 *       there</td></tr>
 *   <tr><td></td><td>in the file, not in the topic</td><td>lost on the way to Kafka</td></tr>
 *   <tr><td></td><td>behind the last record of the batch</td><td>cut, or the total is too
 *       high</td></tr>
 *   <tr><td></td><td>not in the topic</td><td>never reached the topic</td></tr>
 *   <tr><td>SURPLUS_OUTCOME</td><td>in the topic</td><td>the total is too low</td></tr>
 *   <tr><td></td><td>otherwise</td><td>receipts of a record that is not there</td></tr>
 *   <tr><td>MISSING_ROW</td><td>its row</td><td>it is there by now</td></tr>
 *   <tr><td></td><td>in the topic</td><td>the row was removed or never written</td></tr>
 *   <tr><td></td><td>not in the topic</td><td>likewise, and it cannot be read again</td></tr>
 *   <tr><td>SURPLUS_ROW</td><td>no row</td><td>it is gone by now</td></tr>
 *   <tr><td></td><td>a receipt that calls it RATED</td><td>it is there by now</td></tr>
 *   <tr><td></td><td>the record at the row's own place</td><td>its receipt is lost</td></tr>
 *   <tr><td></td><td>nothing or another record there</td><td>somebody else wrote it</td></tr>
 *   <tr><td>CHANGED_CONTENT, CHANGED_AMOUNT</td><td>content unlike the topic's</td><td>somebody
 *       changed what was used</td></tr>
 *   <tr><td></td><td>content like the topic's</td><td>somebody changed what it costs</td></tr>
 *   <tr><td>DUPLICATE_WITHOUT_ROW</td><td>a row</td><td>it is there by now</td></tr>
 *   <tr><td></td><td>none</td><td>what it repeats was never charged, or removed</td></tr>
 *   <tr><td>MISSING_EVIDENCE</td><td>on a side topic</td><td>it is there by now</td></tr>
 *   <tr><td></td><td>not there</td><td>deleted from the side topic</td></tr>
 *   <tr><td>others</td><td></td><td>one for each kind</td></tr>
 * </table>
 */
final class LikelyReason {
  private static final String NOTHING =
      "nothing: the next cycles find it gone; if not, ask again in a minute";
  private static final Likely NOT_LOOKED =
      new Likely(
          "it cannot be told: not everything could be looked at",
          "see what could not be asked, or give more time with --timeout");

  private LikelyReason() {}

  /** Returns the likely reason for one record. */
  static Likely of(DifferenceKind kind, RecordClues record, BatchClues batch) {
    return switch (kind) {
      case MISSING_OUTCOME -> missingOutcome(record, batch);
      case SURPLUS_OUTCOME -> surplusOutcome(record, batch);
      case MISSING_ROW -> missingRow(record, batch);
      case SURPLUS_ROW -> surplusRow(record, batch);
      case CHANGED_AMOUNT, CHANGED_CONTENT -> changed(record);
      case DUPLICATE_WITHOUT_ROW -> duplicateWithoutRow(record, batch);
      case MISSING_EVIDENCE -> missingEvidence(record, batch);
      case DOUBLE_CHARGE ->
          new Likely(
              record.ownRows().size() > 1
                  ? "one record was charged under two identities or in two hours: two CDRs carry"
                      + " the same batch-seq, or somebody copied a row"
                  : "receipts name rows of one record in two partitions of the ledger",
              "halt acknowledge --resolve void; --dry-run names the rows");
      default -> of(kind);
    };
  }

  /** Returns the likely reason for a difference that is about no single record. */
  static Likely of(DifferenceKind kind) {
    return switch (kind) {
      case CONTRADICTING_TOTALS ->
          new Likely(
              "the source closed the batch twice with different counts: see what it said",
              "ask the source which one holds; halt acknowledge --resolve write-off");
      case USAGE_MISMATCH ->
          new Likely(
              "every record is there and their usage adds up to something else: the source counted"
                  + " otherwise than it sent",
              "ask the source; halt acknowledge --resolve write-off");
      case OVERDUE_TOTAL ->
          new Likely(
              "the sender ended before it could close the batch",
              "send the file again: ./tollgate ingest goes on where it was; halt acknowledge"
                  + " --resolve replay");
      case MISSING_FILE ->
          new Likely(
              "a file of the sequence was never sent, or was sent under another name",
              "send it: ./tollgate ingest; halt acknowledge --resolve replay, or write-off if it"
                  + " does not exist");
      case SILENT_SOURCE ->
          new Likely(
              "the source or its collector has stopped, or has nothing to say",
              "ask the source; halt acknowledge --resolve replay, or write-off");
      case UNREADABLE_CONTROL ->
          new Likely(
              "something else writes to the topic of control totals",
              "find out who; it never halts charging");
      case SETTLED_VANISHED ->
          new Likely(
              "rows were removed after their hour was settled",
              "find out who; repair what the records in the topic allow");
      case SETTLED_CHANGED ->
          new Likely(
              "rows were changed after their hour was settled",
              "find out who; then rerate or void");
      default -> NOT_LOOKED;
    };
  }

  private static Likely missingOutcome(RecordClues record, BatchClues batch) {
    String resend = "halt acknowledge --resolve replay, then ./tollgate ingest --resend the file";
    if (!record.receipts().isEmpty()) {
      return new Likely("a receipt names it by now", NOTHING);
    }
    if (!record.copies().isEmpty() && !record.isReadPast()) {
      return new Likely(
          "it is in the topic and the rating job has not committed past it",
          "wait, and see that the rating job runs");
    }
    if (!record.copies().isEmpty()) {
      return isWhole(batch.receipts())
          ? new Likely(
              "it is in the topic before the committed offset and has no receipt: the rating job"
                  + " lost it",
              resend + "; report a defect")
          : NOT_LOOKED;
    }
    if (batch.topic() == Look.NONE || batch.topic() == Look.PART) {
      return NOT_LOOKED;
    }
    if (batch.file().inFile() == InFile.FOUND && record.seq() >= batch.file().records()) {
      return new Likely(
          "the file has only "
              + batch.file().records()
              + " records in this batch: the control total is too high",
          "ask the source; halt acknowledge --resolve write-off");
    }
    if (batch.file().inFile() == InFile.CHANGED) {
      return new Likely(
          "the file was cut or edited after it was sent, and the record is not in the topic",
          "send the file as it was announced: ./tollgate ingest --resend; or write-off");
    }
    if (batch.topic() == Look.SHORTENED) {
      return new Likely(
          "it is not in what the topic still keeps: deleted with the old records, or never there",
          resend);
    }
    if (batch.file().inFile() == InFile.FOUND) {
      return new Likely("it stands in the file and never reached the topic", resend);
    }
    if (record.seq() > batch.highestSeq()) {
      return new Likely(
          batch.highestSeq() < 0
              ? "nothing of the batch is in the topic: it was never sent, or the control total is"
                  + " not of this batch"
              : "the topic ends with batch-seq "
                  + batch.highestSeq()
                  + ": the file was cut short, or the control total is too high",
          "compare the file with the control total; " + resend + ", or write-off");
    }
    return new Likely("it never reached the topic", resend);
  }

  private static Likely surplusOutcome(RecordClues record, BatchClues batch) {
    if (!record.copies().isEmpty()) {
      return new Likely(
          "the topic has more records of the batch than its control total says ("
              + batch.records()
              + "): the total is too low, or somebody else sends under this batch",
          "ask the source; halt acknowledge --resolve write-off");
    }
    return isWhole(batch.topic())
        ? new Likely(
            "receipts name a record that is not in the topic",
            "halt acknowledge --resolve write-off, and report a defect")
        : NOT_LOOKED;
  }

  private static Likely missingRow(RecordClues record, BatchClues batch) {
    if (!record.ownRows().isEmpty()) {
      return new Likely("its row is there by now", NOTHING);
    }
    if (!record.rows().isEmpty()) {
      return new Likely(
          "the row of another record has its identity: after a loss of state a repeat was called"
              + " RATED",
          NOTHING);
    }
    if (!record.copies().isEmpty()) {
      return new Likely(
          "it was charged, and its row was removed or never written",
          "halt acknowledge --resolve repair; find out who removed it");
    }
    return batch.topic() == Look.NONE || batch.topic() == Look.PART
        ? NOT_LOOKED
        : new Likely(
            "it was charged, its row is gone, and the topic no longer has the record",
            "./tollgate ingest --resend the file, then halt acknowledge --resolve repair; or"
                + " write-off");
  }

  private static Likely surplusRow(RecordClues record, BatchClues batch) {
    if (record.ownRows().isEmpty()) {
      return new Likely("no such row was found: it is gone by now, or voided", NOTHING);
    }
    if (record.isRated()) {
      return new Likely("a receipt names it by now", NOTHING);
    }
    if (!isWhole(batch.receipts())) {
      return NOT_LOOKED;
    }
    for (RowClue row : record.ownRows()) {
      if (row.charge().revision() > 0) {
        continue; // a correction beside it
      }
      if (!row.isPlaceKnown()) {
        return NOT_LOOKED;
      }
      Copy there = row.atItsPlace();
      if (there == null || !there.key().equals(batch.key()) || there.seq() != record.seq()) {
        return new Likely(
            there == null
                ? "the topic has nothing at the place that the row names: the rating job did not"
                    + " write it"
                : "the topic has another record at the place that the row names: the rating job"
                    + " did not write it",
            "find out who wrote it; halt acknowledge --resolve void");
      }
    }
    return new Likely(
        "the record is in the topic at the place that the row names, and its receipt is lost",
        "report a defect; halt acknowledge --resolve write-off keeps the charge");
  }

  private static Likely changed(RecordClues record) {
    String next = "halt acknowledge --resolve rerate; find out who changed it";
    for (RowClue row : record.ownRows()) {
      for (Copy copy : record.copies()) {
        Cdr cdr = copy.cdr();
        if (cdr != null && row.charge().revision() == 0) {
          String unlike = unlike(cdr, row.charge());
          return unlike.isEmpty()
              ? new Likely(
                  "the row has the content of the record in the topic, at another price: somebody"
                      + " changed the amount",
                  next)
              : new Likely("somebody changed the row: " + unlike, next);
        }
      }
    }
    return new Likely("somebody changed the row; the record in the topic was not found", next);
  }

  private static String unlike(Cdr cdr, Charge charge) {
    Cdr row = charge.cdr();
    StringBuilder unlike = new StringBuilder();
    compare(unlike, "type", cdr.usageType(), row.usageType());
    compare(unlike, "calling", cdr.calling(), row.calling());
    compare(unlike, "called", cdr.called(), row.called());
    compare(unlike, "start", cdr.startMillis(), row.startMillis());
    compare(unlike, "usage", cdr.usage(), row.usage());
    compare(unlike, "cause", cdr.cause(), row.cause());
    compare(unlike, "attributes", cdr.attributes(), row.attributes());
    return unlike.toString();
  }

  private static void compare(StringBuilder unlike, String name, Object topic, Object row) {
    if (!topic.equals(row)) {
      unlike
          .append(unlike.length() == 0 ? "" : "; ")
          .append(name)
          .append(" in the topic ")
          .append(topic)
          .append(", in the row ")
          .append(row);
    }
  }

  private static Likely duplicateWithoutRow(RecordClues record, BatchClues batch) {
    if (!record.rows().isEmpty()) {
      return new Likely("a row with its identity is there", NOTHING);
    }
    return record.copies().isEmpty() && !isWhole(batch.topic())
        ? NOT_LOOKED
        : new Likely(
            "the charge that it repeats was removed, or never written",
            "look for a MISSING_ROW of the same account and event and repair that first; else"
                + " write-off, and report a defect");
  }

  private static Likely missingEvidence(RecordClues record, BatchClues batch) {
    if (!record.kept().isEmpty()) {
      return new Likely("it is on its side topic by now", NOTHING);
    }
    return isWhole(batch.receipts())
        ? new Likely(
            "it was put aside, and somebody deleted it from the side topic",
            "halt acknowledge --resolve replay, then ./tollgate ingest --resend the file")
        : NOT_LOOKED;
  }

  private static boolean isWhole(Look look) {
    return look == Look.WHOLE || look == Look.SHORTENED;
  }
}
