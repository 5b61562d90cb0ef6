package io.tollgate.wire.tariff;

import io.tollgate.domain.tariff.Assignment;
import io.tollgate.domain.tariff.Band;
import io.tollgate.domain.tariff.FreeDestination;
import io.tollgate.domain.tariff.HolidayCalendar;
import io.tollgate.domain.tariff.RatePlan;
import io.tollgate.domain.tariff.RateRow;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.Validity;
import io.tollgate.domain.tariff.When;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of a book: first a table of all texts (amounts among them, as plain digits), then
 * the book with numbers in 7-bit groups, lowest first, signed ones zigzag.
 */
final class BookWriter {
  /** Stands for no maximum charge. */
  static final String NO_AMOUNT = "";

  private final ByteArrayOutputStream texts = new ByteArrayOutputStream();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Map<String, Integer> numberOfText = new HashMap<>();

  byte[] write(TariffBook book) {
    number(book.version());
    number(book.calendars().size());
    book.calendars().forEach(this::calendar);
    number(book.plans().size());
    book.plans().forEach(this::plan);
    number(book.assignments().size());
    book.assignments().forEach(this::assignment);

    ByteArrayOutputStream body = new ByteArrayOutputStream(texts.size() + out.size() + 8);
    number(body, numberOfText.size());
    body.writeBytes(texts.toByteArray());
    body.writeBytes(out.toByteArray());
    return body.toByteArray();
  }

  private void calendar(HolidayCalendar calendar) {
    text(calendar.name());
    number(calendar.days().size());
    calendar
        .days()
        .forEach(
            (date, name) -> {
              signed(date.toEpochDay());
              text(name);
            });
  }

  private void plan(RatePlan plan) {
    text(plan.name());
    text(plan.currency());
    text(plan.zone().getId());
    text(plan.roundingMode().name());
    number(plan.decimals());
    text(plan.bandCrossing().name());
    text(plan.incrementMeaning().name());
    text(plan.priceChange().name());
    text(plan.stepMeaning().name());
    number(plan.milliseconds() ? 1 : 0);
    number(plan.version());
    number(plan.bands().size());
    plan.bands().forEach(this::band);
    number(plan.freeDestinations().size());
    plan.freeDestinations().forEach(this::free);
    number(plan.rates().size());
    plan.rates().forEach(this::rate);
  }

  private void band(Band band) {
    text(band.name());
    number(band.rules().size());
    for (When when : band.rules()) {
      number(when.weekdays());
      number(when.months());
      number(when.monthDays());
      number(when.years().size());
      when.years().forEach(this::signed);
      number(when.dates().size());
      when.dates().forEach(date -> signed(date.toEpochDay()));
      number(when.calendars().size());
      when.calendars().forEach(this::text);
      number(when.fromSecond());
      number(when.toSecond());
      signed(when.priority());
    }
  }

  private void free(FreeDestination free) {
    text(free.number());
    number(free.exact() ? 1 : 0);
    text(free.name());
    validity(free.validity());
    number(free.version());
  }

  private void rate(RateRow row) {
    text(row.usageType().name());
    text(row.prefix());
    text(row.destination());
    text(row.band());
    number(row.stepStart());
    amount(row.connectionFee());
    amount(row.stepFee());
    amount(row.rate());
    number(row.per());
    number(row.initialIncrement());
    number(row.increment());
    amount(row.minimumCharge());
    amount(row.maximumCharge());
    text(row.maximumPolicy().name());
    number(row.freeUsage());
    validity(row.validity());
    number(row.version());
  }

  private void assignment(Assignment assignment) {
    text(assignment.kind().name());
    text(assignment.key());
    text(assignment.plan());
    validity(assignment.validity());
    number(assignment.version());
  }

  private void validity(Validity validity) {
    signed(validity.fromMillis());
    signed(validity.toMillis());
  }

  private void amount(@Nullable BigDecimal amount) {
    text(amount == null ? NO_AMOUNT : amount.toPlainString());
  }

  private void text(String value) {
    Integer known = numberOfText.get(value);
    if (known == null) {
      known = numberOfText.size();
      numberOfText.put(value, known);
      byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
      number(texts, utf8.length);
      texts.writeBytes(utf8);
    }
    number(known);
  }

  private void signed(long value) {
    number((value << 1) ^ (value >> 63));
  }

  private void number(long value) {
    number(out, value);
  }

  private static void number(ByteArrayOutputStream to, long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      to.write((int) (left & 0x7f) | 0x80);
      left >>>= 7;
    }
    to.write((int) left);
  }
}
