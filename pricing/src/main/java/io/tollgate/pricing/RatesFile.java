package io.tollgate.pricing;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.tariff.MaximumPolicy;
import io.tollgate.domain.tariff.RateRow;
import io.tollgate.domain.tariff.Validity;
import io.tollgate.pricing.Cells.UnreadableException;
import io.tollgate.pricing.CsvTable.Layout;
import io.tollgate.pricing.CsvTable.Row;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code rates.csv} of a plan. */
final class RatesFile {
  static final Layout LAYOUT =
      new Layout()
          .required("prefix", "destination_prefix")
          .optional("destination", "destination_name", "name")
          .optional("type", "usage_type")
          .optional("band")
          .optional("from", "step_start", "step")
          .optional("connection_fee", "setup_fee")
          .optional("step_fee")
          .required("rate", "price")
          .optional("per")
          .optional("increment", "increments")
          .optional("minimum", "minimum_charge")
          .optional("maximum", "maximum_charge")
          .optional("on_maximum", "maximum_policy")
          .optional("free", "free_seconds", "free_usage")
          .optional("valid_from")
          .optional("valid_to");

  private final PlanSettings plan;
  private final Set<String> bands = new HashSet<>();
  private final Map<String, String> knownTexts = new HashMap<>();
  private final Cells cells = new Cells();
  private final List<Placed> rows = new ArrayList<>();
  private final List<Row> withoutLeadingZero = new ArrayList<>();
  private @Nullable String withLeadingZero;

  /**
   * @param plan what the rates are read by
   */
  RatesFile(PlanSettings plan) {
    this.plan = plan;
    plan.bands().forEach(band -> bands.add(band.name()));
  }

  /** A row with its place. */
  record Placed(RateRow row, int line) {}

  /** Returns the rows that can be read, in order of the file. */
  List<Placed> read(Path file, String name, Problems problems) {
    CsvTable.read(file, name, LAYOUT, problems, this::add);
    if (withLeadingZero != null) {
      for (Row row : withoutLeadingZero) {
        row.warn(
            "prefix",
            row.get("prefix"),
            "no leading 0 while " + withLeadingZero + " has one; did a spreadsheet drop it?");
      }
    }
    return rows;
  }

  private void add(Row row) {
    UsageType type = type(row);
    if (type == null) {
      return;
    }
    String prefix = prefix(row, type);
    String band = band(row);
    long from = usage(row, "from", type, 0);
    BigDecimal connectionFee = amount(row, "connection_fee");
    BigDecimal stepFee = amount(row, "step_fee");
    BigDecimal rate = row.get("rate").isEmpty() ? null : amount(row, "rate");
    if (row.get("rate").isEmpty()) {
      row.error("rate", "nothing", "a price; free destinations are declared in plan.yaml");
    }
    long per = positive(row, "per", type, defaultPer(type));
    long[] increments = increments(row, type);
    BigDecimal minimum = amount(row, "minimum");
    BigDecimal maximum = row.get("maximum").isEmpty() ? null : amount(row, "maximum");
    MaximumPolicy policy = policy(row, maximum);
    long free = usage(row, "free", type, 0);
    Validity validity = validity(row);
    if (prefix == null
        || band == null
        || from < 0
        || connectionFee == null
        || stepFee == null
        || rate == null
        || per < 0
        || increments == null
        || minimum == null
        || (maximum == null && !row.get("maximum").isEmpty())
        || policy == null
        || free < 0
        || validity == null
        || !areLimitsGood(row, from, connectionFee, minimum, maximum, free)) {
      return;
    }
    String given = row.get("destination");
    rows.add(
        new Placed(
            new RateRow(
                type,
                known(prefix),
                given.isEmpty() ? known(prefix) : known(given),
                known(band),
                from,
                connectionFee,
                stepFee,
                rate,
                per,
                increments[0],
                increments[1],
                minimum,
                maximum,
                policy,
                free,
                validity,
                0),
            row.line()));
  }

  private @Nullable UsageType type(Row row) {
    String given = row.get("type");
    if (given.isEmpty()) {
      return UsageType.VOICE;
    }
    for (UsageType type : UsageType.values()) {
      if (type.name().equals(given.toUpperCase(Locale.ROOT))) {
        if (!plan.usageTypes().contains(type)) {
          row.error("type", given, "one of the plan's usage_types " + plan.usageTypes());
        }
        return type;
      }
    }
    row.error("type", given, "VOICE, SMS, MMS, DATA or EVENT");
    return null;
  }

  private @Nullable String prefix(Row row, UsageType type) {
    String given = row.get("prefix");
    if (type == UsageType.DATA || type == UsageType.EVENT) {
      return given.equals("*") ? "" : given;
    }
    try {
      String prefix = Prefixes.read(given, plan.isInternational());
      if (!plan.isInternational() && !prefix.isEmpty()) {
        if (prefix.charAt(0) == '0') {
          withLeadingZero = prefix;
        } else if (Character.isDigit(prefix.charAt(0))) {
          withoutLeadingZero.add(row);
        }
      }
      return prefix;
    } catch (UnreadableException e) {
      row.error("prefix", given, e.rule());
      return null;
    }
  }

  private @Nullable String band(Row row) {
    String given = row.get("band");
    if (given.isEmpty() || given.equals("*") || given.equals("any")) {
      return "";
    }
    if (bands.contains(given)) {
      return given;
    }
    row.error("band", given, "a band of plan.yaml: " + String.join(", ", bands));
    return null;
  }

  private @Nullable BigDecimal amount(Row row, String column) {
    String given = row.get(column);
    if (given.isEmpty()) {
      return BigDecimal.ZERO;
    }
    try {
      return cells.amount(given);
    } catch (UnreadableException e) {
      row.error(column, given, e.rule());
      return null;
    }
  }

  /** Returns a quantity, -1 with a problem if it cannot be read. */
  private long usage(Row row, String column, UsageType type, long otherwise) {
    String given = row.get(column);
    if (given.isEmpty()) {
      return otherwise;
    }
    try {
      return Cells.usage(given, type, plan.kilo());
    } catch (UnreadableException e) {
      row.error(column, given, e.rule());
      return -1;
    }
  }

  private long positive(Row row, String column, UsageType type, long otherwise) {
    long value = usage(row, column, type, otherwise);
    if (value == 0) {
      row.error(column, row.get(column), "more than 0");
      return -1;
    }
    return value;
  }

  private static long defaultPer(UsageType type) {
    return type == UsageType.VOICE ? 60_000 : 1;
  }

  private long @Nullable [] increments(Row row, UsageType type) {
    String given = row.get("increment");
    if (given.isEmpty()) {
      long unit = type == UsageType.VOICE ? 1000 : 1;
      return new long[] {unit, unit};
    }
    String[] parts = given.split("/", -1);
    if (parts.length <= 2) {
      try {
        long initial = Cells.usage(parts[0].strip(), type, plan.kilo());
        long next = parts.length == 1 ? initial : Cells.usage(parts[1].strip(), type, plan.kilo());
        if (initial > 0 && next > 0) {
          return new long[] {initial, next};
        }
      } catch (UnreadableException e) {
        row.error("increment", given, e.rule() + ", or two such as 60/1");
        return null;
      }
    }
    row.error("increment", given, "one such as 60 or two such as 60/1, more than 0");
    return null;
  }

  private static @Nullable MaximumPolicy policy(Row row, @Nullable BigDecimal maximum) {
    String given = row.get("on_maximum").toLowerCase(Locale.ROOT);
    if (given.isEmpty() || given.equals("cap")) {
      return MaximumPolicy.CAP;
    }
    if (!given.equals("disconnect")) {
      row.error("on_maximum", given, "cap or disconnect");
      return null;
    }
    if (maximum == null) {
      row.error("on_maximum", given, "a maximum beside it");
    }
    return MaximumPolicy.DISCONNECT;
  }

  private @Nullable Validity validity(Row row) {
    String from = row.get("valid_from");
    String to = row.get("valid_to");
    if (from.isEmpty() && to.isEmpty()) {
      return Validity.ALWAYS;
    }
    try {
      return cells.validity(new Cells.Span(from, to), plan.zone());
    } catch (UnreadableException e) {
      boolean isFrom = to.isEmpty() || !isReadable(from);
      row.error(isFrom ? "valid_from" : "valid_to", isFrom ? from : to, e.rule());
      return null;
    }
  }

  private boolean isReadable(String moment) {
    try {
      return moment.isEmpty() || Cells.moment(moment, plan.zone()) > Long.MIN_VALUE;
    } catch (UnreadableException e) {
      return false;
    }
  }

  private static boolean areLimitsGood(
      Row row,
      long from,
      BigDecimal connectionFee,
      BigDecimal minimum,
      @Nullable BigDecimal maximum,
      long free) {
    boolean isGood = true;
    if (from > 0) {
      for (String column : List.of("connection_fee", "minimum", "maximum", "free")) {
        String given = row.get(column);
        boolean isSet =
            switch (column) {
              case "connection_fee" -> connectionFee.signum() != 0;
              case "minimum" -> minimum.signum() != 0;
              case "maximum" -> maximum != null;
              default -> free != 0;
            };
        if (isSet) {
          row.error(column, given, "nothing: it stands on the step from 0; see also step_fee");
          isGood = false;
        }
      }
    }
    if (maximum != null && minimum.compareTo(maximum) > 0) {
      row.error("minimum", row.get("minimum"), "at most the maximum " + maximum.toPlainString());
      isGood = false;
    }
    if (maximum != null && connectionFee.compareTo(maximum) > 0) {
      row.error(
          "connection_fee",
          row.get("connection_fee"),
          "at most the maximum " + maximum.toPlainString());
      isGood = false;
    }
    return isGood;
  }

  private String known(String text) {
    String known = knownTexts.putIfAbsent(text, text);
    return known == null ? text : known;
  }
}
