package io.tollgate.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.List;
import java.util.function.Function;

/** What reconciliation found, for programs. Amounts are strings, because they are exact. */
final class ReconcileJson {
  private ReconcileJson() {}

  static ObjectNode status(ReconcileStatus status) {
    ObjectNode root = object();
    root.put("verdict", status.verdict().name());
    root.put("exitCode", status.verdict().exitCode());
    if (!status.cycles().isEmpty()) {
      root.put("ageMillis", status.nowMillis() - status.cycles().get(0).finishedMillis());
    }
    root.put("openBatches", status.overview().openBatches());
    root.put("openHours", status.overview().openHours());
    root.put("confirmedDifferences", status.overview().confirmedDifferences());
    root.put("sourcesInMismatch", status.overview().sourcesInMismatch());
    array(root, "differences", status.differences(), ReconcileJson::difference);
    array(root, "halts", status.halts(), ReconcileJson::halt);
    array(root, "cycles", status.cycles(), ReconcileJson::cycle);
    array(root, "sources", status.sources(), ReconcileJson::source);
    array(root, "batches", status.batches(), ReconcileJson::batch);
    array(root, "hours", status.hours(), ReconcileJson::hour);
    return root;
  }

  static ObjectNode batches(ReconcileExplanation.OfBatch explanation) {
    ObjectNode root = object();
    array(
        root,
        "batches",
        explanation.batches(),
        one -> {
          ObjectNode node = batch(one.batch());
          array(node, "hours", one.hours(), ReconcileJson::batchHour);
          array(node, "differences", one.differences(), ReconcileJson::difference);
          return node;
        });
    return root;
  }

  static ObjectNode hour(ReconcileExplanation.OfHour explanation) {
    ObjectNode root = object();
    root.put("hour", UsageHours.text(explanation.usageHour()));
    array(root, "sources", explanation.hours(), ReconcileJson::hour);
    array(root, "partitions", explanation.partitions(), ReconcileJson::partition);
    array(root, "batches", explanation.batches(), ReconcileJson::batchHour);
    array(root, "settled", explanation.settled(), ReconcileJson::settled);
    array(root, "differences", explanation.differences(), ReconcileJson::difference);
    return root;
  }

  private static ObjectNode cycle(Cycle cycle) {
    return object()
        .put("cycle", cycle.cycle())
        .put("startedMillis", cycle.startedMillis())
        .put("finishedMillis", cycle.finishedMillis())
        .put("partitionsRead", cycle.partitionsRead())
        .put("rowsRead", cycle.rowsRead())
        .put("batchesJudged", cycle.batchesJudged())
        .put("differences", cycle.differences());
  }

  private static ObjectNode halt(HaltRow halt) {
    return object()
        .put("id", halt.haltId())
        .put("open", halt.isOpen())
        .put("raisedMillis", halt.raisedMillis())
        .put("reason", halt.reason())
        .put("differences", halt.differences())
        .put("resolved", halt.resolved())
        .put("answeredBy", halt.answeredBy());
  }

  private static ObjectNode source(SourceRow source) {
    return object()
        .put("source", source.source())
        .put("market", source.market())
        .put("state", source.state().name())
        .put("lastFile", source.lastFile())
        .put("lastHeardMillis", source.lastHeardMillis())
        .put("openBatches", source.openBatches())
        .put("waitingFor", source.waitingFor());
  }

  private static ObjectNode batch(BatchRow batch) {
    ObjectNode node =
        object()
            .put("source", batch.source())
            .put("batch", batch.batch())
            .put("file", batch.file())
            .put("state", batch.state().name())
            .put("waitingFor", batch.waitingFor())
            .put("records", batch.records())
            .put("atMillis", batch.atMillis());
    ObjectNode outcomes = node.putObject("outcomes");
    batch.outcomes().forEach((outcome, count) -> outcomes.put(outcome.name(), count));
    ObjectNode usage = node.putObject("usage");
    batch.usage().forEach((type, amount) -> usage.put(type.name(), amount));
    return node;
  }

  private static ObjectNode batchHour(BatchHour hour) {
    return object()
        .put("hour", UsageHours.text(hour.usageHour()))
        .put("batch", hour.batch())
        .put("rows", hour.charges())
        .put("settled", hour.isSettled());
  }

  private static ObjectNode hour(HourRow hour) {
    ObjectNode node =
        object()
            .put("hour", UsageHours.text(hour.usageHour()))
            .put("source", hour.source())
            .put("state", hour.state().name())
            .put("waitingFor", hour.waitingFor())
            .put("changedMillis", hour.changedMillis());
    hour.settledMillis().ifPresent(millis -> node.put("settledMillis", millis));
    return node;
  }

  private static ObjectNode partition(PartitionRow partition) {
    ObjectNode node =
        object()
            .put("source", partition.source())
            .put("bucket", partition.bucket())
            .put("state", partition.state().name())
            .put("rows", partition.charges())
            .put("correction", partition.correction())
            .put("atMillis", partition.atMillis());
    ObjectNode amounts = node.putObject("amounts");
    partition.amounts().forEach((currency, sum) -> amounts.put(currency, sum.toPlainString()));
    return node;
  }

  private static ObjectNode settled(SettledPlace place) {
    return object()
        .put("source", place.source())
        .put("market", place.market())
        .put("bucket", place.bucket())
        .put("currency", place.currency())
        .put("charges", place.charges())
        .put("amount", place.amount().toPlainString());
  }

  static ObjectNode difference(DifferenceRow one) {
    ObjectNode node =
        object()
            .put("id", one.id())
            .put("kind", one.kind())
            .put("status", one.status().name())
            .put("source", one.source())
            .put("batch", one.batch());
    if (one.usageHour() >= 0) {
      node.put("hour", UsageHours.text(one.usageHour()));
    }
    return node.put("bucket", one.bucket())
        .put("items", one.items())
        .put("records", one.records())
        .put("expected", one.expected())
        .put("found", one.found())
        .put("haltId", one.haltId())
        .put("example", one.example())
        .put("firstMillis", one.firstMillis())
        .put("atMillis", one.atMillis());
  }

  private static <T> void array(
      ObjectNode parent, String name, List<T> items, Function<T, ObjectNode> node) {
    ArrayNode array = parent.putArray(name);
    items.forEach(item -> array.add(node.apply(item)));
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
