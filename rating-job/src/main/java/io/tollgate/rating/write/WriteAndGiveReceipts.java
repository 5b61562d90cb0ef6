package io.tollgate.rating.write;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.rating.LedgerAccess;
import io.tollgate.rating.Result;
import io.tollgate.rating.receipts.ReceiptCollector;
import io.tollgate.rating.receipts.ReceiptPart;
import io.tollgate.wire.Receipt.HistoryReach;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Writes charges to the ledger and gives receipts. When a barrier comes, it waits until the ledger
 * has acknowledged every charge before it, and only then emits, ahead of the barrier, what was
 * done: a receipt never speaks of a row that could still be lost, and a completed checkpoint has
 * all its receipts. An operator of its own and not a sink, whose committer would run after the
 * checkpoint.
 */
public final class WriteAndGiveReceipts extends AbstractStreamOperator<ReceiptPart>
    implements OneInputStreamOperator<Result, ReceiptPart>, BoundedOneInput {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "write";

  /** Side output of SUSPENDED and CONFLICT records. */
  public static final OutputTag<Result> SUSPENDED =
      new OutputTag<>("suspended", TypeInformation.of(Result.class));

  /** Side output of REJECTED records. */
  public static final OutputTag<Result> REJECTED =
      new OutputTag<>("rejected", TypeInformation.of(Result.class));

  private final LedgerAccess ledger;
  private final LedgerLayout layout;
  private transient ChargeWriter writer;
  private transient ReceiptCollector collector;

  /** Creates the operator; {@code layout} says in which bucket a row lies. */
  public WriteAndGiveReceipts(LedgerAccess ledger, LedgerLayout layout) {
    this.ledger = ledger;
    this.layout = layout;
  }

  @Override
  public void open() throws Exception {
    super.open();
    collector = new ReceiptCollector();
    writer = ledger.openWriter(getMetricGroup());
  }

  @Override
  public void processElement(StreamRecord<Result> element) throws Exception {
    Result result = element.getValue();
    if (result.isReach()) {
      // Rating and writing run side by side, subtask by subtask, so this index is rating's too.
      TaskInfo task = getRuntimeContext().getTaskInfo();
      collector.add(
          new HistoryReach(
              task.getIndexOfThisSubtask(),
              task.getNumberOfParallelSubtasks(),
              result.correction()));
      return;
    }
    Charge charge = result.charge();
    if (charge != null) {
      writer.add(charge);
      if (charge.revision() == 0) {
        collector.add(result, bucket(charge));
      } // receipts speak of records, and that of a revision has its receipt already
    } else {
      sendAside(result);
      collector.add(result, -1);
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    acknowledgeAndGiveReceipts();
  }

  @Override
  public void endInput() throws Exception {
    acknowledgeAndGiveReceipts();
  }

  @Override
  public void close() throws Exception {
    ChargeWriter opened = writer; // null if the task ended before open
    if (opened != null) {
      opened.close();
    }
    super.close();
  }

  private int bucket(Charge charge) {
    Cdr cdr = charge.cdr();
    return layout.at(charge.usageHour()).bucket(cdr.accountId(), cdr.eventId());
  }

  private void acknowledgeAndGiveReceipts() throws Exception {
    writer.flush();
    collector.drain(part -> output.collect(new StreamRecord<>(part)));
  }

  private void sendAside(Result result) {
    Reason reason = result.reason();
    if (reason == null) {
      throw new IllegalStateException("a result has a charge or a reason");
    }
    if (reason.outcome() == Outcome.REJECTED) {
      output.collect(REJECTED, new StreamRecord<>(result));
    } else if (reason.outcome() != Outcome.DUPLICATE) {
      output.collect(SUSPENDED, new StreamRecord<>(result));
    }
  }
}
