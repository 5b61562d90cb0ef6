package io.tollgate.pricing.cgrates;

import io.tollgate.domain.tariff.When;
import io.tollgate.pricing.cgrates.CgratesFile.Row;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads values of CGRateS files; what cannot be read is a fault of the row. */
final class Fields {
  static final String ANY = "*any";

  private static final Pattern NUMBER =
      Pattern.compile("-?([0-9]{1,40}(\\.[0-9]{0,40})?|\\.[0-9]{1,40})([eE][-+]?[0-9]{1,3})?");
  private static final Pattern DURATION_PART =
      Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,18})?)(ns|us|\u00B5s|ms|s|m|h)");
  private static final Map<String, Long> NANOS_BY_UNIT =
      Map.of(
          "ns",
          1L,
          "us",
          1_000L,
          "\u00B5s",
          1_000L,
          "ms",
          1_000_000L,
          "s",
          1_000_000_000L,
          "m",
          60_000_000_000L,
          "h",
          3_600_000_000_000L);

  private Fields() {}

  static Optional<BigDecimal> number(Row row, int column) {
    String text = row.get(column);
    if (NUMBER.matcher(text).matches()) {
      return Optional.of(new BigDecimal(text));
    }
    row.fault(column, "a number such as 0.05");
    return Optional.empty();
  }

  static Optional<Integer> whole(Row row, int column, int min, int max) {
    Optional<Integer> value = whole(row.get(column), min, max);
    if (value.isEmpty()) {
      row.fault(column, "a whole number from " + min + " to " + max);
    }
    return value;
  }

  private static Optional<Integer> whole(String text, int min, int max) {
    if (!text.matches("[0-9]{1,6}")) {
      return Optional.empty();
    }
    int value = Integer.parseInt(text);
    return value < min || value > max ? Optional.empty() : Optional.of(value);
  }

  /** Reads a duration such as {@code 1m30s} as nanoseconds; a bare number is nanoseconds. */
  static Optional<Long> nanos(Row row, int column) {
    String text = row.get(column);
    Optional<BigDecimal> nanos =
        text.matches("[0-9]{1,18}") ? Optional.of(new BigDecimal(text)) : sumOfParts(text);
    if (nanos.isPresent()
        && nanos.get().stripTrailingZeros().scale() <= 0
        && nanos.get().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
      return Optional.of(nanos.get().longValueExact());
    }
    row.fault(column, "a duration such as 60s, or a number of units");
    return Optional.empty();
  }

  private static Optional<BigDecimal> sumOfParts(String text) {
    Matcher part = DURATION_PART.matcher(text);
    BigDecimal sum = BigDecimal.ZERO;
    int end = 0;
    while (end < text.length() && part.find(end) && part.start() == end) {
      long unit = NANOS_BY_UNIT.getOrDefault(part.group(2), 0L);
      sum = sum.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
      end = part.end();
    }
    return text.isEmpty() || end < text.length() ? Optional.empty() : Optional.of(sum);
  }

  /** Reads a list of numbers with {@code ;} between; empty for {@code *any} and for a fault. */
  static List<Integer> list(Row row, int column, int min, int max) {
    if (row.get(column).equals(ANY)) {
      return List.of();
    }
    List<Integer> values = new ArrayList<>();
    for (String member : row.get(column).split(";", -1)) {
      Optional<Integer> value = whole(member.strip(), min, max);
      if (value.isEmpty()) {
        row.fault(column, ANY + ", or numbers from " + min + " to " + max + " with ; between");
        return List.of();
      }
      values.add(value.get());
    }
    return values;
  }

  /** Reads when a band begins, as seconds of the day; an end has no meaning for rating. */
  static int secondOfDay(Row row, int column) {
    String text = row.get(column);
    if (text.equals(ANY)) {
      return 0;
    }
    String[] parts = text.split(";", -1);
    int begin = secondOfDay(parts[0].strip());
    boolean isEndGood = parts.length == 1 || (parts.length == 2 && secondOfDay(parts[1]) >= 0);
    if (begin < 0 || begin == When.SECONDS_PER_DAY || !isEndGood) {
      row.fault(column, "a time of day such as 08:00:00, or " + ANY);
      return 0;
    }
    if (parts.length == 2) {
      row.note(column, "the end has no effect: a band runs to the next one or to midnight");
    }
    return begin;
  }

  private static int secondOfDay(String text) {
    if (!text.strip().matches("[0-9]{1,2}:[0-9]{2}:[0-9]{2}")) {
      return -1;
    }
    String[] parts = text.strip().split(":", -1);
    int minute = Integer.parseInt(parts[1]);
    int rest = Integer.parseInt(parts[2]);
    int second = Integer.parseInt(parts[0]) * 3600 + minute * 60 + rest;
    return minute < 60 && rest < 60 && second <= When.SECONDS_PER_DAY ? second : -1;
  }

  /** Reads a moment as UTC milliseconds; without an offset it is by the clock of {@code zone}. */
  static Optional<Long> moment(Row row, int column, ZoneId zone) {
    String text = row.get(column).replaceFirst("^(\\S+) +(\\d)", "$1T$2");
    try {
      if (text.matches("\\d{4}-\\d{2}-\\d{2}T[0-9:.]+")) {
        return Optional.of(LocalDateTime.parse(text).atZone(zone).toInstant().toEpochMilli());
      }
      if (text.matches("\\d{4}-\\d{2}-\\d{2}T[0-9:.]+(Z|[-+][0-9:]+)")) {
        return Optional.of(OffsetDateTime.parse(text).toInstant().toEpochMilli());
      }
    } catch (DateTimeException e) {
      row.fault(column, "a moment that exists, such as 2025-01-01T00:00:00Z");
      return Optional.empty();
    }
    row.fault(column, "a moment such as 2025-01-01T00:00:00Z");
    return Optional.empty();
  }
}
