package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import java.time.Duration;

/**
 * Writes single charges on behalf of a person: a row that was lost, or a revision of one. Not for
 * the flow of CDRs, where {@link LedgerWriter} lets the first write stand without reading.
 *
 * <p>A row that was deleted left a tombstone with the time of the deletion, under which a write
 * with the writer's negative timestamps would vanish. So this writes with the ordinary clock, and
 * only if nothing is there: one lightweight transaction for each row. For one thread.
 */
public final class LedgerRepair {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final CqlSession cql;
  private final LedgerLayout layout;
  private final PreparedStatement insert;
  private final ChargeCodec codec = new ChargeCodec();

  /**
   * @param session stays open while this is used
   */
  public LedgerRepair(LedgerSession session, LedgerLayout layout) {
    this.cql = session.cql();
    this.layout = layout;
    insert =
        cql.prepare(
            "INSERT INTO "
                + session.keyspace()
                + "."
                + LedgerSchema.CHARGES
                + " (usage_hour, bucket, account_id, event_id, revision, charge)"
                + " VALUES (?, ?, ?, ?, ?, ?) IF NOT EXISTS");
  }

  /**
   * Writes a charge if its key has none. Repeating it changes nothing.
   *
   * @return whether it was written now
   */
  public boolean writeIfAbsent(Charge charge) {
    long usageHour = charge.usageHour();
    String accountId = charge.cdr().accountId();
    String eventId = charge.cdr().eventId();
    return cql.execute(
            insert
                .boundStatementBuilder()
                .setInt("usage_hour", Math.toIntExact(usageHour))
                .setInt("bucket", layout.at(usageHour).bucket(accountId, eventId))
                .setString("account_id", accountId)
                .setString("event_id", eventId)
                .setLong("revision", charge.revision())
                .setBytesUnsafe("charge", codec.encode(charge))
                .setSerialConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setTimeout(TIMEOUT)
                .setIdempotence(true)
                .build())
        .wasApplied();
  }
}
