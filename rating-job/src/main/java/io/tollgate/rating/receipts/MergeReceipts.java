package io.tollgate.rating.receipts;

import io.tollgate.wire.ReceiptCodec;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Unites the receipts that all writers give for one batch between two barriers, so that a batch
 * spread over many subtasks costs one message. Holds nothing across a barrier and so needs no
 * state.
 */
public final class MergeReceipts extends AbstractStreamOperator<ReceiptPart>
    implements OneInputStreamOperator<ReceiptPart, ReceiptPart>, BoundedOneInput {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "merge-receipts";

  private transient ReceiptCollector collector;
  private transient ReceiptCodec codec;

  @Override
  public void open() throws Exception {
    super.open();
    collector = new ReceiptCollector();
    codec = new ReceiptCodec();
  }

  @Override
  public void processElement(StreamRecord<ReceiptPart> element) throws Exception {
    collector.unite(codec.decode(element.getValue().receipt()));
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    drain();
  }

  @Override
  public void endInput() {
    drain();
  }

  private void drain() {
    collector.drain(part -> output.collect(new StreamRecord<>(part)));
  }
}
