package io.tollgate.domain.tariff;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * SHA-256 over everything in a book that says something about prices, in a fixed order. Version
 * numbers are left out, so the same files give the same digest whenever they are published.
 */
final class BookDigest {
  private static final String FORM = "tollgate-book-1";

  private final MessageDigest sha256;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

  private BookDigest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must offer SHA-256", e);
    }
  }

  static String of(TariffBook book) {
    BookDigest digest = new BookDigest();
    digest.text(FORM);
    digest.number(book.calendars().size());
    book.calendars().forEach(digest::calendar);
    digest.number(book.plans().size());
    book.plans().forEach(digest::plan);
    digest.number(book.assignments().size());
    book.assignments().forEach(digest::assignment);
    return HexFormat.of().formatHex(digest.sha256.digest());
  }

  private void calendar(HolidayCalendar calendar) {
    text(calendar.name());
    number(calendar.days().size());
    calendar
        .days()
        .forEach(
            (date, name) -> {
              number(date.toEpochDay());
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
    number(plan.bands().size());
    plan.bands().forEach(this::band);
    number(plan.freeDestinations().size());
    plan.freeDestinations().stream()
        .sorted(
            Comparator.comparing(FreeDestination::number)
                .thenComparing(FreeDestination::exact)
                .thenComparingLong(free -> free.validity().fromMillis()))
        .forEach(this::free);
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
      when.years().forEach(this::number);
      number(when.dates().size());
      when.dates().forEach(date -> number(date.toEpochDay()));
      number(when.calendars().size());
      when.calendars().forEach(this::text);
      number(when.fromSecond());
      number(when.toSecond());
      number(when.priority());
    }
  }

  private void free(FreeDestination free) {
    text(free.number());
    number(free.exact() ? 1 : 0);
    text(free.name());
    validity(free.validity());
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
  }

  private void assignment(Assignment assignment) {
    text(assignment.kind().name());
    text(assignment.key());
    text(assignment.plan());
    validity(assignment.validity());
  }

  private void validity(Validity validity) {
    number(validity.fromMillis());
    number(validity.toMillis());
  }

  private void amount(@Nullable BigDecimal amount) {
    text(amount == null ? "" : amount.toPlainString());
  }

  private void text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    number(utf8.length);
    sha256.update(utf8);
  }

  private void number(long value) {
    number.putLong(0, value);
    sha256.update(number.array());
  }
}
