package io.tollgate.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.cli.explain.BatchKey;
import io.tollgate.settlement.ResultReader;
import io.tollgate.settlement.ResultReader.BatchHour;
import io.tollgate.settlement.ResultReader.BatchRow;
import io.tollgate.settlement.ResultReader.DifferenceRow;
import io.tollgate.settlement.ResultReader.HourRow;
import io.tollgate.settlement.ResultReader.PartitionRow;
import io.tollgate.settlement.ResultReader.SettledPlace;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** All that is recorded about a batch or an hour. */
final class ReconcileExplanation {
  private ReconcileExplanation() {}

  /** A batch with its hours and differences. */
  record OneBatch(BatchRow batch, List<BatchHour> hours, List<DifferenceRow> differences) {}

  /** What PostgreSQL knows. */
  sealed interface Recorded {
    /** Returns whether it knows anything. */
    boolean isKnown();

    /** Returns the differences, whatever became of them. */
    List<DifferenceRow> differences();

    /** Returns the batches that are meant. */
    List<BatchKey> keys();

    /** Returns it for programs. */
    ObjectNode json();
  }

  /** All batches of an id. */
  record OfBatch(List<OneBatch> batches) implements Recorded {
    @Override
    public boolean isKnown() {
      return !batches.isEmpty();
    }

    @Override
    public List<DifferenceRow> differences() {
      return batches.stream().flatMap(each -> each.differences().stream()).toList();
    }

    @Override
    public List<BatchKey> keys() {
      return batches.stream()
          .map(each -> new BatchKey(each.batch().source(), each.batch().batch()))
          .toList();
    }

    @Override
    public ObjectNode json() {
      return ReconcileJson.batches(this);
    }
  }

  /** An hour of all sources. */
  record OfHour(
      long usageHour,
      List<HourRow> hours,
      List<PartitionRow> partitions,
      List<BatchHour> batches,
      List<SettledPlace> settled,
      List<DifferenceRow> differences)
      implements Recorded {
    @Override
    public boolean isKnown() {
      return !hours.isEmpty() || !differences.isEmpty();
    }

    @Override
    public List<BatchKey> keys() {
      return List.of(); // only those with differences are looked at record by record
    }

    @Override
    public ObjectNode json() {
      return ReconcileJson.hour(this);
    }
  }

  static OfBatch ofBatch(ResultReader reader, String batch, int limit) throws SQLException {
    List<OneBatch> batches = new ArrayList<>();
    for (BatchRow row : reader.batches(batch, limit)) {
      batches.add(
          new OneBatch(
              row,
              reader.hoursOfBatch(row.source(), row.batch(), limit),
              reader.differencesOfBatch(row.source(), row.batch(), limit)));
    }
    return new OfBatch(batches);
  }

  static OfHour ofHour(ResultReader reader, long usageHour, int limit) throws SQLException {
    List<HourRow> hours = reader.hours(usageHour, limit);
    List<BatchHour> batches = new ArrayList<>();
    for (HourRow hour : hours) {
      batches.addAll(reader.batchesOfHour(usageHour, hour.source(), limit));
    }
    return new OfHour(
        usageHour,
        hours,
        reader.partitions(usageHour, limit),
        batches,
        reader.settled(usageHour, limit),
        reader.differencesOfHour(usageHour, limit));
  }
}
