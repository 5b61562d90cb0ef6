package io.tollgate.rerate;

import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.rating.LedgerAccess;
import io.tollgate.rating.receipts.ReceiptPart;
import io.tollgate.wire.tariff.TariffFeed;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The graph of the rerate job. Its ends are parameters, so the same graph runs in tests. */
final class RerateGraph {
  private RerateGraph() {}

  /**
   * What the graph reads from and writes to.
   *
   * @param rows the ledger to be read
   * @param ledger the ledger to be written
   * @param tariffs the tariff history
   * @param receipts tells reconciliation what to read again
   * @param store where the run is recorded
   */
  record Ends(
      LedgerRows.Factory rows,
      LedgerAccess ledger,
      TariffFeed.Factory tariffs,
      Sink<ReceiptPart> receipts,
      RunStore.Factory store) {}

  /** Adds the graph to {@code env}. */
  static void build(StreamExecutionEnvironment env, LedgerLayout layout, Work work, Ends ends) {
    SingleOutputStreamOperator<Change> changes =
        env.fromSource(
                new NumberSequenceSource(0, work.units() - 1),
                WatermarkStrategy.noWatermarks(),
                "number the units")
            .uid("units")
            .transform(
                "read charges, write revisions",
                TypeInformation.of(Change.class),
                new RerateRows(work, layout, ends.rows(), ends.ledger(), ends.tariffs()))
            .uid(RerateRows.UID);
    changes
        .getSideOutput(RerateRows.RECEIPTS)
        .sinkTo(ends.receipts())
        .uid("receipts")
        .name("receipts");
    changes
        .keyBy(Change::key)
        .process(new AddUpChanges())
        .uid(AddUpChanges.UID)
        .name("add up what changes")
        .connect(changes.getSideOutput(RerateRows.DONE))
        .transform(
            "record the run", Types.VOID, new RecordRun(work.run(), work.units(), ends.store()))
        .uid(RecordRun.UID)
        .setParallelism(1)
        .setMaxParallelism(1);
  }
}
