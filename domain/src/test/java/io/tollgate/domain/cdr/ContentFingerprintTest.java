package io.tollgate.domain.cdr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ContentFingerprintTest {
  private static final Cdr CALL =
      new Cdr(
          "pbx/1",
          "acme",
          UsageType.VOICE,
          "+493023125001",
          "+447700900123",
          1_793_620_800_000L,
          3600,
          61_000,
          "ANSWERED",
          Map.of("trunk", "7", "codec", "g711"),
          "023125001",
          "00447700900123");

  private static final long FINGERPRINT_OF_CALL = -2_133_106_687_285_307_419L;

  static Stream<Arguments> covered() {
    return Stream.of(
        Arguments.of("usage type", change(c -> c.usageType = UsageType.DATA)),
        Arguments.of("calling", change(c -> c.calling += "1")),
        Arguments.of("called", change(c -> c.called += "1")),
        Arguments.of("start", change(c -> c.startMillis++)),
        Arguments.of("usage", change(c -> c.usage++)),
        Arguments.of("cause", change(c -> c.cause = "BUSY")),
        Arguments.of(
            "attribute value", change(c -> c.attributes = Map.of("trunk", "8", "codec", "g711"))),
        Arguments.of("attribute less", change(c -> c.attributes = Map.of("trunk", "7"))),
        Arguments.of("no attributes", change(c -> c.attributes = Map.of())),
        Arguments.of(
            "text moved to the next field",
            change(
                c -> {
                  c.called = c.calling.charAt(12) + c.called;
                  c.calling = c.calling.substring(0, 12);
                })));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("covered")
  void changesWithTheContent(String what, UnaryOperator<Cdr> change) {
    assertThat(ContentFingerprint.of(change.apply(CALL))).isNotEqualTo(ContentFingerprint.of(CALL));
  }

  static Stream<Arguments> notCovered() {
    return Stream.of(
        Arguments.of("event id", change(c -> c.eventId = "other")),
        Arguments.of("account", change(c -> c.accountId = "other")),
        Arguments.of("offset of the clock", change(c -> c.utcOffsetSeconds = 0)),
        Arguments.of("calling as written", change(c -> c.callingOriginal = "")),
        Arguments.of("called as written", change(c -> c.calledOriginal = "")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("notCovered")
  void staysWithWhatIsNotContent(String what, UnaryOperator<Cdr> change) {
    assertThat(ContentFingerprint.of(change.apply(CALL))).isEqualTo(ContentFingerprint.of(CALL));
  }

  @Test
  void doesNotDependOnTheOrderOfAttributes() {
    Map<String, String> one = new LinkedHashMap<>();
    one.put("trunk", "7");
    one.put("codec", "g711");
    Map<String, String> other = new LinkedHashMap<>();
    other.put("codec", "g711");
    other.put("trunk", "7");
    assertThat(ContentFingerprint.of(change(c -> c.attributes = one).apply(CALL)))
        .isEqualTo(ContentFingerprint.of(change(c -> c.attributes = other).apply(CALL)));
  }

  @Test
  void neverChanges() {
    // It lies in every savepoint and in every row of the ledger.
    assertThat(ContentFingerprint.of(CALL)).isEqualTo(FINGERPRINT_OF_CALL);
  }

  @Test
  void tellsManyContentsApart() {
    Set<Long> fingerprints = new HashSet<>();
    for (int usage = 0; usage < 50_000; usage++) {
      long value = usage;
      fingerprints.add(ContentFingerprint.of(change(c -> c.usage = value).apply(CALL)));
    }
    assertThat(fingerprints).hasSize(50_000);
  }

  private static UnaryOperator<Cdr> change(Consumer<Fields> change) {
    return cdr -> {
      Fields fields = new Fields(cdr);
      change.accept(fields);
      return fields.cdr();
    };
  }

  private static final class Fields {
    private String eventId;
    private String accountId;
    private UsageType usageType;
    private String calling;
    private String called;
    private long startMillis;
    private int utcOffsetSeconds;
    private long usage;
    private String cause;
    private Map<String, String> attributes;
    private String callingOriginal;
    private String calledOriginal;

    Fields(Cdr cdr) {
      eventId = cdr.eventId();
      accountId = cdr.accountId();
      usageType = cdr.usageType();
      calling = cdr.calling();
      called = cdr.called();
      startMillis = cdr.startMillis();
      utcOffsetSeconds = cdr.utcOffsetSeconds();
      usage = cdr.usage();
      cause = cdr.cause();
      attributes = cdr.attributes();
      callingOriginal = cdr.callingOriginal();
      calledOriginal = cdr.calledOriginal();
    }

    Cdr cdr() {
      return new Cdr(
          eventId,
          accountId,
          usageType,
          calling,
          called,
          startMillis,
          utcOffsetSeconds,
          usage,
          cause,
          attributes,
          callingOriginal,
          calledOriginal);
    }
  }
}
