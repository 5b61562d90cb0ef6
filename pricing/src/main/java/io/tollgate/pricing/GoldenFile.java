package io.tollgate.pricing;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.pricing.Cells.UnreadableException;
import io.tollgate.pricing.CsvTable.Layout;
import io.tollgate.pricing.CsvTable.Row;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads {@code golden.csv}, the team's own cases, and prices each of them. What is expected is an
 * amount, or the reason for which there is none ({@code NO_PLAN}, {@code NO_DESTINATION}, {@code
 * NO_PRICE_AT_START}).
 */
final class GoldenFile {
  private static final Layout LAYOUT =
      new Layout()
          .required("account")
          .optional("type", "usage_type")
          .optional("called", "number", "to")
          .required("start", "at")
          .required("usage", "duration")
          .required("expected", "expected_amount", "amount")
          .optional("note", "comment", "description");

  private final List<Case> cases = new ArrayList<>();

  private record Case(
      Row row,
      String account,
      UsageType type,
      String called,
      String start,
      String usage,
      String expected) {}

  void read(Path file, String name, Problems problems) {
    CsvTable.read(file, name, LAYOUT, problems, this::add);
  }

  private void add(Row row) {
    String given = row.get("type").toUpperCase(Locale.ROOT);
    for (UsageType type : UsageType.values()) {
      if (type.name().equals(given.isEmpty() ? "VOICE" : given)) {
        cases.add(
            new Case(
                row,
                row.get("account"),
                type,
                row.get("called").replace(" ", ""),
                row.get("start"),
                row.get("usage"),
                row.get("expected")));
        return;
      }
    }
    row.error("type", given, "VOICE, SMS, MMS, DATA or EVENT");
  }

  /** Prices the cases; each that differs is a problem. Returns how many were priced. */
  int check(TariffBook book, Map<String, PlanSettings> plans) {
    cases.forEach(golden -> check(golden, book, plans));
    return cases.size();
  }

  private static void check(Case golden, TariffBook book, Map<String, PlanSettings> plans) {
    Row row = golden.row;
    String column = "start";
    try {
      // A time without offset is by the clock of the account's plan, which may change with time.
      long start = Cells.moment(golden.start, ZoneId.of("UTC"));
      PlanSettings plan =
          book.planOf(golden.account, start).map(found -> plans.get(found.name())).orElse(null);
      if (plan != null) {
        start = Cells.moment(golden.start, plan.zone());
      }
      column = "usage";
      long usage = Cells.usage(golden.usage, golden.type, plan == null ? 1000 : plan.kilo());
      Cdr cdr =
          new Cdr(
              "golden/" + row.line(),
              golden.account,
              golden.type,
              "",
              golden.called,
              start,
              0,
              usage,
              "",
              Map.of(),
              "",
              "");
      column = "expected";
      compare(golden, book.rate(cdr));
    } catch (UnreadableException e) {
      row.error(column, row.get(column), e.rule());
    }
  }

  private static void compare(Case golden, Rating rating) throws UnreadableException {
    boolean isReason = golden.expected.matches("[A-Z_]+");
    if (rating instanceof Rating.Unpriced unpriced) {
      if (!golden.expected.equals(unpriced.reason().name())) {
        golden.row.error("expected", golden.expected, "what the tariff gives: " + shown(unpriced));
      }
      return;
    }
    Rating.Priced priced = (Rating.Priced) rating;
    BigDecimal expected = isReason ? null : Cells.decimal(golden.expected);
    if (expected == null || expected.compareTo(priced.amount()) != 0) {
      golden.row.error(
          "expected", golden.expected, "what the tariff gives: " + Explanation.oneLine(priced));
    }
  }

  private static String shown(Rating.Unpriced unpriced) {
    Reason reason = unpriced.reason();
    return reason + ", " + unpriced.detail();
  }
}
