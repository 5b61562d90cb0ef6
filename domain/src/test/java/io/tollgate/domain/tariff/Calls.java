package io.tollgate.domain.tariff;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.rating.Rating;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;

/** CDRs and books for tests, in the words of a test. */
final class Calls {
  private Calls() {}

  static Cdr call(String called, String start, long usageMillis) {
    return usage(UsageType.VOICE, called, start, usageMillis);
  }

  static Cdr usage(UsageType type, String called, String start, long usage) {
    return of("account", type, called, Instant.parse(start).toEpochMilli(), usage);
  }

  static Cdr of(String account, UsageType type, String called, long startMillis, long usage) {
    return new Cdr(
        "test/1", account, type, "", called, startMillis, 0, usage, "", Map.of(), "", "");
  }

  static TariffBook book(UnaryOperator<TariffBookBuilder.PlanBuilder> plan) {
    return TariffBook.builder(7).plan("plan", plan).assignDefault("plan").build();
  }

  static Rating.Priced priced(TariffBook book, Cdr cdr) {
    Rating rating = book.rate(cdr);
    assertThat(rating).isInstanceOf(Rating.Priced.class);
    return (Rating.Priced) rating;
  }

  static Rating.Unpriced unpriced(TariffBook book, Cdr cdr) {
    Rating rating = book.rate(cdr);
    assertThat(rating).isInstanceOf(Rating.Unpriced.class);
    return (Rating.Unpriced) rating;
  }

  static BigDecimal amount(TariffBook book, Cdr cdr) {
    return priced(book, cdr).amount();
  }
}
