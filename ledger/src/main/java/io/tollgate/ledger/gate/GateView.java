package io.tollgate.ledger.gate;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.tollgate.ledger.LedgerSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the gate depends on: two small reads with LOCAL_QUORUM, so that a halt that was raised
 * is seen. Never waits: answers come on the driver's threads. A read is not repeated, since the
 * next poll is.
 */
public final class GateView {
  private final CqlSession cql;
  private final Duration timeout;
  private final PreparedStatement selectUnresolved;
  private final PreparedStatement selectHeartbeat;

  /**
   * Creates the view on a session, which stays the caller's.
   *
   * @param timeout after which a read has failed
   */
  public GateView(LedgerSession session, Duration timeout) {
    this.cql = session.cql();
    this.timeout = timeout;
    selectUnresolved = cql.prepare(HaltLog.selectUnresolved(session));
    selectHeartbeat = cql.prepare(Heartbeat.select(session));
  }

  /** Reads once; fails with the driver's exception if there is no answer in time. */
  public CompletionStage<GateReading> read() {
    CompletionStage<@Nullable Row> heartbeat = one(selectHeartbeat.bind(Heartbeat.RECONCILE));
    return one(selectUnresolved.bind(HaltLog.GATE))
        .thenCombine(
            heartbeat,
            (halts, beat) ->
                new GateReading(
                    halts == null
                        ? List.of()
                        : HaltLog.haltIds(halts.getSet("unresolved", String.class)),
                    Heartbeat.sequence(beat)));
  }

  private CompletionStage<@Nullable Row> one(BoundStatement statement) {
    return cql.executeAsync(
            statement
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true)
                .setTimeout(timeout))
        .thenApply(page -> page.one());
  }
}
