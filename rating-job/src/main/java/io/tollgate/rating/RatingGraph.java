package io.tollgate.rating;

import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.rating.dedup.DeduplicateAndRate;
import io.tollgate.rating.dedup.DeduplicateAndRate.DedupSettings;
import io.tollgate.rating.ingest.Arrival;
import io.tollgate.rating.ingest.CdrSource;
import io.tollgate.rating.receipts.MergeReceipts;
import io.tollgate.rating.receipts.ReceiptPart;
import io.tollgate.rating.write.WriteAndGiveReceipts;
import io.tollgate.wire.tariff.TariffFeed;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The graph of the rating job. Its ends are parameters, so the same graph runs in tests. */
public final class RatingGraph {
  private static final String RECEIPTS_UID = "receipts";
  private static final String SUSPENDED_UID = "suspended";
  private static final String REJECTED_UID = "rejected";

  private RatingGraph() {}

  /**
   * What the graph reads from and writes to.
   *
   * @param cdrs decoded and validated records of the topic {@code cdr}
   * @param eventTime how the watermark follows them
   * @param tariffs the tariff history
   * @param ledger the ledger
   * @param receipts what was done with each record
   * @param suspended SUSPENDED and CONFLICT records
   * @param rejected REJECTED records
   */
  public record Ends(
      Source<Arrival, ?, ?> cdrs,
      WatermarkStrategy<Arrival> eventTime,
      TariffFeed.Factory tariffs,
      LedgerAccess ledger,
      Sink<ReceiptPart> receipts,
      Sink<Result> suspended,
      Sink<Result> rejected) {}

  /** Adds the graph to {@code env}. */
  public static void build(
      StreamExecutionEnvironment env, LedgerLayout layout, DedupSettings dedup, Ends ends) {
    env.setMaxParallelism(ShardKey.MAX_PARALLELISM);
    // Everything that travels between chained operators is immutable.
    env.getConfig().enableObjectReuse();
    ShardKey shardKey = new ShardKey(layout);

    KeyedStream<Arrival, Integer> arrivals =
        env.fromSource(ends.cdrs(), ends.eventTime(), "read, decode and validate CDRs")
            .uid(CdrSource.UID)
            .keyBy(shardKey);

    SingleOutputStreamOperator<Result> results =
        arrivals
            .transform(
                "deduplicate and rate",
                TypeInformation.of(Result.class),
                new DeduplicateAndRate(dedup, shardKey, ends.tariffs(), ends.ledger()))
            .uid(DeduplicateAndRate.UID);

    SingleOutputStreamOperator<ReceiptPart> receipts =
        results
            .transform(
                "write to the ledger",
                TypeInformation.of(ReceiptPart.class),
                new WriteAndGiveReceipts(ends.ledger(), layout))
            .uid(WriteAndGiveReceipts.UID);

    receipts
        .keyBy(ReceiptPart::batchKey)
        .transform("merge receipts", TypeInformation.of(ReceiptPart.class), new MergeReceipts())
        .uid(MergeReceipts.UID)
        .sinkTo(ends.receipts())
        .uid(RECEIPTS_UID)
        .name("receipts");
    receipts
        .getSideOutput(WriteAndGiveReceipts.SUSPENDED)
        .sinkTo(ends.suspended())
        .uid(SUSPENDED_UID)
        .name("suspended");
    receipts
        .getSideOutput(WriteAndGiveReceipts.REJECTED)
        .sinkTo(ends.rejected())
        .uid(REJECTED_UID)
        .name("rejected");
  }
}
