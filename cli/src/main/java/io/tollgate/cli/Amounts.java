package io.tollgate.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.YearMonth;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How durations, sizes and shares are written on the command line. */
final class Amounts {
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,12})\\s*([A-Za-z]*)");
  private static final Map<String, Long> MILLIS_BY_UNIT =
      Map.of("ms", 1L, "s", 1000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
  private static final Map<String, Long> BYTES_BY_UNIT =
      Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
  private static final int FIRST_YEAR = 2000;
  private static final int LAST_YEAR = 9999;
  private static final BigDecimal PPM_OF_PERCENT = BigDecimal.valueOf(10_000);

  private Amounts() {}

  /** {@code 500ms}, {@code 60s}, {@code 5m}, {@code 1h}, {@code 90d}. */
  static final class DurationText implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return Duration.ofMillis(
          number(text, MILLIS_BY_UNIT, "a number and a unit: ms, s, m, h or d"));
    }
  }

  /** A month such as {@code 2026-03}, from 2000 on. */
  static final class MonthText implements ITypeConverter<YearMonth> {
    @Override
    public YearMonth convert(String text) {
      try {
        YearMonth month = YearMonth.parse(text);
        if (month.getYear() >= FIRST_YEAR && month.getYear() <= LAST_YEAR) {
          return month;
        }
      } catch (DateTimeParseException e) {
        // Reported below, with the rule.
      }
      throw new TypeConversionException(
          "'" + text + "' (expected: a month such as 2026-03, 2000-01 to 9999-12)");
    }
  }

  /** Words for others to read: not blank. */
  static final class Words implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (text.isBlank()) {
        throw new TypeConversionException("'" + text + "': blank (expected: words)");
      }
      return text;
    }
  }

  /** {@code 65536}, {@code 512KiB}, {@code 8MiB}, {@code 1GiB}. */
  static final class SizeText implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return number(text, BYTES_BY_UNIT, "bytes, or a number and KiB, MiB or GiB");
    }
  }

  /** A percentage with or without its sign, in steps of 0.0001; becomes parts per million. */
  static final class ShareText implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      String number = text.endsWith("%") ? text.substring(0, text.length() - 1) : text;
      try {
        int ppm = new BigDecimal(number.strip()).multiply(PPM_OF_PERCENT).intValueExact();
        if (ppm >= 0 && ppm <= 1_000_000) {
          return ppm;
        }
      } catch (NumberFormatException | ArithmeticException e) {
        // Reported below, with the rule.
      }
      throw new TypeConversionException(
          "'" + text + "' (expected: a percentage from 0 to 100, at most four decimals)");
    }
  }

  private static long number(String text, Map<String, Long> units, String rule) {
    Matcher matcher = NUMBER_AND_UNIT.matcher(text.strip());
    Long unit = matcher.matches() ? units.get(matcher.group(2)) : null;
    if (unit != null) {
      try {
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
      } catch (ArithmeticException e) {
        // Reported below, with the rule.
      }
    }
    throw new TypeConversionException("'" + text + "' (expected: " + rule + ")");
  }
}
