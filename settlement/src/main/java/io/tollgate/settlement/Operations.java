package io.tollgate.settlement;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What operations did by command: savepoints, and replays from them.
 *
 * <p>Uses the connection that it is given, in auto-commit, and does not close it.
 */
public final class Operations {
  private static final String TAKEN =
      """
      INSERT INTO savepoints (path, job, job_name, taken_millis, taken_by, reason, dropped_millis,
        dropped_by)
      VALUES (?, ?, ?, ?, ?, ?, -1, '')
      ON CONFLICT (path) DO NOTHING
      """;
  private static final String DROPPED =
      "UPDATE savepoints SET dropped_millis = ?, dropped_by = ? WHERE path = ?";
  private static final String SAVEPOINTS =
      """
      SELECT path, job, job_name, taken_millis, taken_by, reason
      FROM savepoints WHERE dropped_millis < 0
      ORDER BY taken_millis DESC, path LIMIT ?
      """;
  private static final String REPLAY =
      """
      INSERT INTO replays (replay, from_path, started_millis, started_by, reason, stopped_at_path,
        job, records, charges_there, charges_missing, charges_filled, finished_millis)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (replay) DO UPDATE
      SET stopped_at_path = excluded.stopped_at_path, job = excluded.job,
        charges_filled = excluded.charges_filled, finished_millis = excluded.finished_millis
      """;
  private static final String REPLAYS =
      """
      SELECT replay, from_path, started_millis, started_by, reason, stopped_at_path, job, records,
        charges_there, charges_missing, charges_filled, finished_millis
      FROM replays ORDER BY started_millis DESC, replay LIMIT ?
      """;

  private final Connection connection;

  /**
   * Works on a connection.
   *
   * @param connection stays open while this is used
   */
  public Operations(Connection connection) {
    this.connection = connection;
  }

  /**
   * A savepoint.
   *
   * @param path where it lies
   * @param job id of the job it is of
   * @param jobName name of that job
   * @param takenMillis when
   * @param by who took it
   * @param reason why
   */
  public record Savepoint(
      String path, String job, String jobName, long takenMillis, String by, String reason) {}

  /**
   * A replay.
   *
   * @param id its id
   * @param from the savepoint that the job went back to
   * @param startedMillis when
   * @param by who asked
   * @param reason why
   * @param stoppedAt savepoint that the job was stopped with; empty if none ran
   * @param job id of the job that goes on; empty before it was started
   * @param records how many records are read again
   * @param there how many of them had their charge
   * @param missing how many of them had none, suspended and rejected ones among them
   * @param filled how many of the missing have it now; -1 before it has caught up
   * @param finishedMillis when it had caught up; -1 before
   */
  public record Replay(
      String id,
      String from,
      long startedMillis,
      String by,
      String reason,
      String stoppedAt,
      String job,
      long records,
      long there,
      long missing,
      long filled,
      long finishedMillis) {}

  /** Records a savepoint. */
  public void taken(Savepoint savepoint) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKEN)) {
      statement.setString(1, savepoint.path());
      statement.setString(2, savepoint.job());
      statement.setString(3, savepoint.jobName());
      statement.setLong(4, savepoint.takenMillis());
      statement.setString(5, Texts.shown(savepoint.by()));
      statement.setString(6, Texts.shown(savepoint.reason()));
      statement.executeUpdate();
    }
  }

  /** Records that a savepoint is gone. */
  public void dropped(String path, String by, long nowMillis) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(DROPPED)) {
      statement.setLong(1, nowMillis);
      statement.setString(2, Texts.shown(by));
      statement.setString(3, path);
      statement.executeUpdate();
    }
  }

  /** Returns the newest savepoints that are not dropped, the newest first. */
  public List<Savepoint> savepoints(int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SAVEPOINTS)) {
      statement.setInt(1, limit);
      List<Savepoint> savepoints = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          savepoints.add(
              new Savepoint(
                  rows.getString(1),
                  rows.getString(2),
                  rows.getString(3),
                  rows.getLong(4),
                  rows.getString(5),
                  rows.getString(6)));
        }
      }
      return savepoints;
    }
  }

  /** Records a replay, or how far it came. */
  public void replay(Replay replay) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(REPLAY)) {
      statement.setString(1, replay.id());
      statement.setString(2, replay.from());
      statement.setLong(3, replay.startedMillis());
      statement.setString(4, Texts.shown(replay.by()));
      statement.setString(5, Texts.shown(replay.reason()));
      statement.setString(6, replay.stoppedAt());
      statement.setString(7, replay.job());
      statement.setLong(8, replay.records());
      statement.setLong(9, replay.there());
      statement.setLong(10, replay.missing());
      statement.setLong(11, replay.filled());
      statement.setLong(12, replay.finishedMillis());
      statement.executeUpdate();
    }
  }

  /** Returns the newest replays, the newest first. */
  public List<Replay> replays(int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(REPLAYS)) {
      statement.setInt(1, limit);
      List<Replay> replays = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          replays.add(
              new Replay(
                  rows.getString(1),
                  rows.getString(2),
                  rows.getLong(3),
                  rows.getString(4),
                  rows.getString(5),
                  rows.getString(6),
                  rows.getString(7),
                  rows.getLong(8),
                  rows.getLong(9),
                  rows.getLong(10),
                  rows.getLong(11),
                  rows.getLong(12)));
        }
      }
      return replays;
    }
  }
}
