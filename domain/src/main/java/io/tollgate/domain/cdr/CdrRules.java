package io.tollgate.domain.cdr;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a CDR must keep to be rated. All broken rules are named at once, each as {@code field: value
 * (expected: rule)}; long and unprintable values are shown shortened and escaped.
 *
 * <table>
 *   <caption>Rules</caption>
 *   <tr><th>field</th><th>expected</th></tr>
 *   <tr><td>eventId, accountId</td><td>1 to 256 characters, none of them a control character</td></tr>
 *   <tr><td>calling, called, originals, cause</td><td>at most 256 characters, no control characters</td></tr>
 *   <tr><td>attributes</td><td>at most 32, names and values at most 256 characters, no control
 *       characters</td></tr>
 *   <tr><td>start, and the end of a call</td><td>2000-01-01T00:00:00Z or later, and at most
 *       {@code maxAhead} after the broker's append time: tariffs are published at least as long
 *       before they hold, so nothing is priced by a book that is not complete</td></tr>
 *   <tr><td>utcOffset</td><td>-18 h to +18 h</td></tr>
 *   <tr><td>usage</td><td>0 or more; VOICE at most 31 days, DATA at most 2^50 bytes, SMS, MMS and
 *       EVENT at most 1,000,000 units</td></tr>
 * </table>
 */
public final class CdrRules {
  /** Longest text of any field, in UTF-16 units. */
  public static final int MAX_TEXT_LENGTH = 256;

  /** Most attributes of one CDR. */
  public static final int MAX_ATTRIBUTES = 32;

  /** Earliest start that is believed. */
  public static final Instant EARLIEST_START = Instant.parse("2000-01-01T00:00:00Z");

  private static final long EARLIEST_START_MILLIS = EARLIEST_START.toEpochMilli();
  private static final long MAX_VOICE_MILLIS = Duration.ofDays(31).toMillis();
  private static final long MAX_DATA_BYTES = 1L << 50;
  private static final long MAX_UNITS = 1_000_000;
  private static final int MAX_OFFSET_SECONDS = 18 * 3600;
  private static final int SHOWN_CHARACTERS = 40;

  private CdrRules() {}

  /**
   * Returns the rules that {@code cdr} breaks, empty if none.
   *
   * @param appendMillis broker's append time, UTC milliseconds: the clock that a start in the
   *     future is compared with
   * @param maxAheadMillis how far a start, and the end of a call, may lie after the append time
   */
  public static List<String> violations(Cdr cdr, long appendMillis, long maxAheadMillis) {
    if (isPlainlyValid(cdr, appendMillis, maxAheadMillis)) {
      return List.of();
    }
    List<String> found = new ArrayList<>();
    id("eventId", cdr.eventId(), found);
    id("accountId", cdr.accountId(), found);
    text("calling", cdr.calling(), found);
    text("called", cdr.called(), found);
    text("cause", cdr.cause(), found);
    text("callingOriginal", cdr.callingOriginal(), found);
    text("calledOriginal", cdr.calledOriginal(), found);
    attributes(cdr.attributes(), found);
    start(cdr, appendMillis, maxAheadMillis, found);
    if (Math.abs((long) cdr.utcOffsetSeconds()) > MAX_OFFSET_SECONDS) {
      found.add("utcOffsetSeconds: " + cdr.utcOffsetSeconds() + " (expected: -64800 to 64800)");
    }
    usage(cdr, found);
    return found;
  }

  /** Returns {@code value} shortened and with control characters escaped, fit for a message. */
  public static String shown(String value) {
    return shown(value, SHOWN_CHARACTERS);
  }

  /** Returns the first {@code most} characters of {@code value}, fit for a message. */
  public static String shown(String value, int most) {
    StringBuilder out = new StringBuilder();
    int shown = Math.min(value.length(), most);
    for (int i = 0; i < shown; i++) {
      char c = value.charAt(i);
      if (Character.isISOControl(c)) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    if (shown < value.length()) {
      out.append("... (").append(value.length()).append(" characters)");
    }
    return out.toString();
  }

  private static boolean isPlainlyValid(Cdr cdr, long appendMillis, long maxAheadMillis) {
    return !cdr.eventId().isBlank()
        && !cdr.accountId().isBlank()
        && isCleanText(cdr.eventId())
        && isCleanText(cdr.accountId())
        && isCleanText(cdr.calling())
        && isCleanText(cdr.called())
        && isCleanText(cdr.cause())
        && isCleanText(cdr.callingOriginal())
        && isCleanText(cdr.calledOriginal())
        && areCleanAttributes(cdr.attributes())
        && cdr.startMillis() >= EARLIEST_START_MILLIS
        && cdr.startMillis() <= appendMillis + maxAheadMillis
        && lastMillis(cdr) <= appendMillis + maxAheadMillis
        && Math.abs((long) cdr.utcOffsetSeconds()) <= MAX_OFFSET_SECONDS
        && cdr.usage() >= 0
        && cdr.usage() <= maxUsage(cdr.usageType());
  }

  private static boolean isCleanText(String value) {
    if (value.length() > MAX_TEXT_LENGTH) {
      return false;
    }
    for (int i = 0; i < value.length(); i++) {
      if (Character.isISOControl(value.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean areCleanAttributes(Map<String, String> attributes) {
    if (attributes.size() > MAX_ATTRIBUTES) {
      return false;
    }
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      if (!isCleanText(attribute.getKey()) || !isCleanText(attribute.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static void id(String field, String value, List<String> found) {
    if (value.isBlank()) {
      found.add(field + ": '" + shown(value) + "' (expected: not blank)");
    }
    text(field, value, found);
  }

  private static void text(String field, String value, List<String> found) {
    if (!isCleanText(value)) {
      found.add(
          field
              + ": '"
              + shown(value)
              + "' (expected: at most "
              + MAX_TEXT_LENGTH
              + " characters and no control characters)");
    }
  }

  private static void attributes(Map<String, String> attributes, List<String> found) {
    if (attributes.size() > MAX_ATTRIBUTES) {
      found.add(
          "attributes: "
              + attributes.size()
              + " of them (expected: at most "
              + MAX_ATTRIBUTES
              + ")");
    }
    attributes.forEach(
        (name, value) -> {
          text("attribute name", name, found);
          text("attribute " + shown(name), value, found);
        });
  }

  private static void start(Cdr cdr, long appendMillis, long maxAheadMillis, List<String> found) {
    if (cdr.startMillis() < EARLIEST_START_MILLIS) {
      found.add(
          "start: "
              + shownInstant(cdr.startMillis())
              + " (expected: "
              + EARLIEST_START
              + " or later)");
    } else if (cdr.startMillis() > appendMillis + maxAheadMillis) {
      found.add(
          "start: "
              + shownInstant(cdr.startMillis())
              + " (expected: at most "
              + Duration.ofMillis(maxAheadMillis)
              + " after it was appended at "
              + shownInstant(appendMillis)
              + ")");
    } else if (lastMillis(cdr) > appendMillis + maxAheadMillis) {
      found.add(
          "usage: "
              + cdr.usage()
              + " ms, so that the call ends at "
              + shownInstant(lastMillis(cdr))
              + " (expected: at most "
              + Duration.ofMillis(maxAheadMillis)
              + " after it was appended at "
              + shownInstant(appendMillis)
              + ")");
    }
  }

  /** The last moment whose price the CDR needs; its start if its usage is nonsense anyway. */
  private static long lastMillis(Cdr cdr) {
    boolean hasEnd =
        cdr.usageType() == UsageType.VOICE && cdr.usage() >= 0 && cdr.usage() <= MAX_VOICE_MILLIS;
    return hasEnd ? cdr.startMillis() + cdr.usage() : cdr.startMillis();
  }

  private static void usage(Cdr cdr, List<String> found) {
    long max = maxUsage(cdr.usageType());
    if (cdr.usage() < 0 || cdr.usage() > max) {
      found.add(
          "usage: " + cdr.usage() + " (expected for " + cdr.usageType() + ": 0 to " + max + ")");
    }
  }

  private static long maxUsage(UsageType type) {
    return switch (type) {
      case VOICE -> MAX_VOICE_MILLIS;
      case DATA -> MAX_DATA_BYTES;
      case SMS, MMS, EVENT -> MAX_UNITS;
    };
  }

  private static String shownInstant(long millis) {
    return Math.abs(millis) > 1L << 53 ? millis + " ms" : Instant.ofEpochMilli(millis).toString();
  }
}
