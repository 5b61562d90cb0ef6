package io.tollgate.reconcile;

import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.reconcile.compare.CdrLookup;
import io.tollgate.reconcile.compare.CompareBatches;
import io.tollgate.reconcile.compare.ComparePartitions;
import io.tollgate.reconcile.compare.CompareSettings;
import io.tollgate.reconcile.compare.FindPartitions;
import io.tollgate.reconcile.compare.LedgerView;
import io.tollgate.reconcile.compare.LookUpDuplicates;
import io.tollgate.reconcile.compare.SourceRules;
import io.tollgate.reconcile.halt.EndCycles;
import io.tollgate.reconcile.halt.HaltDesk;
import io.tollgate.reconcile.halt.HaltPolicy;
import io.tollgate.reconcile.halt.RaiseHalts;
import io.tollgate.reconcile.halt.StopHaltedJobs;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.Finding;
import io.tollgate.reconcile.message.PartitionFact;
import io.tollgate.reconcile.progress.ProgressWatch;
import io.tollgate.reconcile.read.ControlFact;
import io.tollgate.reconcile.read.SortControl;
import io.tollgate.reconcile.read.SortReceipts;
import io.tollgate.reconcile.record.RecordResults;
import io.tollgate.reconcile.record.ResultStore;
import io.tollgate.reconcile.sources.WatchSources;
import io.tollgate.wire.tariff.TariffFeed;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** The graph of the reconcile job. Its ends are parameters, so the same graph runs in tests. */
public final class ReconcileGraph {
  /** Never changes, so that state can be restored with any parallelism up to it. */
  private static final int MAX_PARALLELISM = 2_048;

  private static final int LOOK_UPS_AT_ONCE = 200;
  private static final byte ONE_KEY = 0;

  private ReconcileGraph() {}

  /**
   * What the graph reads from and writes to.
   *
   * @param control announcements and control totals
   * @param receipts receipts of the rating job
   * @param suspended evidence of suspended records
   * @param rejected evidence of rejected records
   * @param ledger the ledger
   * @param tariffs the tariff history
   * @param progress how far the rating job and this job are
   * @param cdrs finds records of {@code cdr} again
   * @param halts where halts are raised
   * @param results where results are recorded
   * @param executors stop the rating job while charging is halted; absent if it is to be left
   *     running behind its closed gate
   */
  public record Ends(
      Source<ControlFact, ?, ?> control,
      Source<byte[], ?, ?> receipts,
      Source<BatchFact, ?, ?> suspended,
      Source<BatchFact, ?, ?> rejected,
      LedgerView.Factory ledger,
      TariffFeed.Factory tariffs,
      ProgressWatch.Factory progress,
      CdrLookup.Factory cdrs,
      HaltDesk.Desks halts,
      ResultStore.Factory results,
      StopHaltedJobs.@Nullable Executors executors) {}

  /** Adds the graph to {@code env}. */
  public static void build(
      StreamExecutionEnvironment env,
      LedgerLayout layout,
      CompareSettings settings,
      HaltPolicy policy,
      Ends ends) {
    env.setMaxParallelism(MAX_PARALLELISM);
    // Everything that travels between chained operators is immutable.
    env.getConfig().enableObjectReuse();
    SourceRules sources = policy.sources();

    SingleOutputStreamOperator<ControlFact> control =
        env.fromSource(ends.control(), WatermarkStrategy.noWatermarks(), "read control messages")
            .uid("read-control");
    SingleOutputStreamOperator<BatchFact> controlFacts =
        control
            .process(new SortControl(settings.verifyFor()))
            .uid(SortControl.UID)
            .name("sort control messages");

    SingleOutputStreamOperator<BatchFact> receiptFacts =
        env.fromSource(ends.receipts(), WatermarkStrategy.noWatermarks(), "read receipts")
            .uid("read-receipts")
            .process(new SortReceipts(layout))
            .uid(SortReceipts.UID)
            .name("sort receipts");

    SingleOutputStreamOperator<PartitionFact> existing =
        control
            .transform(
                "find partitions",
                TypeInformation.of(PartitionFact.class),
                new FindPartitions(settings, ends.ledger()))
            .uid(FindPartitions.UID)
            .setParallelism(1)
            .setMaxParallelism(1);

    SingleOutputStreamOperator<BatchFact> pieces =
        receiptFacts
            .getSideOutput(SortReceipts.PARTITIONS)
            .union(existing)
            .keyBy(PartitionFact::partitionKey)
            .transform(
                "compare partitions of the ledger",
                TypeInformation.of(BatchFact.class),
                new ComparePartitions(
                    settings,
                    ends.ledger(),
                    ends.tariffs(),
                    ends.progress(),
                    ends.cdrs(),
                    ends.halts()::open))
            .uid(ComparePartitions.UID);

    SingleOutputStreamOperator<BatchFact> duplicates =
        AsyncDataStream.unorderedWait(
                receiptFacts.getSideOutput(SortReceipts.DUPLICATES),
                new LookUpDuplicates(ends.ledger()),
                0,
                TimeUnit.MILLISECONDS,
                LOOK_UPS_AT_ONCE)
            .uid(LookUpDuplicates.UID)
            .name("look up duplicates");

    DataStream<BatchFact> evidence =
        env.fromSource(ends.suspended(), WatermarkStrategy.noWatermarks(), "read suspended")
            .uid("read-suspended")
            .union(
                env.fromSource(ends.rejected(), WatermarkStrategy.noWatermarks(), "read rejected")
                    .uid("read-rejected"));

    SingleOutputStreamOperator<Finding> batches =
        controlFacts
            .union(receiptFacts, pieces, duplicates, evidence)
            .keyBy(BatchFact::key)
            .transform(
                "compare batches",
                TypeInformation.of(Finding.class),
                new CompareBatches(layout, settings, sources, ends.progress(), ends.halts()::open))
            .uid(CompareBatches.UID);

    SingleOutputStreamOperator<Finding> watched =
        control
            .transform(
                "watch sources",
                TypeInformation.of(Finding.class),
                new WatchSources(settings, sources, ends.halts()::open))
            .uid(WatchSources.UID)
            .setParallelism(1)
            .setMaxParallelism(1);

    SingleOutputStreamOperator<Finding> cycles =
        pieces
            .getSideOutput(ComparePartitions.SHARES)
            .union(batches.getSideOutput(ComparePartitions.SHARES))
            .process(new EndCycles(settings, ends.halts()))
            .uid(EndCycles.UID)
            .name("end cycles")
            .setParallelism(1)
            .setMaxParallelism(1);

    SingleOutputStreamOperator<Finding> raised =
        batches
            .union(
                pieces.getSideOutput(ComparePartitions.FINDINGS),
                controlFacts.getSideOutput(ComparePartitions.FINDINGS),
                watched)
            .process(new RaiseHalts(policy, ends.halts()))
            .uid(RaiseHalts.UID)
            .name("raise halts")
            .setParallelism(1)
            .setMaxParallelism(1);
    StopHaltedJobs.Executors executors = ends.executors();
    DataStream<Finding> told =
        executors == null
            ? raised
            : raised
                .transform(
                    "stop halted jobs",
                    TypeInformation.of(Finding.class),
                    new StopHaltedJobs(executors))
                .uid(StopHaltedJobs.UID)
                .setParallelism(1)
                .setMaxParallelism(1);
    told.union(cycles)
        .keyBy(finding -> ONE_KEY, Types.BYTE)
        .process(new RecordResults(settings, policy, ends.results(), ends.halts()))
        .uid(RecordResults.UID)
        .name("record results")
        .setParallelism(1)
        .setMaxParallelism(1);
  }
}
