package io.tollgate.wire.tariff;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.tariff.Assignment;
import io.tollgate.domain.tariff.Band;
import io.tollgate.domain.tariff.BandCrossing;
import io.tollgate.domain.tariff.FreeDestination;
import io.tollgate.domain.tariff.HolidayCalendar;
import io.tollgate.domain.tariff.IncrementMeaning;
import io.tollgate.domain.tariff.MaximumPolicy;
import io.tollgate.domain.tariff.PriceChange;
import io.tollgate.domain.tariff.RatePlan;
import io.tollgate.domain.tariff.RateRow;
import io.tollgate.domain.tariff.StepMeaning;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.Validity;
import io.tollgate.domain.tariff.When;
import io.tollgate.wire.UnreadableException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link BookWriter} wrote. Every read is checked against the end of the body; a list is
 * allocated only for as many elements as there are bytes left.
 */
final class BookReader {
  private static final int MAX_AMOUNT_CHARACTERS = 64;

  private final byte[] body;
  private final @Nullable TariffBook like;
  private int position;
  private String[] texts = {};
  private final Map<String, BigDecimal> amounts = new HashMap<>();
  private final Map<Validity, Validity> validities = new HashMap<>();

  BookReader(byte[] body, @Nullable TariffBook like) {
    this.body = body;
    this.like = like;
  }

  TariffBook read() throws UnreadableException {
    try {
      return book();
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      // A value that no book may hold, or prices that would be ambiguous.
      throw TariffBookCodec.unreadable(String.valueOf(e.getMessage()));
    }
  }

  private TariffBook book() throws UnreadableException {
    texts = new String[count()];
    for (int i = 0; i < texts.length; i++) {
      int length = count();
      texts[i] = new String(body, position, length, StandardCharsets.UTF_8);
      position += length;
    }
    long version = number();
    List<HolidayCalendar> calendars = list(this::calendar);
    List<RatePlan> plans = list(this::plan);
    List<Assignment> assignments = list(this::assignment);
    if (position != body.length) {
      throw TariffBookCodec.unreadable(
          (body.length - position) + " bytes after the book (expected: none)");
    }
    return new TariffBook(version, plans, calendars, assignments, like);
  }

  private HolidayCalendar calendar() throws UnreadableException {
    String name = text();
    TreeMap<LocalDate, String> days = new TreeMap<>();
    int count = count();
    for (int i = 0; i < count; i++) {
      LocalDate date = LocalDate.ofEpochDay(signed());
      days.put(date, text());
    }
    return new HolidayCalendar(name, days);
  }

  private RatePlan plan() throws UnreadableException {
    String name = text();
    String currency = text();
    ZoneId zone = ZoneId.of(text());
    RoundingMode roundingMode = RoundingMode.valueOf(text());
    int decimals = Math.toIntExact(number());
    BandCrossing bandCrossing = BandCrossing.valueOf(text());
    IncrementMeaning incrementMeaning = IncrementMeaning.valueOf(text());
    PriceChange priceChange = PriceChange.valueOf(text());
    StepMeaning stepMeaning = StepMeaning.valueOf(text());
    boolean milliseconds = number() != 0;
    long version = number();
    List<Band> bands = list(this::band);
    List<FreeDestination> free = list(this::free);
    List<RateRow> rates = list(this::rate);
    return new RatePlan(
        name,
        currency,
        zone,
        roundingMode,
        decimals,
        bandCrossing,
        incrementMeaning,
        priceChange,
        stepMeaning,
        milliseconds,
        bands,
        free,
        rates,
        version);
  }

  private Band band() throws UnreadableException {
    String name = text();
    return new Band(name, list(this::when));
  }

  private When when() throws UnreadableException {
    int weekdays = Math.toIntExact(number());
    int months = Math.toIntExact(number());
    int monthDays = Math.toIntExact(number());
    List<Integer> years = list(() -> Math.toIntExact(signed()));
    List<LocalDate> dates = list(() -> LocalDate.ofEpochDay(signed()));
    List<String> calendars = list(this::text);
    int fromSecond = Math.toIntExact(number());
    int toSecond = Math.toIntExact(number());
    int priority = Math.toIntExact(signed());
    return new When(
        weekdays, months, monthDays, years, dates, calendars, fromSecond, toSecond, priority);
  }

  private FreeDestination free() throws UnreadableException {
    String number = text();
    boolean exact = number() != 0;
    String name = text();
    Validity validity = validity();
    return new FreeDestination(number, exact, name, validity, number());
  }

  private RateRow rate() throws UnreadableException {
    UsageType usageType = UsageType.valueOf(text());
    String prefix = text();
    String destination = text();
    String band = text();
    long stepStart = number();
    BigDecimal connectionFee = requiredAmount();
    BigDecimal stepFee = requiredAmount();
    BigDecimal rate = requiredAmount();
    long per = number();
    long initialIncrement = number();
    long increment = number();
    BigDecimal minimumCharge = requiredAmount();
    BigDecimal maximumCharge = amount();
    MaximumPolicy maximumPolicy = MaximumPolicy.valueOf(text());
    long freeUsage = number();
    Validity validity = validity();
    long version = number();
    return new RateRow(
        usageType,
        prefix,
        destination,
        band,
        stepStart,
        connectionFee,
        stepFee,
        rate,
        per,
        initialIncrement,
        increment,
        minimumCharge,
        maximumCharge,
        maximumPolicy,
        freeUsage,
        validity,
        version);
  }

  private Assignment assignment() throws UnreadableException {
    Assignment.Kind kind = Assignment.Kind.valueOf(text());
    String key = text();
    String plan = text();
    Validity validity = validity();
    return new Assignment(kind, key, plan, validity, number());
  }

  private Validity validity() throws UnreadableException {
    long from = signed();
    long to = signed();
    Validity read = new Validity(from, to);
    Validity known = validities.putIfAbsent(read, read);
    return known == null ? read : known;
  }

  private BigDecimal requiredAmount() throws UnreadableException {
    BigDecimal amount = amount();
    if (amount == null) {
      throw TariffBookCodec.unreadable("no amount (expected: one)");
    }
    return amount;
  }

  private @Nullable BigDecimal amount() throws UnreadableException {
    String text = text();
    if (text.equals(BookWriter.NO_AMOUNT)) {
      return null;
    }
    BigDecimal known = amounts.get(text);
    if (known == null) {
      if (text.length() > MAX_AMOUNT_CHARACTERS) {
        throw TariffBookCodec.unreadable("amount of " + text.length() + " characters");
      }
      known = new BigDecimal(text);
      amounts.put(text, known);
    }
    return known;
  }

  private interface Element<T> {
    T read() throws UnreadableException;
  }

  private <T> List<T> list(Element<T> element) throws UnreadableException {
    int count = count();
    List<T> elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      elements.add(element.read());
    }
    return elements;
  }

  /** Reads how many elements, each of one byte or more, follow. */
  private int count() throws UnreadableException {
    long count = number();
    if (count < 0 || count > body.length - position) {
      throw TariffBookCodec.unreadable(
          count + " elements (expected: at most the " + (body.length - position) + " bytes left)");
    }
    return (int) count;
  }

  private String text() throws UnreadableException {
    long index = number();
    if (index < 0 || index >= texts.length) {
      throw TariffBookCodec.unreadable(
          "text " + index + " (expected: one of " + texts.length + ")");
    }
    return texts[(int) index];
  }

  private long signed() throws UnreadableException {
    long value = number();
    return (value >>> 1) ^ -(value & 1);
  }

  private long number() throws UnreadableException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (position >= body.length) {
        throw TariffBookCodec.unreadable("cut off at byte " + position + " of the body");
      }
      byte next = body[position++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw TariffBookCodec.unreadable("a number of more than 64 bits at byte " + position);
  }
}
