package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The right to rate a topic with a consumer group, held by one submission of the job at a time. A
 * row that Cassandra lets expire unless its holder renews it; all clocks are Cassandra's.
 *
 * <p>A courtesy, not a fence: it refuses a second job that was started by mistake. A holder that
 * was frozen and wakes after its lease has ended may still write, and that is harmless, because of
 * two writes of a charge the first stands.
 */
public final class JobLease {
  /** How long a lease lasts after it was last renewed. */
  public static final Duration TIME_TO_LIVE = Duration.ofSeconds(30);

  /** How often its holder renews it. */
  public static final Duration RENEW_EVERY = Duration.ofSeconds(10);

  private static final int RENEWALS_OF_THE_LIVING = 2;
  private static final Duration LOOK_AGAIN_AFTER = Duration.ofSeconds(1);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

  private final CqlSession cql;
  private final Key key;
  private final int timeToLiveSeconds;
  private final PreparedStatement insert;
  private final PreparedStatement update;
  private final PreparedStatement delete;
  private final PreparedStatement select;
  private long renewals;

  /** Creates a lease that is not held yet. */
  public JobLease(LedgerSession session, Key key) {
    this(session, key, TIME_TO_LIVE);
  }

  JobLease(LedgerSession session, Key key, Duration timeToLive) {
    this.cql = session.cql();
    this.key = key;
    this.timeToLiveSeconds = Math.toIntExact(timeToLive.toSeconds());
    String table = session.keyspace() + ".job_leases";
    insert =
        cql.prepare(
            "INSERT INTO "
                + table
                + " (topic, consumer_group, owner, holder, renewals) VALUES (?, ?, ?, ?, ?)"
                + " IF NOT EXISTS USING TTL ?");
    update =
        cql.prepare(
            "UPDATE "
                + table
                + " USING TTL ? SET owner = ?, holder = ?, renewals = ?"
                + " WHERE topic = ? AND consumer_group = ? IF owner = ?");
    delete =
        cql.prepare(
            "DELETE FROM " + table + " WHERE topic = ? AND consumer_group = ? IF owner = ?");
    select =
        cql.prepare(
            "SELECT owner, holder, renewals FROM "
                + table
                + " WHERE topic = ? AND consumer_group = ?");
  }

  /**
   * Takes the lease. Returns at once if it is free or was this owner's already; waits while another
   * holds it, until that one lets it go or expire, or shows that it is alive by renewing it twice.
   * Once is not enough: a job that was just cancelled is shown as ended a moment before it stops
   * renewing.
   *
   * @throws LeaseHeldException if another job renews it meanwhile; the message says which
   */
  public void acquire() throws InterruptedException {
    long giveUpNanos =
        System.nanoTime() + Duration.ofSeconds(timeToLiveSeconds).multipliedBy(4).toNanos();
    Holder before = null;
    int renewalsSeen = 0;
    while (true) {
      try {
        if (tryToAcquire()) {
          return;
        }
        Holder now = holder();
        if (now != null && now.isRenewalOf(before) && ++renewalsSeen == RENEWALS_OF_THE_LIVING) {
          throw heldBy(now);
        }
        before = now;
      } catch (DriverException e) {
        if (!RequestFailure.of(e).isRetried() || System.nanoTime() - giveUpNanos > 0) {
          throw new LedgerException("The lease cannot be taken: " + e.getMessage(), e);
        }
      }
      Thread.sleep(LOOK_AGAIN_AFTER.toMillis());
    }
  }

  /**
   * Renews the lease, once. Call every {@link #RENEW_EVERY}.
   *
   * @return false if it has ended or is another's: this job should stop
   * @throws DriverException if the ledger did not answer; the lease may or may not be renewed, try
   *     again
   */
  public boolean renew() {
    renewals++;
    return execute(
            update.bind(
                timeToLiveSeconds,
                key.owner(),
                key.holder(),
                renewals,
                key.topic(),
                key.consumerGroup(),
                key.owner()))
        .wasApplied();
  }

  /** Gives the lease back, so that the next job need not wait. Does nothing if it is not held. */
  public void release() {
    execute(delete.bind(key.topic(), key.consumerGroup(), key.owner()));
  }

  private boolean tryToAcquire() {
    boolean isFree =
        execute(
                insert.bind(
                    key.topic(),
                    key.consumerGroup(),
                    key.owner(),
                    key.holder(),
                    renewals,
                    timeToLiveSeconds))
            .wasApplied();
    // After a restart of the same submission, or an answer that was lost, the row is ours already.
    return isFree || renew();
  }

  private @Nullable Holder holder() {
    Row row =
        execute(
                select
                    .bind(key.topic(), key.consumerGroup())
                    .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL))
            .one();
    if (row == null || row.isNull("owner")) {
      return null;
    }
    return new Holder(
        String.valueOf(row.getString("owner")),
        String.valueOf(row.getString("holder")),
        row.getLong("renewals"));
  }

  private ResultSet execute(BoundStatement statement) {
    return cql.execute(statement.setTimeout(REQUEST_TIMEOUT));
  }

  private LeaseHeldException heldBy(Holder other) {
    return new LeaseHeldException(
        "Topic "
            + key.topic()
            + ", group "
            + key.consumerGroup()
            + " is being rated by another job: "
            + other.holder()
            + ", submission "
            + other.owner()
            + " (expected: one job for a topic; stop that one, or leave it)");
  }

  /**
   * What is leased, and to whom.
   *
   * @param owner id of the submission, the same after every restart of it
   * @param holder for people: job name, host and since when
   */
  public record Key(String topic, String consumerGroup, String owner, String holder)
      implements Serializable {}

  /** Who holds the lease. */
  private record Holder(String owner, String holder, long renewals) {

    private boolean isRenewalOf(@Nullable Holder before) {
      return before != null && owner.equals(before.owner) && renewals != before.renewals;
    }
  }
}
