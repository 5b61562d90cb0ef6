package io.tollgate.rating.write;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.LedgerWriter;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.ledger.WriterSettings;
import io.tollgate.rating.LedgerAccess;
import io.tollgate.rating.dedup.EventLookup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** The ledger in Cassandra, as the job's operators see it. One session per operator and subtask. */
public final class CassandraLedger implements LedgerAccess {
  private final LedgerConnection connection;
  private final LedgerLayout layout;
  private final WriterSettings settings;

  /**
   * Creates the access.
   *
   * @param connection how to reach the cluster
   * @param layout where charges lie
   * @param settings of the writers
   */
  public CassandraLedger(
      LedgerConnection connection, LedgerLayout layout, WriterSettings settings) {
    this.connection = connection;
    this.layout = layout;
    this.settings = settings;
  }

  @Override
  public ChargeWriter openWriter(MetricGroup metrics) throws InterruptedException {
    LedgerSession session = LedgerSessions.open(connection);
    try {
      LedgerWriter writer =
          LedgerWriter.open(session, layout, settings, new LedgerMetrics(metrics));
      return new WriterOfSession(writer, session);
    } catch (InterruptedException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  @Override
  public EventLookup openLookup(MetricGroup metrics) throws InterruptedException {
    LedgerSession session = LedgerSessions.open(connection);
    Counter retries = metrics.counter("ledgerLookupRetries");
    LedgerReader reader =
        new LedgerReader(
            session,
            layout,
            ReadLimit.NEVER_GIVE_UP,
            failure -> {
              // Told on the driver's threads; a Flink counter is not made for several at once.
              synchronized (retries) {
                retries.inc();
              }
            });
    return new LookupOfSession(reader, session);
  }

  private record WriterOfSession(LedgerWriter writer, LedgerSession session)
      implements ChargeWriter {
    @Override
    public void add(Charge charge) throws InterruptedException {
      writer.add(charge);
    }

    @Override
    public void flush() throws InterruptedException {
      writer.flush();
    }

    @Override
    public void close() {
      writer.close();
      session.close();
    }
  }

  private record LookupOfSession(LedgerReader reader, LedgerSession session)
      implements EventLookup {
    @Override
    public CompletionStage<Optional<StoredEvent>> find(Cdr cdr) {
      long fingerprint = ContentFingerprint.of(cdr);
      return reader
          .findByIdentity(cdr.accountId(), cdr.eventId(), cdr.startMillis())
          .thenApply(found -> mostAlike(found, fingerprint));
    }

    @Override
    public void close() {
      session.close();
    }

    /** The identity may lie at several hours if somebody wrote past the job: take the same one. */
    private static Optional<StoredEvent> mostAlike(List<Charge> found, long fingerprint) {
      return found.stream()
          .filter(charge -> charge.fingerprint() == fingerprint)
          .findFirst()
          .or(() -> found.stream().findFirst())
          .map(
              charge ->
                  new StoredEvent(
                      charge.fingerprint(),
                      charge.cdr().startMillis(),
                      charge.origin().source(),
                      charge.origin().batch(),
                      charge.origin().batchSeq()));
    }
  }
}
