package io.tollgate.settlement;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Rows of the database as lines of text. */
final class Rows {
  private Rows() {}

  /** Returns each row with its columns separated by {@code |}. */
  static List<String> of(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> lines = new ArrayList<>();
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        List<String> values = new ArrayList<>();
        for (int column = 1; column <= columns; column++) {
          values.add(String.valueOf(rows.getString(column)));
        }
        lines.add(String.join("|", values));
      }
      return lines;
    }
  }

  /** Returns all that is recorded but for the history of migrations. */
  static List<String> everything(Connection connection) throws SQLException {
    List<String> lines = new ArrayList<>();
    for (String table :
        List.of(
            "cycles",
            "sources",
            "batches",
            "batch_hours",
            "partitions",
            "differences",
            "halts",
            "halt_differences",
            "acknowledgements",
            "resolutions",
            "hours",
            "settlement_lines",
            "settled_batches",
            "closed_periods")) {
      of(connection, "SELECT t.*::text FROM " + table + " t ORDER BY 1")
          .forEach(line -> lines.add(table + ": " + line));
    }
    return lines;
  }
}
