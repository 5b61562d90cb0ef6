package io.tollgate.rating.ingest;

import io.tollgate.rating.gate.GateKeeper;
import io.tollgate.rating.gate.GateLedger;
import io.tollgate.rating.gate.GateSettings;
import io.tollgate.rating.gate.GatedReader;
import io.tollgate.rating.gate.ReaderGate;
import io.tollgate.rating.ingest.SourceGuard.AlreadyClaimedException;
import io.tollgate.rating.ingest.SourceGuard.Claim;
import io.tollgate.source.CommittingSource;
import io.tollgate.source.ForwardingReader;
import java.io.IOException;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thin wrapper around a Kafka source for what it does not do:
 *
 * <ul>
 *   <li>a start without state is refused unless it was asked for;
 *   <li>a second job on the same topic is refused;
 *   <li>the group's committed offsets are set to the restored positions before anything is read:
 *       they are the proof of progress, and after a restore of an older state they would claim too
 *       much;
 *   <li>a position that Kafka no longer has stops the job for good, with a message; restarting
 *       cannot bring the records back;
 *   <li>readers emit only while the gate is open (see {@link GateKeeper}); checkpoint barriers pass
 *       all the same, and offsets are committed up to what was emitted.
 * </ul>
 */
public final class CdrSource
    implements Source<Arrival, KafkaPartitionSplit, KafkaSourceEnumState>,
        ResultTypeQueryable<Arrival> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "read-cdr";

  private static final Logger LOG = LoggerFactory.getLogger(CdrSource.class);

  private final CommittingSource<Arrival> kafka;
  private final SourceGuard guard;
  private final Gate gate;
  private final boolean fresh;

  /**
   * Creates the source.
   *
   * @param kafka the source proper, with a reset strategy of NONE
   * @param guard claims the topic and commits positions
   * @param gate says whether records may be emitted
   * @param fresh whether a start without state is wanted
   */
  public CdrSource(CommittingSource<Arrival> kafka, SourceGuard guard, Gate gate, boolean fresh) {
    this.kafka = kafka;
    this.guard = guard;
    this.gate = gate;
    this.fresh = fresh;
  }

  /**
   * Where the gate is read, and how.
   *
   * @param ledger where
   * @param settings how
   */
  public record Gate(GateLedger ledger, GateSettings settings) implements Serializable {
    private GateKeeper keeper(SplitEnumeratorContext<?> context) {
      return new GateKeeper(context, ledger, settings);
    }
  }

  @Override
  public Boundedness getBoundedness() {
    return kafka.getBoundedness();
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    if (!fresh) {
      throw new SuppressRestartsException(
          new IllegalStateException(
              "This start has no state: events charged before would be looked up one by one."
                  + " Start from a savepoint or a retained checkpoint (flink run -s PATH ...), or"
                  + " say --fresh if there is none; the ledger keeps that right, only slower."));
    }
    return new ClaimingEnumerator(
        kafka.createEnumerator(context), context, guard, gate.keeper(context));
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state)
      throws IOException {
    return new ClaimingEnumerator(
        kafka.restoreEnumerator(context, state), context, guard, gate.keeper(context));
  }

  @Override
  public SourceReader<Arrival, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    ReaderGate readerGate = new ReaderGate();
    context.metricGroup().addGroup("gate").gauge("closedMillis", readerGate::closedMillis);
    return new GatedReader<>(new GuardedReader(kafka.createReader(context), guard), readerGate);
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return kafka.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
    return kafka.getEnumeratorCheckpointSerializer();
  }

  @Override
  public TypeInformation<Arrival> getProducedType() {
    return kafka.getProducedType();
  }

  /** Claims the topic before any partition is handed out, and keeps the claim. */
  private static final class ClaimingEnumerator
      implements SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> {
    private final SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> kafka;
    private final SplitEnumeratorContext<KafkaPartitionSplit> context;
    private final Claim claim;
    private final GateKeeper gate;
    private final long renewMillis;
    private volatile boolean closed;

    ClaimingEnumerator(
        SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> kafka,
        SplitEnumeratorContext<KafkaPartitionSplit> context,
        SourceGuard guard,
        GateKeeper gate) {
      ClosingClasses.load();
      this.kafka = kafka;
      this.context = context;
      this.gate = gate;
      this.claim = guard.claim();
      this.renewMillis = guard.renewMillis();
    }

    @Override
    public void start() {
      context.callAsync(
          () -> {
            claim.acquire();
            return true;
          },
          (acquired, failure) -> {
            failIfRefused(failure);
            if (failure != null) {
              throw new IllegalStateException("the topic could not be claimed", failure);
            }
            kafka.start();
            keepClaim();
            gate.start();
          });
    }

    private void keepClaim() {
      context.callAsync(
          () -> {
            if (!closed) {
              claim.renew();
            }
            return true;
          },
          (renewed, failure) -> {
            failIfRefused(failure);
            if (failure != null) {
              LOG.warn(
                  "The claim on the topic could not be renewed; charging goes on. Check that the"
                      + " ledger is reachable from the JobManager.",
                  failure);
            }
          },
          renewMillis,
          renewMillis);
    }

    private static void failIfRefused(Throwable failure) {
      if (failure instanceof AlreadyClaimedException) {
        throw new SuppressRestartsException(failure);
      }
    }

    @Override
    public void handleSplitRequest(int subtask, String hostname) {
      kafka.handleSplitRequest(subtask, hostname);
    }

    @Override
    public void addSplitsBack(List<KafkaPartitionSplit> splits, int subtask) {
      kafka.addSplitsBack(splits, subtask);
    }

    @Override
    public void addReader(int subtask) {
      kafka.addReader(subtask);
      gate.addReader(subtask);
    }

    @Override
    public KafkaSourceEnumState snapshotState(long checkpointId) throws Exception {
      return kafka.snapshotState(checkpointId);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
      kafka.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) throws Exception {
      kafka.notifyCheckpointAborted(checkpointId);
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
      kafka.handleSourceEvent(subtask, event);
    }

    /**
     * Closes what it can. When a job has ended, Flink may release its classes before it closes its
     * enumerator (see {@link ClosingClasses}). An error for want of a class must neither keep the
     * claim, which would refuse the next job, nor keep Flink from stopping the threads that would
     * go on renewing it.
     */
    @Override
    public void close() throws IOException {
      closed = true;
      close(claim::close);
      close(gate::close);
      close(kafka::close);
    }

    private static void close(Closing part) throws IOException {
      try {
        part.run();
      } catch (LinkageError e) {
        LOG.info("The classes of the job are gone already; the rest is closed: {}", e.toString());
      }
    }

    /** Closes a part of the enumerator. */
    @FunctionalInterface
    private interface Closing {
      void run() throws IOException;
    }
  }

  /** Commits positions before reading from them, and ends the job when one is gone. */
  @SuppressWarnings("try") // Flink's interface lets close() throw anything
  private static final class GuardedReader extends ForwardingReader<Arrival, KafkaPartitionSplit> {
    private final SourceGuard guard;

    GuardedReader(SourceReader<Arrival, KafkaPartitionSplit> kafka, SourceGuard guard) {
      super(kafka);
      this.guard = guard;
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {
      Map<TopicPartition, Long> positions = new HashMap<>();
      for (KafkaPartitionSplit split : splits) {
        if (split.getStartingOffset() >= 0) {
          positions.put(split.getTopicPartition(), split.getStartingOffset());
        }
      }
      try {
        guard.commit(positions);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while committing start positions", e);
      }
      super.addSplits(splits);
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Arrival> output) throws Exception {
      try {
        return super.pollNext(output);
      } catch (Exception e) {
        throw finalIfGone(e);
      }
    }

    /** An offset that is out of range stays so: restarting would only repeat the failure. */
    private static Exception finalIfGone(Exception e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof InvalidOffsetException gone) {
          return new SuppressRestartsException(
              new IllegalStateException(
                  "Kafka no longer has the records to be read next: "
                      + gone.getMessage()
                      + " Retention was shorter than the outage, or the topic was truncated."
                      + " Nothing was skipped. Compare the oldest offsets of the topic with the"
                      + " position of the group; what is missing must be sent again by its source"
                      + " (./tollgate ingest --resend), then start with --fresh.",
                  gone));
        }
      }
      return e;
    }
  }
}
