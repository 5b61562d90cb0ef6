package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import java.time.InstantSource;

/**
 * Records another placement for hours to come. Running jobs read the layout when they start, so
 * none may run meanwhile, and no hour that may hold a charge already may change.
 */
public final class LayoutChange {
  /** A CDR may begin after it was received, by clocks that differ; never by more than this. */
  private static final int HOURS_AHEAD = 49;

  private final LedgerSession session;
  private final InstantSource clock;

  /**
   * @param clock tells which hours have begun
   */
  public LayoutChange(LedgerSession session, InstantSource clock) {
    this.session = session;
    this.clock = clock;
  }

  /**
   * Records {@code placement} for all hours from {@code fromHour} on.
   *
   * @param fromHour hours since 1970 UTC
   * @return the layout that the ledger now records
   * @throws LedgerException if the hour is too near, a later change is recorded already, or a job
   *     holds a lease
   */
  public LedgerLayout record(long fromHour, Placement placement) {
    long firstFreeHour = Placement.usageHour(clock.millis()) + HOURS_AHEAD;
    if (fromHour < firstFreeHour) {
      throw new LedgerException(
          "from hour: " + fromHour + " (expected: " + firstFreeHour + " or later)");
    }
    LedgerLayout before = LedgerSchema.verify(session);
    long newest = LedgerSchema.newest(before).fromHour();
    if (fromHour <= newest) {
      throw new LedgerException(
          "from hour: " + fromHour + " (expected: after " + newest + ", the newest recorded)");
    }
    requireNoJob();
    session
        .cql()
        .execute(
            SimpleStatement.newInstance(
                    "INSERT INTO "
                        + session.keyspace()
                        + ".ledger_layout (ledger, from_hour, buckets, shards, hash,"
                        + " salted_accounts) VALUES ('ledger', ?, ?, ?, ?, ?) IF NOT EXISTS",
                    fromHour,
                    placement.buckets(),
                    Placement.SHARDS,
                    LedgerSchema.HASH,
                    placement.saltedAccounts())
                .setIdempotent(true));
    return LedgerSchema.verify(session, placement);
  }

  private void requireNoJob() {
    Row lease =
        session
            .cql()
            .execute("SELECT topic, holder FROM " + session.keyspace() + ".job_leases LIMIT 1")
            .one();
    if (lease != null) {
      throw new LedgerException(
          "A job rates topic "
              + lease.getString("topic")
              + " (expected: none while the layout changes; stop "
              + lease.getString("holder")
              + ")");
    }
  }
}
