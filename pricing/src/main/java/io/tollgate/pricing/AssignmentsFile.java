package io.tollgate.pricing;

import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.tariff.Assignment;
import io.tollgate.domain.tariff.Assignment.Kind;
import io.tollgate.domain.tariff.Validity;
import io.tollgate.pricing.Cells.UnreadableException;
import io.tollgate.pricing.CsvTable.Layout;
import io.tollgate.pricing.CsvTable.Row;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads {@code assignments.csv}.
 *
 * <table>
 *   <caption>The column account</caption>
 *   <tr><th>written</th><th>means</th></tr>
 *   <tr><td>{@code acme-17}</td><td>that account</td></tr>
 *   <tr><td>{@code acme-*}</td><td>accounts that begin with {@code acme-}</td></tr>
 *   <tr><td>{@code *}</td><td>every account</td></tr>
 * </table>
 */
final class AssignmentsFile {
  private static final Layout LAYOUT =
      new Layout()
          .required("account", "account_id")
          .required("plan")
          .optional("valid_from")
          .optional("valid_to");

  private final Map<String, ZoneId> zones;
  private final Cells cells = new Cells();
  private final List<Placed> found = new ArrayList<>();

  /**
   * @param zones time zone of each plan
   */
  AssignmentsFile(Map<String, ZoneId> zones) {
    this.zones = zones;
  }

  private record Placed(Assignment assignment, Row row) {}

  List<Assignment> read(Path file, String name, Problems problems) {
    CsvTable.read(file, name, LAYOUT, problems, this::add);
    checkTimes();
    Set<String> used = new HashSet<>();
    found.forEach(placed -> used.add(placed.assignment.plan()));
    for (String plan : zones.keySet()) {
      if (!used.contains(plan)) {
        problems.warn(name, 0, 0, "plan", plan, "no account has this plan");
      }
    }
    if (found.stream().noneMatch(placed -> placed.assignment.kind() == Kind.DEFAULT)) {
      problems.warn(
          name, 0, 0, "account", "no *", "usage of accounts that are not named is suspended");
    }
    return found.stream().map(Placed::assignment).toList();
  }

  private void add(Row row) {
    String account = row.get("account");
    String plan = row.get("plan");
    ZoneId zone = zones.get(plan);
    if (zone == null) {
      row.error("plan", plan, "a directory below plans/: " + String.join(", ", zones.keySet()));
      zone = ZoneId.of("UTC");
    }
    if (account.isEmpty() || account.length() > CdrRules.MAX_TEXT_LENGTH) {
      row.error("account", account, "an account, a beginning such as acme-*, or *");
      return;
    }
    if (account.matches("[0-9]([.,][0-9]+)?E\\+[0-9]+")) {
      row.error("account", account, "the account's own digits; a spreadsheet made a number of it");
      return;
    }
    boolean isPrefix = account.endsWith("*");
    String key = isPrefix ? account.substring(0, account.length() - 1) : account;
    Kind kind = key.isEmpty() ? Kind.DEFAULT : isPrefix ? Kind.ACCOUNT_PREFIX : Kind.ACCOUNT;
    try {
      Validity validity =
          cells.validity(new Cells.Span(row.get("valid_from"), row.get("valid_to")), zone);
      found.add(new Placed(new Assignment(kind, key, plan, validity, 0), row));
    } catch (UnreadableException e) {
      row.error("valid_from", row.get("valid_from") + " to " + row.get("valid_to"), e.rule());
    }
  }

  private void checkTimes() {
    List<Placed> sorted = new ArrayList<>(found);
    sorted.sort(
        Comparator.comparing((Placed placed) -> placed.assignment.kind())
            .thenComparing(placed -> placed.assignment.key())
            .thenComparingLong(placed -> placed.assignment.validity().fromMillis()));
    for (int i = 1; i < sorted.size(); i++) {
      Assignment before = sorted.get(i - 1).assignment;
      Assignment next = sorted.get(i).assignment;
      if (before.kind() == next.kind()
          && before.key().equals(next.key())
          && before.validity().overlaps(next.validity())) {
        sorted
            .get(i)
            .row
            .error(
                "account",
                sorted.get(i).row.get("account"),
                "no overlap with line "
                    + sorted.get(i - 1).row.line()
                    + ", valid "
                    + before.validity());
      }
    }
  }
}
