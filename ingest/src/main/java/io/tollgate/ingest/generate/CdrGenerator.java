package io.tollgate.ingest.generate;

import static io.tollgate.ingest.generate.GeneratorSettings.ALL_PPM;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Makes load. Record {@code index} is a pure function of the settings and the index: nothing is
 * kept, records can be made in any order, and a repeat is made again from the record that it
 * repeats.
 *
 * <p>A repeat or conflict follows the record that it refers to, at most {@link #REACH} records
 * behind it, and has the same account; so it meets it in the same partition and in this order.
 * Accounts are {@code load-000000} and so on, numbers are from the ranges reserved for fiction.
 */
public final class CdrGenerator {
  /** How far back a repeat reaches at most. */
  public static final long REACH = 20_000;

  private static final long LATE_MIN_MILLIS = Duration.ofHours(2).toMillis();
  private static final long LATE_MAX_MILLIS = Duration.ofDays(7).toMillis();
  private static final long AHEAD_MILLIS = Instant.parse("2106-02-07T06:28:15Z").toEpochMilli();
  private static final int LONG_ID_LENGTH = 10_000;
  private static final int UNANSWERED_PERCENT = 12;
  private static final int MAX_CALL_MILLIS = 600_000;
  private static final Kind[] BAD_KINDS = {
    Kind.NOISE,
    Kind.CUT_OFF,
    Kind.UNKNOWN_SCHEMA,
    Kind.NEGATIVE,
    Kind.NO_ACCOUNT,
    Kind.LONG_ID,
    Kind.CONTROL_CHARACTER,
    Kind.AHEAD
  };

  /** An odd number with bits well spread, so that neighbouring indexes give unrelated seeds. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final GeneratorSettings settings;
  private final String idPrefix;
  private final long startMillis;
  private final long spanMillis;

  /** Creates a generator. */
  public CdrGenerator(GeneratorSettings settings) {
    this.settings = settings;
    this.idPrefix = "gen-" + Long.toHexString(settings.seed()) + "/";
    this.startMillis = settings.start().toEpochMilli();
    this.spanMillis = settings.span().toMillis();
  }

  /** Returns the settings. */
  public GeneratorSettings settings() {
    return settings;
  }

  /** Returns all records in the order of sending, made one by one as they are asked for. */
  public Stream<GeneratedRecord> stream() {
    return LongStream.range(0, settings.records()).mapToObj(this::record);
  }

  /** Returns record {@code index}, 0 to {@code records - 1}. */
  public GeneratedRecord record(long index) {
    if (index < 0 || index >= settings.records()) {
      throw new IllegalArgumentException(
          "index: " + index + " (expected: 0 to " + (settings.records() - 1) + ")");
    }
    SplittableRandom random = randomOf(index);
    Kind kind = drawKind(random);
    boolean late = random.nextInt(ALL_PPM) < settings.latePpm();
    if (kind == Kind.DUPLICATE || kind == Kind.CONFLICT) {
      long original = originalOf(index, random);
      if (original >= 0) {
        return repeat(index, kind, record(original), random);
      }
      kind = Kind.FRESH;
    }
    Cdr cdr = call(index, kind, late, random);
    return new GeneratedRecord(index, kind, late, spoiled(cdr, kind));
  }

  private SplittableRandom randomOf(long index) {
    return new SplittableRandom((settings.seed() * SPREAD) ^ (index * SPREAD + 1));
  }

  private Kind drawKind(SplittableRandom random) {
    int drawn = random.nextInt(ALL_PPM);
    drawn -= settings.duplicatesPpm();
    if (drawn < 0) {
      return Kind.DUPLICATE;
    }
    drawn -= settings.conflictsPpm();
    if (drawn < 0) {
      return Kind.CONFLICT;
    }
    drawn -= settings.suspendedPpm();
    if (drawn < 0) {
      return Kind.UNPRICED;
    }
    drawn -= settings.badPpm();
    if (drawn < 0) {
      return BAD_KINDS[random.nextInt(BAD_KINDS.length)];
    }
    return Kind.FRESH;
  }

  /** Returns a record before {@code index} that was drawn fresh, or -1 if none is near. */
  private long originalOf(long index, SplittableRandom random) {
    if (index == 0) {
      return -1;
    }
    long reach = Math.min(index, REACH / 2);
    long candidate = index - 1 - random.nextLong(reach);
    for (long last = Math.max(0, candidate - REACH / 2); candidate >= last; candidate--) {
      if (drawKind(randomOf(candidate)) == Kind.FRESH) {
        return candidate;
      }
    }
    return -1;
  }

  private static GeneratedRecord repeat(
      long index, Kind kind, GeneratedRecord original, SplittableRandom random) {
    Cdr cdr = original.cdr();
    if (kind == Kind.DUPLICATE) {
      return new GeneratedRecord(index, kind, original.late(), cdr);
    }
    Cdr other =
        switch (cdr.usage() == 0 ? 1 : random.nextInt(3)) {
          case 0 -> with(cdr, cdr.called(), cdr.startMillis(), cdr.usage() + 1000);
          case 1 -> with(cdr, otherThan(cdr.called()), cdr.startMillis(), cdr.usage());
          // As if a collector had the wrong time zone.
          default -> with(cdr, cdr.called(), cdr.startMillis() - 3_600_000, cdr.usage());
        };
    return new GeneratedRecord(index, kind, original.late(), other);
  }

  private static String otherThan(String called) {
    char last = called.charAt(called.length() - 1);
    return called.substring(0, called.length() - 1) + (last == '0' ? '1' : '0');
  }

  private static Cdr with(Cdr cdr, String called, long startMillis, long usage) {
    return new Cdr(
        cdr.eventId(),
        cdr.accountId(),
        cdr.usageType(),
        cdr.calling(),
        called,
        startMillis,
        cdr.utcOffsetSeconds(),
        usage,
        cdr.cause(),
        cdr.attributes(),
        cdr.callingOriginal(),
        cdr.calledOriginal());
  }

  private Cdr call(long index, Kind kind, boolean late, SplittableRandom random) {
    boolean answered = kind == Kind.UNPRICED || random.nextInt(100) >= UNANSWERED_PERCENT;
    // Whole seconds, so that every file format can carry the record. An unpriced call is always
    // answered: what becomes of one that costs nothing anyway is the tariff's choice.
    long usageMillis = answered ? 1000L * (1 + random.nextInt(MAX_CALL_MILLIS / 1000)) : 0;
    String calling = "+493023125" + digits(random.nextInt(1000), 3);
    String called = kind == Kind.UNPRICED ? unpriced(random) : destination(random);
    return new Cdr(
        idPrefix + index,
        account(random),
        UsageType.VOICE,
        calling,
        called,
        start(index, late, random),
        0,
        usageMillis,
        answered ? "ANSWERED" : "NO ANSWER",
        Map.of(),
        "",
        "");
  }

  private String account(SplittableRandom random) {
    boolean hot = settings.hotAccounts() > 0 && random.nextInt(ALL_PPM) < settings.hotSharePpm();
    int number = random.nextInt(hot ? settings.hotAccounts() : settings.accounts());
    return "load-" + digits(number, 6);
  }

  private long start(long index, boolean late, SplittableRandom random) {
    // Divided first where the product would not fit.
    long ofSpan =
        index <= Long.MAX_VALUE / Math.max(1, spanMillis)
            ? spanMillis * index / settings.records()
            : spanMillis / settings.records() * index;
    long shuffled =
        settings.outOfOrderSeconds() == 0
            ? 0
            : random.nextLong(settings.outOfOrderSeconds() + 1L) * 1000;
    long lateBy = late ? random.nextLong(LATE_MIN_MILLIS, LATE_MAX_MILLIS) : 0;
    long millis = startMillis + ofSpan - shuffled - lateBy;
    return Math.floorDiv(millis, 1000) * 1000;
  }

  private static String destination(SplittableRandom random) {
    return switch (random.nextInt(3)) {
      case 0 -> "+447700900" + digits(random.nextInt(1000), 3);
      case 1 -> "+120255501" + digits(random.nextInt(100), 2);
      default -> "+493023125" + digits(random.nextInt(1000), 3);
    };
  }

  private static String unpriced(SplittableRandom random) {
    return "+331990000" + digits(random.nextInt(100), 2);
  }

  private static Cdr spoiled(Cdr cdr, Kind kind) {
    return switch (kind) {
      case NEGATIVE -> with(cdr, cdr.called(), cdr.startMillis(), -1000);
      case AHEAD -> with(cdr, cdr.called(), AHEAD_MILLIS, cdr.usage());
      case NO_ACCOUNT -> named(cdr, cdr.eventId(), "");
      case LONG_ID -> named(cdr, cdr.eventId() + "x".repeat(LONG_ID_LENGTH), cdr.accountId());
      case CONTROL_CHARACTER -> named(cdr, cdr.eventId() + "\u0007", cdr.accountId());
      case FRESH, DUPLICATE, CONFLICT, UNPRICED, NOISE, CUT_OFF, UNKNOWN_SCHEMA -> cdr;
    };
  }

  private static Cdr named(Cdr cdr, String eventId, String accountId) {
    return new Cdr(
        eventId,
        accountId,
        cdr.usageType(),
        cdr.calling(),
        cdr.called(),
        cdr.startMillis(),
        cdr.utcOffsetSeconds(),
        cdr.usage(),
        cdr.cause(),
        cdr.attributes(),
        cdr.callingOriginal(),
        cdr.calledOriginal());
  }

  private static String digits(int number, int width) {
    String text = Integer.toString(number);
    return text.length() >= width ? text : "000000".substring(0, width - text.length()) + text;
  }
}
