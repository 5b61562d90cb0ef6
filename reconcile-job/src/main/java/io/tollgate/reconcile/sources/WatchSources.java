package io.tollgate.reconcile.sources;

import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.reconcile.compare.CompareSettings;
import io.tollgate.reconcile.compare.SourceRules;
import io.tollgate.reconcile.compare.SourceRules.Rules;
import io.tollgate.reconcile.compare.Suspicions.Disagreement;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import io.tollgate.reconcile.compare.WriteOffs;
import io.tollgate.reconcile.message.Finding;
import io.tollgate.reconcile.read.ControlFact;
import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.UnreadableException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Watches all sources, in one subtask: there are hundreds, not millions. Declared sources are
 * watched from the start, so that one that never says anything is noticed too.
 */
public final class WatchSources extends AbstractStreamOperator<Finding>
    implements OneInputStreamOperator<ControlFact, Finding> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "watch-sources";

  private final CompareSettings settings;
  private final SourceRules rules;
  private final WriteOffs.Factory writeOffFactory;
  private transient ListState<byte[]> stored;
  private transient Map<String, SourceWatch> watches;
  private transient WriteOffs writeOffs;

  /** Creates the operator. */
  public WatchSources(
      CompareSettings settings, SourceRules rules, WriteOffs.Factory writeOffFactory) {
    this.settings = settings;
    this.rules = rules;
    this.writeOffFactory = writeOffFactory;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    stored =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>(
                    "sources", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    watches = new TreeMap<>();
    for (byte[] bytes : stored.get()) {
      SourceWatch watch = SourceWatch.decode(bytes);
      watches.put(watch.source(), watch);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    writeOffs = writeOffFactory.open();
    for (String source : rules.declared().keySet()) {
      watches.computeIfAbsent(source, key -> SourceWatch.of(key, now()));
    }
    at(settings.nextCycleMillis(now()), this::look);
  }

  @Override
  public void processElement(StreamRecord<ControlFact> element) throws UnreadableException {
    ControlFact fact = element.getValue();
    if (!fact.fault().isEmpty()) {
      return; // told elsewhere
    }
    ControlMessage message = ControlMessage.decode(fact.json());
    String file =
        message instanceof BatchAnnounced announced
            ? announced.file()
            : ((ControlTotal) message).file();
    watches
        .computeIfAbsent(fact.source(), key -> SourceWatch.of(key, now()))
        .heard(file, fact.appendMillis(), now(), rules.of(fact.source()));
  }

  private void look(long timestamp) {
    at(settings.nextCycleMillis(now()), this::look);
    for (SourceWatch watch : watches.values()) {
      Rules declared = rules.of(watch.source());
      Map<Subject, Disagreement> missing = new HashMap<>(watch.missing(declared, now()));
      writeOffs.takeAway(missing, -1, -1);
      for (Found found : watch.suspicions().look(missing, now())) {
        output.collect(new StreamRecord<>(Finding.of(found)));
      }
      output.collect(new StreamRecord<>(Finding.of(watch.result(declared, now()))));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    stored.clear();
    for (SourceWatch watch : watches.values()) {
      stored.add(watch.encode());
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Flink fails the task if the callback throws
  private void at(long millis, ProcessingTimeService.ProcessingTimeCallback callback) {
    getProcessingTimeService().registerTimer(millis, callback);
  }

  private long now() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }

  @Override
  public void close() throws Exception {
    WriteOffs opened = writeOffs; // null if the task ended before open
    if (opened != null) {
      opened.close();
    }
    super.close();
  }
}
