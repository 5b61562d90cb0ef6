package io.tollgate.rerate;

import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.rating.write.LedgerSessions;
import java.time.Duration;
import java.util.Iterator;

/** Rows in Cassandra. */
final class CassandraRows implements LedgerRows {
  /** Longer than nodes restart; then the task fails, and Flink begins again where it was. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final LedgerSession session;
  private final LedgerReader reader;

  private CassandraRows(LedgerSession session, LedgerReader reader) {
    this.session = session;
    this.reader = reader;
  }

  /**
   * Opens readers of one ledger.
   *
   * @param layout where charges lie
   */
  record FromLedger(LedgerConnection connection, LedgerLayout layout) implements Factory {
    @Override
    public LedgerRows open() throws InterruptedException {
      LedgerSession session = LedgerSessions.open(connection);
      return new CassandraRows(session, new LedgerReader(session, layout, ReadLimit.of(PATIENCE)));
    }
  }

  @Override
  public Iterator<Charge> partition(long usageHour, int bucket) {
    return reader.partition(usageHour, bucket);
  }

  @Override
  public Iterator<Charge> account(long usageHour, String accountId) {
    return reader.account(accountId, usageHour, usageHour + 1);
  }

  @Override
  public void close() {
    session.close();
  }
}
