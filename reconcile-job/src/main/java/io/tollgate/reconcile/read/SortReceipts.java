package io.tollgate.reconcile.read;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.Bytes;
import io.tollgate.reconcile.message.DuplicateClaim;
import io.tollgate.reconcile.message.PartitionFact;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.Entry;
import io.tollgate.wire.Receipt.OffsetRange;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.Receipt.RevisedPartition;
import io.tollgate.wire.ReceiptCodec;
import io.tollgate.wire.UnreadableException;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.roaringbitmap.RoaringBitmap;

/**
 * Sends what a receipt says to where it is compared: everything to its batch, rated records to
 * their partition of the ledger, duplicates to be looked up. A receipt that cannot be read is
 * counted; its records will be found to have no outcome.
 */
public final class SortReceipts extends ProcessFunction<byte[], BatchFact> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "sort-receipts";

  /** Side output of rated records. */
  public static final OutputTag<PartitionFact> PARTITIONS =
      new OutputTag<>("partitions", TypeInformation.of(PartitionFact.class));

  /** Side output of duplicates. */
  public static final OutputTag<DuplicateClaim> DUPLICATES =
      new OutputTag<>("duplicates", TypeInformation.of(DuplicateClaim.class));

  private final LedgerLayout layout;
  private transient ReceiptCodec codec;
  private transient Counter unreadable;

  /** Creates the function; {@code layout} says in which bucket a late row lies. */
  public SortReceipts(LedgerLayout layout) {
    this.layout = layout;
  }

  @Override
  public void open(OpenContext context) {
    codec = new ReceiptCodec();
    unreadable = getRuntimeContext().getMetricGroup().counter("unreadableReceipts");
  }

  @Override
  public void processElement(byte[] bytes, Context context, Collector<BatchFact> out) {
    Receipt receipt;
    try {
      receipt = codec.decode(bytes);
    } catch (UnreadableException e) {
      unreadable.inc();
      return;
    }
    for (RatedSet set : receipt.rated()) {
      context.output(PARTITIONS, inTime(receipt, set));
    }
    for (Entry entry : receipt.entries()) {
      if (entry.outcome() == Outcome.RATED) {
        context.output(PARTITIONS, late(receipt, entry));
      } else if (entry.outcome() == Outcome.DUPLICATE) {
        context.output(DUPLICATES, claim(receipt, entry));
      }
    }
    for (RevisedPartition revised : receipt.revised()) {
      context.output(PARTITIONS, PartitionFact.revised(revised.usageHour(), revised.bucket()));
    }
    // Without either it speaks of no record, but for example of how far a rating subtask has
    // read the correction history.
    if (!receipt.rated().isEmpty() || !receipt.entries().isEmpty()) {
      out.collect(new BatchFact(receipt.source(), receipt.batch(), BatchFact.Kind.RECEIPT, bytes));
    }
  }

  private static PartitionFact inTime(Receipt receipt, RatedSet set) {
    List<OffsetRange> ranges = set.offsets();
    return new PartitionFact(
        set.usageHour(),
        set.bucket(),
        receipt.source(),
        receipt.batch(),
        Bytes.of(set.batchSeqs()),
        ranges.stream().mapToInt(OffsetRange::partition).toArray(),
        ranges.stream().mapToLong(OffsetRange::first).toArray(),
        ranges.stream().mapToLong(OffsetRange::last).toArray(),
        "",
        "");
  }

  private PartitionFact late(Receipt receipt, Entry entry) {
    long usageHour = Placement.usageHour(entry.startMillis());
    return new PartitionFact(
        usageHour,
        layout.at(usageHour).bucket(entry.accountId(), entry.eventId()),
        receipt.source(),
        receipt.batch(),
        Bytes.of(RoaringBitmap.bitmapOf((int) entry.batchSeq())),
        new int[] {entry.partition()},
        new long[] {entry.offset()},
        new long[] {entry.offset()},
        entry.accountId(),
        entry.eventId());
  }

  private static DuplicateClaim claim(Receipt receipt, Entry entry) {
    UsageType type = entry.usageType();
    return new DuplicateClaim(
        receipt.source(),
        receipt.batch(),
        entry.partition(),
        entry.offset(),
        entry.accountId(),
        entry.eventId(),
        entry.fingerprint(),
        entry.startMillis(),
        type == null ? "" : type.name(),
        entry.usage());
  }
}
