package io.tollgate.reconcile;

import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.reconcile.compare.LedgerView;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The ledger in Cassandra. Waits for it as long as it takes: being slow is not being wrong. */
final class CassandraLedgerView implements LedgerView {
  private final LedgerConnection connection;
  private final LedgerLayout layout;
  private final LedgerReader reader;

  /** Opens views of one ledger. */
  record FromCassandra(LedgerConnection connection, LedgerLayout layout) implements Factory {
    @Override
    public LedgerView open() {
      return new CassandraLedgerView(connection, layout);
    }
  }

  private CassandraLedgerView(LedgerConnection connection, LedgerLayout layout) {
    this.connection = connection;
    this.layout = layout;
    this.reader =
        new LedgerReader(SharedSessions.take(connection), layout, ReadLimit.NEVER_GIVE_UP);
  }

  @Override
  public LedgerLayout layout() {
    return layout;
  }

  @Override
  public void partitionsOf(int part, PartitionName each) {
    reader.partitionsOf(part, each::take);
  }

  @Override
  public Iterator<Charge> partition(long usageHour, int bucket) {
    return reader.partition(usageHour, bucket);
  }

  @Override
  public List<Charge> findByIdentity(String accountId, String eventId, long startMillis) {
    return reader.findByIdentity(accountId, eventId, startMillis).toCompletableFuture().join();
  }

  @Override
  public CompletionStage<List<Charge>> findByIdentityLater(
      String accountId, String eventId, long startMillis) {
    return reader.findByIdentity(accountId, eventId, startMillis);
  }

  @Override
  public CompletionStage<List<Charge>> findAroundLater(
      String accountId, String eventId, long startMillis) {
    return reader.findAround(accountId, eventId, startMillis);
  }

  @Override
  public Iterator<EventIdentity> identities(long usageHour, int bucket) {
    return reader.identities(usageHour, bucket);
  }

  @Override
  public void close() {
    SharedSessions.giveBack(connection);
  }
}
