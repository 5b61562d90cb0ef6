package io.tollgate.ledger.gate;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.tollgate.ledger.LedgerException;
import io.tollgate.ledger.LedgerSession;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A number that rises while a job is alive and does its work. Readers age it by their own monotonic
 * clock, from when they last saw it change; see {@link GateWatch}.
 *
 * <p>Written by a lightweight transaction, so that a host whose clock is behind does not write in
 * vain, and only upwards, so that a job that repeats one cycle for ever counts as alive once. A job
 * that starts, with state or without, goes on from {@link #read()}.
 */
public final class Heartbeat {
  /** Role of the reconcile job: a beat means that a cycle is complete. */
  public static final String RECONCILE = "reconcile";

  static final String TABLE = "heartbeats";
  private static final long MICROS_PER_MILLI = 1_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final CqlSession cql;
  private final String role;
  private final PreparedStatement first;
  private final PreparedStatement next;
  private final PreparedStatement select;
  private final PreparedStatement selectWithTime;

  /** Creates the heartbeat of a role on a session, which stays the caller's. */
  public Heartbeat(LedgerSession session, String role) {
    this.cql = session.cql();
    this.role = role;
    String table = session.keyspace() + "." + TABLE;
    first = cql.prepare("INSERT INTO " + table + " (role, sequence) VALUES (?, ?) IF NOT EXISTS");
    next = cql.prepare("UPDATE " + table + " SET sequence = ? WHERE role = ? IF sequence < ?");
    select = cql.prepare(select(session));
    selectWithTime =
        cql.prepare(
            "SELECT sequence, writetime(sequence) AS written FROM " + table + " WHERE role = ?");
  }

  static String select(LedgerSession session) {
    return "SELECT sequence FROM " + session.keyspace() + "." + TABLE + " WHERE role = ?";
  }

  /**
   * Beats.
   *
   * @param sequence larger than every one before
   * @return false if the number recorded is as large already, so that nobody hears this beat, or if
   *     an earlier attempt whose answer was lost had recorded it
   * @throws LedgerException if the ledger refuses, or does not answer for two minutes
   */
  public boolean beat(long sequence) throws InterruptedException {
    return isApplied(next.bind(sequence, role, sequence)) || isApplied(first.bind(role, sequence));
  }

  /** Returns the number that was recorded last, if there is one. */
  public OptionalLong read() throws InterruptedException {
    return PatientRequest.run(
        "The heartbeat cannot be read",
        () ->
            sequence(
                cql.execute(
                        select
                            .bind(role)
                            .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL)
                            .setIdempotent(true)
                            .setTimeout(TIMEOUT))
                    .one()));
  }

  /**
   * A beat.
   *
   * @param sequence its number
   * @param at when the ledger took it, by the ledger's clocks; for people only
   */
  public record Beat(long sequence, Instant at) {}

  /** Returns the beat that was recorded last with its time, if there is one. */
  public Optional<Beat> last() throws InterruptedException {
    return PatientRequest.run(
        "The heartbeat cannot be read",
        () -> {
          Row row =
              cql.execute(selectWithTime.bind(role).setIdempotent(true).setTimeout(TIMEOUT)).one();
          return row == null || row.isNull("sequence")
              ? Optional.empty()
              : Optional.of(
                  new Beat(
                      row.getLong("sequence"),
                      Instant.ofEpochMilli(row.getLong("written") / MICROS_PER_MILLI)));
        });
  }

  static OptionalLong sequence(@Nullable Row row) {
    return row == null || row.isNull("sequence")
        ? OptionalLong.empty()
        : OptionalLong.of(row.getLong("sequence"));
  }

  private boolean isApplied(BoundStatement statement) throws InterruptedException {
    return PatientRequest.run(
        "The heartbeat cannot be written",
        () -> cql.execute(statement.setIdempotent(true).setTimeout(TIMEOUT)).wasApplied());
  }
}
