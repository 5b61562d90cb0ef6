package io.tollgate.pricing;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.tariff.RateRow;
import io.tollgate.domain.tariff.Validity;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads values as people write them in a cell, and names what a spreadsheet destroyed.
 *
 * <table>
 *   <caption>What is refused, with its reason</caption>
 *   <tr><th>value</th><th>reason</th></tr>
 *   <tr><td>{@code 0,05}</td><td>decimal comma</td></tr>
 *   <tr><td>{@code 1,000.50}, {@code 1.000,50}, {@code 1'000}, {@code 1 000}</td><td>thousands
 *       separator</td></tr>
 *   <tr><td>{@code 5E-04}</td><td>scientific notation</td></tr>
 *   <tr><td>{@code 31.12.2024}, {@code 12/31/2024}</td><td>date in a local order</td></tr>
 * </table>
 */
final class Cells {
  private static final Map<String, Long> MILLIS_BY_UNIT =
      Map.of(
          "ms",
          1L,
          "s",
          1000L,
          "sec",
          1000L,
          "",
          1000L,
          "min",
          60_000L,
          "m",
          60_000L,
          "h",
          3_600_000L);

  private final Map<String, BigDecimal> knownAmounts = new HashMap<>();
  private final Map<String, Validity> knownValidities = new HashMap<>();

  /** A value that cannot be read; the message is the rule. */
  static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableException(String rule) {
      super(rule, null, false, false);
    }

    String rule() {
      return String.valueOf(getMessage());
    }
  }

  /** Reads an amount of money, 0 or more. Rows share equal amounts. */
  BigDecimal amount(String text) throws UnreadableException {
    BigDecimal known = knownAmounts.get(text);
    if (known != null) {
      return known;
    }
    BigDecimal value = decimal(text);
    if (value.signum() < 0) {
      throw new UnreadableException("0 or more");
    }
    BigDecimal plain = value.stripTrailingZeros();
    if (plain.scale() > RateRow.MAX_DECIMALS
        || plain.precision() - plain.scale() > RateRow.MAX_INTEGER_DIGITS) {
      throw new UnreadableException("at most 15 digits before the point and 20 decimals");
    }
    plain = plain.scale() < 0 ? plain.setScale(0) : plain;
    knownAmounts.put(text, plain);
    return plain;
  }

  static BigDecimal decimal(String text) throws UnreadableException {
    boolean isPlain = !text.isEmpty();
    int points = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      points += c == '.' ? 1 : 0;
      isPlain &= (c >= '0' && c <= '9') || c == '.' || (c == '-' && i == 0 && text.length() > 1);
    }
    if (isPlain && points <= 1 && !text.equals(".") && text.length() <= 64) {
      return new BigDecimal(text);
    }
    throw new UnreadableException(whyNotDecimal(text));
  }

  private static String whyNotDecimal(String text) {
    if (text.matches("[-+]?[0-9.,]+[eE][-+]?[0-9]+")) {
      return "plain digits such as 0.0005; a spreadsheet made scientific notation of it";
    }
    if (text.matches("[-+]?[0-9]{1,3}([, '\u00A0\u202F\u2019.][0-9]{3})+([.,][0-9]+)?")
        && !text.matches("[0-9]{1,3},[0-9]{3}")) {
      return "a number without thousands separators, such as 1000.50";
    }
    if (text.matches("[-+]?[0-9]*,[0-9]+")) {
      return "a decimal point and no thousands separator, such as 0.05";
    }
    return "a number such as 0.05";
  }

  /**
   * Reads a quantity in the unit of its usage type.
   *
   * @param kilo bytes of one kB: 1000 or 1024
   */
  static long usage(String text, UsageType type, int kilo) throws UnreadableException {
    int digits = 0;
    while (digits < text.length() && !Character.isLetter(text.charAt(digits))) {
      digits++;
    }
    String number = text.substring(0, digits).strip();
    String unit = text.substring(digits).strip();
    if (unit.toLowerCase(Locale.ROOT).startsWith("e") && text.matches("[0-9.,]+[eE][-+]?[0-9]+")) {
      throw new UnreadableException("plain digits; a spreadsheet made scientific notation of it");
    }
    Long factor = factor(unit, type, kilo);
    if (factor == null) {
      throw new UnreadableException(
          switch (type) {
            case VOICE -> "seconds, or a number with ms, s, min or h";
            case DATA -> "bytes, or a number with kB, MB, GB, KiB, MiB or GiB";
            case SMS, MMS, EVENT -> "a number of units";
          });
    }
    BigDecimal value = decimal(number).multiply(BigDecimal.valueOf(factor));
    if (value.signum() < 0 || value.compareTo(BigDecimal.valueOf(RateRow.MAX_USAGE)) > 0) {
      throw new UnreadableException("0 or more and at most 2^50");
    }
    if (value.stripTrailingZeros().scale() > 0) {
      throw new UnreadableException(
          type == UsageType.VOICE ? "whole milliseconds" : "a whole number");
    }
    return value.longValueExact();
  }

  private static @Nullable Long factor(String unit, UsageType type, int kilo) {
    String lower = unit.toLowerCase(Locale.ROOT);
    return switch (type) {
      case VOICE -> MILLIS_BY_UNIT.get(lower);
      case DATA ->
          switch (lower) {
            case "", "b" -> 1L;
            case "kb" -> (long) kilo;
            case "mb" -> (long) kilo * kilo;
            case "gb" -> (long) kilo * kilo * kilo;
            case "kib" -> 1L << 10;
            case "mib" -> 1L << 20;
            case "gib" -> 1L << 30;
            default -> null;
          };
      case SMS, MMS, EVENT -> lower.isEmpty() ? 1L : null;
    };
  }

  /** Reads a validity from two cells, either of which may be empty. */
  Validity validity(Span cells, ZoneId zone) throws UnreadableException {
    String key = cells.from() + "|" + cells.to() + "|" + zone.getId();
    Validity known = knownValidities.get(key);
    if (known != null) {
      return known;
    }
    long from = cells.from().isEmpty() ? Long.MIN_VALUE : moment(cells.from(), zone);
    long to = cells.to().isEmpty() ? Long.MAX_VALUE : moment(cells.to(), zone);
    if (from >= to) {
      throw new UnreadableException("an end after the start (the end itself is not included)");
    }
    Validity validity = new Validity(from, to);
    knownValidities.put(key, validity);
    return validity;
  }

  /** The two cells of a validity. */
  record Span(String from, String to) {}

  /** Reads a moment as UTC milliseconds; a date means its beginning in {@code zone}. */
  static long moment(String text, ZoneId zone) throws UnreadableException {
    try {
      if (text.matches("\\d{4}-\\d{2}-\\d{2}")) {
        return LocalDate.parse(text).atStartOfDay(zone).toInstant().toEpochMilli();
      }
      String iso = text.replaceFirst("^(\\d{4}-\\d{2}-\\d{2}) +(\\d)", "$1T$2");
      if (iso.matches("\\d{4}-\\d{2}-\\d{2}T[0-9:.]+")) {
        return LocalDateTime.parse(iso).atZone(zone).toInstant().toEpochMilli();
      }
      if (iso.matches("\\d{4}-\\d{2}-\\d{2}T[0-9:.]+(Z|[-+][0-9:]+)")) {
        return OffsetDateTime.parse(iso).toInstant().toEpochMilli();
      }
    } catch (DateTimeException e) {
      throw new UnreadableException("a day and time that exist, such as 2025-01-01");
    }
    throw new UnreadableException(momentRule(text));
  }

  static LocalDate date(String text) throws UnreadableException {
    try {
      if (text.matches("\\d{4}-\\d{2}-\\d{2}")) {
        return LocalDate.parse(text);
      }
    } catch (DateTimeException e) {
      throw new UnreadableException("a day that exists, such as 2025-01-01");
    }
    throw new UnreadableException(momentRule(text));
  }

  private static String momentRule(String text) {
    if (text.matches("\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}.*")) {
      return "year-month-day, such as 2025-01-31; a local order can be read in two ways";
    }
    if (text.matches("\\d{5}(\\.\\d+)?")) {
      return "2025-01-31; a spreadsheet turned the date into a number of days";
    }
    return "2025-01-31, 2025-01-31T08:00 or 2025-01-31T08:00:00Z";
  }
}
