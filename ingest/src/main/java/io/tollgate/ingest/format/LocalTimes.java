package io.tollgate.ingest.format;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Turns the wall-clock stamps of a call into instants.
 *
 * <table>
 *   <caption>Which instant a stamp names</caption>
 *   <tr><th>the stamp stands</th><th>instant</th></tr>
 *   <tr><td>once in the zone</td><td>that one</td></tr>
 *   <tr><td>nowhere (clocks were put forward over it)</td><td>a fault: the zone is wrong, or the
 *       clock was</td></tr>
 *   <tr><td>twice (clocks were put back), and with only one of the two the call lasts as long as
 *       its duration says, give or take a second</td><td>that one</td></tr>
 *   <tr><td>twice, the duration fits both, and the switch's id holds the second it was made in
 *       (Asterisk)</td><td>the one nearer to it</td></tr>
 *   <tr><td>twice, and nothing tells</td><td>the first, in summer time</td></tr>
 * </table>
 *
 * <p>The rule looks at the row only, so all collectors of a switch agree, and the choice leaves no
 * mark in the content: a collector that writes UTC agrees too wherever the first three lines
 * decide.
 */
final class LocalTimes {
  private static final long TOLERANCE_SECONDS = 1;
  private static final long ID_NEAR_SECONDS = 1800;

  private final ZoneId zone;

  LocalTimes(ZoneId zone) {
    this.zone = zone;
  }

  /**
   * The moments of a call, in seconds since 1970.
   *
   * @param answerSeconds empty if it was not answered
   */
  record Moments(long startSeconds, OptionalLong answerSeconds, long endSeconds) {}

  /**
   * Returns the moments of a call, or null with faults in {@code row}.
   *
   * @param idSeconds the second that the switch's id was made in, if it says
   * @param durationSeconds from start to end, as the switch counted
   * @param billableSeconds from answer to end, as the switch counted
   */
  @Nullable Moments resolve(
      Row row,
      String startColumn,
      String answerColumn,
      String endColumn,
      long durationSeconds,
      long billableSeconds,
      OptionalLong idSeconds) {
    LocalDateTime start = stamp(row, startColumn, false);
    LocalDateTime answer = stamp(row, answerColumn, true);
    LocalDateTime end = stamp(row, endColumn, false);
    if (start == null || end == null || !row.faults().isEmpty()) {
      return null;
    }
    List<Long> starts = candidates(row, startColumn, start);
    List<Long> ends = candidates(row, endColumn, end);
    List<Long> answers = answer == null ? List.of() : candidates(row, answerColumn, answer);
    if (!row.faults().isEmpty()) {
      return null;
    }
    long startSeconds = choose(starts, ends, durationSeconds, idSeconds);
    long endSeconds = nearest(ends, startSeconds + durationSeconds);
    OptionalLong answerSeconds =
        answers.isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(nearest(answers, endSeconds - billableSeconds));
    return new Moments(startSeconds, answerSeconds, endSeconds);
  }

  ZoneOffset offsetAt(long epochSeconds) {
    return zone.getRules().getOffset(Instant.ofEpochSecond(epochSeconds));
  }

  private static long choose(
      List<Long> starts, List<Long> ends, long durationSeconds, OptionalLong idSeconds) {
    if (starts.size() == 1) {
      return starts.get(0);
    }
    List<Long> fitting =
        starts.stream().filter(start -> fits(start, ends, durationSeconds)).toList();
    if (fitting.size() == 1) {
      return fitting.get(0);
    }
    if (idSeconds.isPresent()) {
      long near = nearest(starts, idSeconds.getAsLong());
      if (Math.abs(near - idSeconds.getAsLong()) <= ID_NEAR_SECONDS) {
        return near;
      }
    }
    return starts.get(0);
  }

  private static boolean fits(long start, List<Long> ends, long durationSeconds) {
    return ends.stream()
        .anyMatch(end -> Math.abs(end - start - durationSeconds) <= TOLERANCE_SECONDS);
  }

  private static long nearest(List<Long> candidates, long wanted) {
    long best = candidates.get(0);
    for (long candidate : candidates) {
      if (Math.abs(candidate - wanted) < Math.abs(best - wanted)) {
        best = candidate;
      }
    }
    return best;
  }

  private List<Long> candidates(Row row, String column, LocalDateTime stamp) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(stamp);
    if (offsets.isEmpty()) {
      ZoneOffsetTransition gap = zone.getRules().getTransition(stamp);
      row.fault(
          column,
          row.stripped(column),
          "a time that exists in "
              + zone
              + "; clocks went from "
              + gap.getDateTimeBefore().toLocalTime()
              + " to "
              + gap.getDateTimeAfter().toLocalTime());
    }
    return offsets.stream().map(stamp::toEpochSecond).sorted().toList();
  }

  /** Reads {@code yyyy-mm-dd hh:mm:ss}; null if it is absent or wrong, and wrong is a fault. */
  private static @Nullable LocalDateTime stamp(Row row, String column, boolean mayBeEmpty) {
    String value = row.stripped(column);
    if (value.isEmpty() && mayBeEmpty) {
      return null;
    }
    if (value.length() == "yyyy-mm-dd hh:mm:ss".length()
        && value.charAt(4) == '-'
        && value.charAt(7) == '-'
        && value.charAt(10) == ' '
        && value.charAt(13) == ':'
        && value.charAt(16) == ':') {
      try {
        return LocalDateTime.of(
            digits(value, 0, 4),
            digits(value, 5, 7),
            digits(value, 8, 10),
            digits(value, 11, 13),
            digits(value, 14, 16),
            digits(value, 17, 19));
      } catch (DateTimeException | NumberFormatException e) {
        // Reported below, with the rule.
      }
    }
    row.fault(column, value, "a date and time as yyyy-mm-dd hh:mm:ss");
    return null;
  }

  private static int digits(String value, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = value.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw new NumberFormatException(value);
      }
      number = number * 10 + digit;
    }
    return number;
  }
}
