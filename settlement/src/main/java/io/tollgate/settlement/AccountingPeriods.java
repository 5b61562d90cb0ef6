package io.tollgate.settlement;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;

/**
 * Accounting months, in UTC. A line belongs to the month of its usage while that is open, and to
 * the next open month once it is closed; so what finance has closed never changes.
 */
public final class AccountingPeriods {
  /** Held by settlement while it makes lines, so that no month is closed under its hands. */
  static final String LOCK = "LOCK TABLE closed_periods IN SHARE ROW EXCLUSIVE MODE";

  private static final String CLOSE =
      """
      INSERT INTO closed_periods (period, closed_millis, closed_by) VALUES (?, ?, ?)
      ON CONFLICT (period) DO NOTHING
      """;
  private static final long SECONDS_PER_HOUR = 3_600;

  private final Set<YearMonth> closed;

  AccountingPeriods(Set<YearMonth> closed) {
    this.closed = Set.copyOf(closed);
  }

  /**
   * Closes a month for ever. Closing it again changes nothing.
   *
   * @param person who closes it
   * @return whether it was open
   */
  public static boolean close(Connection connection, YearMonth month, String person, long nowMillis)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CLOSE)) {
      statement.setString(1, month.toString());
      statement.setLong(2, nowMillis);
      statement.setString(3, Texts.shown(person));
      return statement.executeUpdate() == 1;
    }
  }

  static AccountingPeriods read(Connection connection) throws SQLException {
    Set<YearMonth> closed = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT period FROM closed_periods")) {
      while (rows.next()) {
        closed.add(YearMonth.parse(rows.getString(1)));
      }
    }
    return new AccountingPeriods(closed);
  }

  /** Returns the month that a line of a usage hour belongs to. */
  YearMonth of(long usageHour) {
    YearMonth month =
        YearMonth.from(
            Instant.ofEpochSecond(Math.multiplyExact(usageHour, SECONDS_PER_HOUR))
                .atOffset(ZoneOffset.UTC));
    while (closed.contains(month)) {
      month = month.plusMonths(1);
    }
    return month;
  }
}
