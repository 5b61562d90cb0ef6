package io.tollgate.rating.ingest;

import io.tollgate.ledger.JobLease;
import io.tollgate.ledger.LeaseHeldException;
import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.rating.write.LedgerSessions;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CancellationException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims the topic by a lease in the ledger, and commits positions to Kafka. */
public final class TopicGuard implements SourceGuard {
  private static final Logger LOG = LoggerFactory.getLogger(TopicGuard.class);

  private final LedgerConnection ledger;
  private final JobLease.Key lease;
  private final Properties kafka;
  private final String group;

  /**
   * Creates the guard.
   *
   * @param ledger where the lease lies
   * @param lease which topic is claimed by which submission
   * @param kafka properties of a Kafka client
   * @param group the consumer group
   */
  public TopicGuard(LedgerConnection ledger, JobLease.Key lease, Properties kafka, String group) {
    this.ledger = ledger;
    this.lease = lease;
    this.kafka = kafka;
    this.group = group;
  }

  @Override
  public Claim claim() {
    return new LeaseClaim();
  }

  @Override
  public long renewMillis() {
    return JobLease.RENEW_EVERY.toMillis();
  }

  @Override
  public void commit(Map<TopicPartition, Long> positions) throws InterruptedException {
    new GroupPositions(kafka, group).set(positions);
  }

  private final class LeaseClaim implements Claim {
    private volatile boolean closed;
    private @Nullable LedgerSession session;
    private @Nullable JobLease held;

    @Override
    public void acquire() throws AlreadyClaimedException, InterruptedException {
      // Without the lock: as long as the ledger does not answer, this waits, and may be closed.
      LedgerSession opened = LedgerSessions.open(ledger, () -> closed);
      acquire(opened);
    }

    private synchronized void acquire(LedgerSession opened)
        throws AlreadyClaimedException, InterruptedException {
      if (closed) {
        opened.close();
        throw new CancellationException("closed while the topic was being claimed");
      }
      session = opened;
      JobLease taken = new JobLease(opened, lease);
      take(taken);
      held = taken;
    }

    @Override
    public synchronized void renew() throws AlreadyClaimedException, InterruptedException {
      JobLease lapsing = held;
      if (lapsing != null && !lapsing.renew()) {
        // The ledger was away for longer than the lease lasts: take it again, unless it is gone.
        take(lapsing);
      }
    }

    private static void take(JobLease lease) throws AlreadyClaimedException, InterruptedException {
      try {
        lease.acquire();
      } catch (LeaseHeldException e) {
        throw new AlreadyClaimedException(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void close() {
      closed = true;
      release();
    }

    private synchronized void release() {
      try {
        if (held != null) {
          held.release();
        }
      } catch (RuntimeException e) {
        LOG.info("The claim on the topic could not be given back; it ends by itself", e);
      } finally {
        held = null;
        if (session != null) {
          session.close();
          session = null;
        }
      }
    }
  }
}
