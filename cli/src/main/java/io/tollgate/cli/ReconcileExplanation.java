package io.tollgate.cli;

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

  /** All batches of an id. */
  record OfBatch(List<OneBatch> batches) {}

  /** An hour of all sources. */
  record OfHour(
      long usageHour,
      List<HourRow> hours,
      List<PartitionRow> partitions,
      List<BatchHour> batches,
      List<SettledPlace> settled,
      List<DifferenceRow> differences) {}

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
