package io.tollgate.settlement;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * Compares what the newest readings found with what the lines say was settled. A charge never
 * changes once it is written; what is owed for it changes by corrections only, which are rows of
 * their own. So of each hour, bucket and source:
 *
 * <table>
 *   <caption>Charges read beside charges settled</caption>
 *   <tr><th>number</th><th>digest</th><th>told of its rows since</th><th>is</th></tr>
 *   <tr><td>more</td><td>any</td><td>any</td><td>late arrivals: their receipts were compared</td></tr>
 *   <tr><td>the same</td><td>the same</td><td>any</td><td>right</td></tr>
 *   <tr><td>the same</td><td>another</td><td>nothing</td><td>SETTLED_CHANGED</td></tr>
 *   <tr><td>fewer</td><td>any</td><td>nothing</td><td>SETTLED_VANISHED</td></tr>
 *   <tr><td>the same or fewer</td><td>another</td><td>a difference that is open, or that a person
 *       has answered</td><td>told already, or accepted</td></tr>
 * </table>
 *
 * <p>The lines know no rows. Which row it is says the reconcile job, which remembers them; this is
 * what holds when it was started without its state. It compares two recorded facts, nothing that
 * moves, so what it finds is told at once.
 */
final class SettledPlaces {
  private static final String UNEXPLAINED =
      """
      WITH chosen AS (
        SELECT c.usage_hour, c.source
        FROM unnest(?::bigint[], ?::text[]) AS c (usage_hour, source)),
      settled AS (
        SELECT l.usage_hour, l.source, l.bucket, sum(l.charges) AS charges,
          (array_agg(l.charges_digest ORDER BY l.settled_millis DESC))[1] AS digest,
          max(l.settled_millis) AS settled_millis
        FROM chosen JOIN settlement_lines l USING (usage_hour, source)
        GROUP BY l.usage_hour, l.source, l.bucket)
      SELECT s.usage_hour, s.source, s.bucket, s.charges, coalesce(s.digest, 0) AS digest,
        coalesce(p.charges, 0) AS charges_now, coalesce(p.digest, 0) AS digest_now
      FROM settled s LEFT JOIN partitions p USING (usage_hour, source, bucket)
      WHERE (coalesce(p.charges, 0) < s.charges
          OR (coalesce(p.charges, 0) = s.charges AND p.digest <> s.digest))
        AND NOT EXISTS (SELECT 1 FROM differences d
          WHERE d.usage_hour = s.usage_hour AND d.bucket = s.bucket AND d.source = s.source
            AND d.at_millis > s.settled_millis
            AND (d.status = 'WRITTEN_OFF'
              OR (d.batch <> '' AND (d.status <> 'GONE' OR d.halt_id <> ''))))
      ORDER BY s.usage_hour, s.source, s.bucket
      """;
  private static final String TOLD =
      """
      SELECT d.kind, d.source, d.usage_hour, d.bucket, d.items, d.records, d.expected, d.found
      FROM unnest(?::bigint[], ?::text[]) AS c (usage_hour, source)
      JOIN differences d USING (usage_hour, source)
      WHERE d.kind IN ('SETTLED_CHANGED', 'SETTLED_VANISHED') AND d.batch = ''
        AND d.status IN ('CONFIRMED', 'RESOLVING')
      ORDER BY d.id
      """;

  private SettledPlaces() {}

  /**
   * Compares hours whose partitions are all balanced.
   *
   * @return what disagrees, as confirmed; and what was told before and agrees, as gone
   */
  static List<Found> compare(Connection connection, List<HourFacts> hours, long nowMillis)
      throws SQLException {
    List<Found> found = new ArrayList<>();
    if (hours.isEmpty()) {
      return found;
    }
    Set<String> disagreeing = new HashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(UNEXPLAINED)) {
      choose(connection, statement, hours);
      try (ResultSet place = statement.executeQuery()) {
        while (place.next()) {
          Difference difference = unexplained(place);
          disagreeing.add(difference.id());
          found.add(new Found(difference, Status.CONFIRMED, "", "", nowMillis));
        }
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(TOLD)) {
      choose(connection, statement, hours);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          Difference difference = told(row);
          if (!disagreeing.contains(difference.id())) {
            found.add(new Found(difference, Status.GONE, "", "", nowMillis));
          }
        }
      }
    }
    return found;
  }

  private static Difference unexplained(ResultSet place) throws SQLException {
    long settled = place.getLong("charges");
    long now = place.getLong("charges_now");
    String before = text(settled, place.getLong("digest"));
    String after = text(now, place.getLong("digest_now"));
    return new Difference(
        now < settled ? DifferenceKind.SETTLED_VANISHED : DifferenceKind.SETTLED_CHANGED,
        place.getString("source"),
        "",
        place.getLong("usage_hour"),
        place.getInt("bucket"),
        "settled " + before + ", read " + after,
        Math.max(1, settled - now),
        before + ", as settlement lines say",
        after);
  }

  private static String text(long charges, long digest) {
    return charges + " charges with digest " + HexFormat.of().toHexDigits(digest);
  }

  private static Difference told(ResultSet row) throws SQLException {
    return new Difference(
        DifferenceKind.valueOf(row.getString("kind")),
        row.getString("source"),
        "",
        row.getLong("usage_hour"),
        row.getInt("bucket"),
        row.getString("items"),
        row.getLong("records"),
        row.getString("expected"),
        row.getString("found"));
  }

  private static void choose(
      Connection connection, PreparedStatement statement, List<HourFacts> hours)
      throws SQLException {
    statement.setArray(
        1, connection.createArrayOf("bigint", hours.stream().map(HourFacts::usageHour).toArray()));
    statement.setArray(
        2, connection.createArrayOf("text", hours.stream().map(HourFacts::source).toArray()));
  }
}
