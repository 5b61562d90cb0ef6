package io.tollgate.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.cli.explain.BatchClues;
import io.tollgate.cli.explain.BatchClues.FileClue;
import io.tollgate.cli.explain.BatchClues.Said;
import io.tollgate.cli.explain.Explainer.Answer;
import io.tollgate.cli.explain.Explainer.Explained;
import io.tollgate.cli.explain.Explainer.Place;
import io.tollgate.cli.explain.RecordClues;
import io.tollgate.cli.explain.RecordClues.Copy;
import io.tollgate.cli.explain.RecordClues.Identity;
import io.tollgate.cli.explain.RecordClues.Kept;
import io.tollgate.cli.explain.RecordClues.Line;
import io.tollgate.cli.explain.RecordClues.Named;
import io.tollgate.cli.explain.RecordClues.RowClue;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.wire.SeqText;

/** What became of single records, for programs. Amounts are strings, because they are exact. */
final class ExplanationJson {
  private ExplanationJson() {}

  /** Adds an answer to what is recorded. */
  static void addTo(ObjectNode root, Answer answer) {
    ArrayNode batches = root.putArray("evidence");
    answer.batches().values().forEach(batch -> batches.add(batch(root.objectNode(), batch)));
    ArrayNode differences = root.putArray("explained");
    answer
        .differences()
        .forEach(each -> differences.add(explained(ReconcileJson.difference(each.row()), each)));
    ArrayNode places = root.putArray("places");
    answer.places().forEach(place -> places.add(place(root.objectNode(), place)));
    ArrayNode unavailable = root.putArray("unavailable");
    answer.unavailable().forEach(unavailable::add);
  }

  private static ObjectNode batch(ObjectNode node, BatchClues batch) {
    node.put("source", batch.key().source()).put("batch", batch.key().batch());
    ArrayNode said = node.putArray("said");
    for (Said each : batch.said()) {
      said.addObject()
          .put("what", each.what())
          .put("partition", each.partition())
          .put("offset", each.offset())
          .put("atMillis", each.atMillis());
    }
    node.put("records", batch.records())
        .put("rated", batch.rated().getLongCardinality())
        .put("unrated", batch.unrated().getLongCardinality())
        .put("withoutReceipt", SeqText.of(batch.withoutReceipt()))
        .put("beyondTotal", SeqText.of(batch.beyondTotal()))
        .put("topicRead", batch.topic().name())
        .put("receiptsRead", batch.receipts().name());
    FileClue file = batch.file();
    node.putObject("file")
        .put("name", file.file())
        .put("fromByte", file.fromByte())
        .put("toByte", file.toByte())
        .put("looked", file.inFile().name())
        .put("records", file.records())
        .put("note", file.note());
    ArrayNode records = node.putArray("namedRecords");
    batch.named().values().forEach(record -> record(records.addObject(), record));
    return node.put("unnamedRecords", batch.unnamed());
  }

  private static void record(ObjectNode node, RecordClues record) {
    node.put("batchSeq", record.seq());
    ArrayNode topic = node.putArray("topic");
    record.copies().forEach(copy -> copy(topic.addObject(), copy));
    ArrayNode receipts = node.putArray("receipts");
    record.receipts().forEach(named -> named(receipts.addObject(), named));
    ArrayNode rows = node.putArray("rows");
    record.rows().forEach(row -> row(rows.addObject(), row));
    ArrayNode waits = node.putArray("waits");
    for (Kept kept : record.kept()) {
      waits
          .addObject()
          .put("topic", kept.topic())
          .put("outcome", kept.outcome().name())
          .put("reason", kept.reason())
          .put("detail", kept.detail())
          .put("partition", kept.partition())
          .put("offset", kept.offset());
    }
    Line line = record.line();
    if (line != null) {
      node.putObject("line")
          .put("file", line.file())
          .put("number", line.number())
          .put("exact", line.isExact())
          .put("text", line.text());
    }
  }

  private static void copy(ObjectNode node, Copy copy) {
    node.put("partition", copy.partition())
        .put("offset", copy.offset())
        .put("committed", copy.isCommitted())
        .put("place", copy.place());
    if (!copy.badLine().isEmpty()) {
      node.put("badLine", copy.badLine());
    }
    Cdr cdr = copy.cdr();
    if (cdr != null) {
      node.put("accountId", cdr.accountId())
          .put("eventId", cdr.eventId())
          .put("usageType", cdr.usageType().name())
          .put("called", cdr.called())
          .put("startMillis", cdr.startMillis())
          .put("usage", cdr.usage());
    }
  }

  private static void named(ObjectNode node, Named named) {
    node.put("outcome", named.outcome().name()).put("reason", named.reason());
    if (named.usageHour() >= 0) {
      node.put("hour", UsageHours.text(named.usageHour())).put("bucket", named.bucket());
    }
    if (named.partition() >= 0) {
      node.put("partition", named.partition()).put("offset", named.offset());
    }
    Identity identity = named.identity();
    if (identity != null) {
      node.put("accountId", identity.accountId()).put("eventId", identity.eventId());
    }
  }

  private static void row(ObjectNode node, RowClue row) {
    Charge charge = row.charge();
    node.put("hour", UsageHours.text(charge.usageHour()))
        .put("bucket", row.bucket())
        .put("accountId", charge.cdr().accountId())
        .put("eventId", charge.cdr().eventId())
        .put("revision", charge.revision())
        .put("amount", charge.rating().amount().toPlainString())
        .put("currency", charge.rating().currency())
        .put("tariffVersion", charge.rating().tariffVersion())
        .put("ofThisRecord", row.isOfRecord())
        .put("partition", charge.origin().partition())
        .put("offset", charge.origin().offset());
  }

  private static ObjectNode explained(ObjectNode node, Explained explained) {
    ArrayNode reasons = node.putArray("reasons");
    explained
        .reasons()
        .forEach(
            (likely, seqs) ->
                reasons
                    .addObject()
                    .put("batchSeqs", seqs)
                    .put("cause", likely.cause())
                    .put("next", likely.next()));
    return node;
  }

  private static ObjectNode place(ObjectNode node, Place place) {
    return node.put("bucket", place.bucket())
        .put("source", place.source())
        .put("receipts", place.receipts())
        .put("rows", place.rows());
  }
}
