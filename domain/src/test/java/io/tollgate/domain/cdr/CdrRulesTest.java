package io.tollgate.domain.cdr;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@link CdrRules}, row by row: what lies just inside it and just outside. */
class CdrRulesTest {
  private static final long APPENDED = Instant.parse("2026-11-02T12:00:00Z").toEpochMilli();
  private static final long AHEAD = Duration.ofHours(1).toMillis();
  private static final long EARLIEST = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();
  private static final String LONGEST = "x".repeat(256);
  private static final String TOO_LONG = "x".repeat(257);

  static Stream<Arguments> kept() {
    return Stream.of(
        Arguments.of("a plain call", new Draft()),
        Arguments.of("the longest ids", new Draft().eventId(LONGEST).accountId(LONGEST)),
        Arguments.of("ids of one character", new Draft().eventId("e").accountId("a")),
        Arguments.of("any script", new Draft().eventId("größe-\u0661-\ud83d\ude00")),
        Arguments.of(
            "the longest texts",
            new Draft().calling(LONGEST).called(LONGEST).cause(LONGEST).originals(LONGEST)),
        Arguments.of("empty texts", new Draft().calling("").called("").cause("").originals("")),
        Arguments.of("the most attributes", new Draft().attributes(attributes(32, "v"))),
        Arguments.of("the longest attribute", new Draft().attributes(Map.of(LONGEST, LONGEST))),
        Arguments.of("the earliest start", new Draft().start(EARLIEST)),
        Arguments.of(
            "the latest start", new Draft().start(APPENDED + AHEAD).usage(UsageType.VOICE, 0)),
        Arguments.of(
            "the latest end of a call", new Draft().start(APPENDED).usage(UsageType.VOICE, AHEAD)),
        Arguments.of(
            "usage that is no time", new Draft().start(APPENDED).usage(UsageType.DATA, 1L << 40)),
        Arguments.of("the most eastern clock", new Draft().offset(64_800)),
        Arguments.of("the most western clock", new Draft().offset(-64_800)),
        Arguments.of("an unanswered call", new Draft().usage(UsageType.VOICE, 0)),
        Arguments.of(
            "31 days",
            new Draft()
                .start(APPENDED - 31 * 86_400_000L)
                .usage(UsageType.VOICE, 31 * 86_400_000L)),
        Arguments.of("2^50 bytes", new Draft().usage(UsageType.DATA, 1L << 50)),
        Arguments.of("a million messages", new Draft().usage(UsageType.SMS, 1_000_000)),
        Arguments.of("a million pictures", new Draft().usage(UsageType.MMS, 1_000_000)),
        Arguments.of("a million pieces", new Draft().usage(UsageType.EVENT, 1_000_000)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kept")
  void accepts(String what, Draft draft) {
    assertThat(violations(draft)).isEmpty();
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        Arguments.of("eventId: '' (expected: not blank)", new Draft().eventId("")),
        Arguments.of("eventId: '  ' (expected: not blank)", new Draft().eventId("  ")),
        Arguments.of("eventId: '" + "x".repeat(40) + "... (257", new Draft().eventId(TOO_LONG)),
        Arguments.of("eventId: 'a\\u0000b' (expected: at most", new Draft().eventId("a\0b")),
        Arguments.of("eventId: '\\u007f'", new Draft().eventId("\u007f")),
        Arguments.of("eventId: '\\u0085'", new Draft().eventId("\u0085")),
        Arguments.of("accountId: '' (expected: not blank)", new Draft().accountId("")),
        Arguments.of("accountId: '", new Draft().accountId(TOO_LONG)),
        Arguments.of("accountId: '\\u000a'", new Draft().accountId("\n").eventId("e")),
        Arguments.of("calling: '", new Draft().calling(TOO_LONG)),
        Arguments.of("calling: '\\u001b[2J'", new Draft().calling("\u001b[2J")),
        Arguments.of("called: '", new Draft().called(TOO_LONG)),
        Arguments.of("called: '\\u0009'", new Draft().called("\t")),
        Arguments.of("cause: '", new Draft().cause(TOO_LONG)),
        Arguments.of("cause: '\\u000d'", new Draft().cause("\r")),
        Arguments.of("callingOriginal: '", new Draft().originals(TOO_LONG)),
        Arguments.of("calledOriginal: '\\u0000'", new Draft().originals("\0")),
        Arguments.of(
            "attributes: 33 of them (expected: at most 32)",
            new Draft().attributes(attributes(33, "v"))),
        Arguments.of("attribute name: '", new Draft().attributes(Map.of(TOO_LONG, ""))),
        Arguments.of("attribute name: '\\u0000'", new Draft().attributes(Map.of("\0", ""))),
        Arguments.of("attribute k: '", new Draft().attributes(Map.of("k", TOO_LONG))),
        Arguments.of("attribute k: '\\u0000'", new Draft().attributes(Map.of("k", "\0"))),
        Arguments.of(
            "start: 1999-12-31T23:59:59.999Z (expected: 2000-01-01T00:00:00Z or later)",
            new Draft().start(EARLIEST - 1)),
        Arguments.of("start: -", new Draft().start(Long.MIN_VALUE)),
        Arguments.of(
            "start: 2026-11-02T13:00:00.001Z (expected: at most PT1H after it was appended at"
                + " 2026-11-02T12:00:00Z)",
            new Draft().start(APPENDED + AHEAD + 1)),
        Arguments.of("start: 9223372036854775807 ms", new Draft().start(Long.MAX_VALUE)),
        Arguments.of(
            "usage: 3600001 ms, so that the call ends at 2026-11-02T13:00:00.001Z (expected: at"
                + " most PT1H after it was appended at 2026-11-02T12:00:00Z)",
            new Draft().start(APPENDED).usage(UsageType.VOICE, AHEAD + 1)),
        Arguments.of(
            "utcOffsetSeconds: 64801 (expected: -64800 to 64800)", new Draft().offset(64_801)),
        Arguments.of("utcOffsetSeconds: -64801", new Draft().offset(-64_801)),
        Arguments.of("utcOffsetSeconds: -2147483648", new Draft().offset(Integer.MIN_VALUE)),
        Arguments.of(
            "usage: -1 (expected for VOICE: 0 to 2678400000)",
            new Draft().usage(UsageType.VOICE, -1)),
        Arguments.of("usage: 2678400001", new Draft().usage(UsageType.VOICE, 31 * 86_400_000L + 1)),
        Arguments.of("usage: 1125899906842625", new Draft().usage(UsageType.DATA, (1L << 50) + 1)),
        Arguments.of("usage: 1000001", new Draft().usage(UsageType.SMS, 1_000_001)),
        Arguments.of("usage: 1000001", new Draft().usage(UsageType.MMS, 1_000_001)),
        Arguments.of("usage: 1000001", new Draft().usage(UsageType.EVENT, 1_000_001)),
        Arguments.of(
            "usage: -9223372036854775808", new Draft().usage(UsageType.DATA, Long.MIN_VALUE)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  void refuses(String message, Draft draft) {
    List<String> violations = violations(draft);
    assertThat(violations).anySatisfy(violation -> assertThat(violation).startsWith(message));
    assertThat(violations)
        .allSatisfy(
            violation -> {
              assertThat(violation).hasSizeLessThan(400).contains("(expected");
              assertThat(violation.chars()).noneMatch(Character::isISOControl);
            });
  }

  @Test
  void namesEveryBrokenRuleAtOnce() {
    Draft draft =
        new Draft()
            .eventId("")
            .accountId("")
            .calling("\0")
            .called("\0")
            .cause("\0")
            .originals("\0")
            .attributes(Map.of("\0", "\0"))
            .start(0)
            .offset(100_000)
            .usage(UsageType.SMS, -1);
    assertThat(violations(draft)).hasSize(12);
  }

  @Test
  void comparesTheStartWithTheAppendTimeOnly() {
    Cdr cdr = new Draft().start(APPENDED + AHEAD + 1).usage(UsageType.VOICE, 0).cdr();
    assertThat(CdrRules.violations(cdr, APPENDED, AHEAD)).hasSize(1);
    assertThat(CdrRules.violations(cdr, APPENDED + 1, AHEAD)).isEmpty();
  }

  @Test
  void showsLongAndUnprintableTextShortAndEscaped() {
    assertThat(CdrRules.shown("plain")).isEqualTo("plain");
    assertThat(CdrRules.shown("a\u001bb\nc")).isEqualTo("a\\u001bb\\u000ac");
    assertThat(CdrRules.shown("x".repeat(10_240)))
        .isEqualTo("x".repeat(40) + "... (10240 characters)");
    assertThat(CdrRules.shown("abc", 2)).isEqualTo("ab... (3 characters)");
  }

  private static List<String> violations(Draft draft) {
    return CdrRules.violations(draft.cdr(), APPENDED, AHEAD);
  }

  private static Map<String, String> attributes(int count, String value) {
    Map<String, String> attributes = new HashMap<>();
    for (int i = 0; i < count; i++) {
      attributes.put("name-" + i, value);
    }
    return attributes;
  }

  /** A valid CDR, to be made invalid field by field. */
  private static final class Draft {
    private String eventId = "pbx/1";
    private String accountId = "acme";
    private UsageType usageType = UsageType.VOICE;
    private String calling = "+493023125001";
    private String called = "+447700900123";
    private long start = APPENDED;
    private int offset = 3600;
    private long usage = 61_000;
    private String cause = "ANSWERED";
    private Map<String, String> attributes = Map.of();
    private String originals = "";

    Draft eventId(String value) {
      eventId = value;
      return this;
    }

    Draft accountId(String value) {
      accountId = value;
      return this;
    }

    Draft calling(String value) {
      calling = value;
      return this;
    }

    Draft called(String value) {
      called = value;
      return this;
    }

    Draft cause(String value) {
      cause = value;
      return this;
    }

    Draft originals(String value) {
      originals = value;
      return this;
    }

    Draft attributes(Map<String, String> value) {
      attributes = value;
      return this;
    }

    Draft start(long value) {
      start = value;
      return this;
    }

    Draft offset(int value) {
      offset = value;
      return this;
    }

    Draft usage(UsageType type, long value) {
      usageType = type;
      usage = value;
      return this;
    }

    Cdr cdr() {
      return new Cdr(
          eventId,
          accountId,
          usageType,
          calling,
          called,
          start,
          offset,
          usage,
          cause,
          attributes,
          originals,
          originals);
    }

    @Override
    public String toString() {
      return "CDR";
    }
  }
}
