package io.tollgate.reconcile.compare;

import io.tollgate.reconcile.message.Bytes;
import io.tollgate.reconcile.message.PartitionFact;
import io.tollgate.reconcile.read.ControlFact;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.roaringbitmap.RoaringBitmap;

/**
 * Finds partitions of the ledger that no receipt ever spoke of. A row that somebody put there would
 * otherwise never be read. Asks for the names of all partitions, a part of the ledger in each
 * cycle, once around in {@code reconcile.verify_again}; each partition is told once.
 *
 * <p>Its input only keeps it alive; what it does is on a timer, in one subtask.
 */
public final class FindPartitions extends AbstractStreamOperator<PartitionFact>
    implements OneInputStreamOperator<ControlFact, PartitionFact> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "find-partitions";

  /** Hours since 1970 from which on partitions are counted: 2015. Earlier ones are not billed. */
  private static final long FIRST_HOUR = 394_000;

  private static final int BUCKETS = 2_048;

  private final CompareSettings settings;
  private final LedgerView.Factory ledgers;
  private transient ListState<byte[]> stored;
  private transient RoaringBitmap told;
  private transient LedgerView ledger;
  private transient int nextPart;

  /** Creates the operator. */
  public FindPartitions(CompareSettings settings, LedgerView.Factory ledgers) {
    this.settings = settings;
    this.ledgers = ledgers;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    stored =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>(
                    "told", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    told = new RoaringBitmap();
    for (byte[] bytes : stored.get()) {
      told.or(Bytes.set(bytes));
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    ledger = ledgers.open();
    lookLater();
  }

  private void look(long timestamp) {
    long cycles = Math.max(1, settings.verifyAgain().toMillis() / settings.interval().toMillis());
    long parts = Math.max(1, (LedgerView.PARTS + cycles - 1) / cycles);
    for (long i = 0; i < parts; i++) {
      ledger.partitionsOf(nextPart, this::tell);
      nextPart = (nextPart + 1) % LedgerView.PARTS;
    }
    lookLater();
  }

  private void tell(long usageHour, int bucket) {
    long number = (usageHour - FIRST_HOUR) * BUCKETS + bucket;
    if (number < 0 || number > Integer.MAX_VALUE || told.checkedAdd((int) number)) {
      output.collect(new StreamRecord<>(PartitionFact.exists(usageHour, bucket)));
    }
  }

  @Override
  public void processElement(StreamRecord<ControlFact> element) {
    // Only keeps the operator alive.
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Flink fails the task if the callback throws
  private void lookLater() {
    ProcessingTimeService time = getProcessingTimeService();
    long cycles = Math.max(1, settings.verifyAgain().toMillis() / settings.interval().toMillis());
    long pause = settings.interval().toMillis() * Math.max(1, cycles / LedgerView.PARTS);
    time.registerTimer(time.getCurrentProcessingTime() + pause, this::look);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    stored.clear();
    stored.add(Bytes.of(told));
  }

  @Override
  public void close() throws Exception {
    LedgerView opened = ledger; // null if the task ended before open
    if (opened != null) {
      opened.close();
    }
    super.close();
  }
}
