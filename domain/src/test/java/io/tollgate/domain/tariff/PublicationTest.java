package io.tollgate.domain.tariff;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@link Publication}: what changes the past, and what does not. */
class PublicationTest {
  private static final String BOUNDARY = "2025-01-01T00:00:00Z";
  private static final int HOUR = 3600;
  private static final When PEAK =
      When.ALWAYS.onWeekdays(1, 2, 3, 4, 5).between(8 * HOUR, 18 * HOUR);

  private static TariffBookBuilder.PlanBuilder common(TariffBookBuilder.PlanBuilder p) {
    return p.zone("Europe/Berlin")
        .band("peak", PEAK)
        .band(
            "off-peak",
            When.ALWAYS.withPriority(-1),
            When.ALWAYS.onCalendars(List.of("de")).withPriority(10))
        .rate(r -> r.voice("+49", "Germany").band("peak").perMinute("0.05"))
        .rate(r -> r.voice("+49", "Germany").band("off-peak").perMinute("0.03"));
  }

  private static TariffBook book(UnaryOperator<TariffBookBuilder.PlanBuilder> more) {
    return book(more, Map.of(LocalDate.of(2024, 10, 3), "Unity Day"));
  }

  private static TariffBook book(
      UnaryOperator<TariffBookBuilder.PlanBuilder> more, Map<LocalDate, String> holidays) {
    return TariffBook.builder(0)
        .calendar("de", holidays)
        .plan("p", p -> more.apply(common(p)))
        .plan("q", p -> p.rate(r -> r.voice("", "all").perMinute("1")))
        .assignDefault("p")
        .build();
  }

  private static Publication publish(TariffBook last, TariffBook next) {
    Publication first = Publication.after(TariffHistory.EMPTY, last, 0);
    assertThat(first.pastChanges()).as("the first book").isEmpty();
    assertThat(first.book().version()).isEqualTo(1);
    return Publication.after(
        TariffHistory.EMPTY.with(first.book()), next, Instant.parse(BOUNDARY).toEpochMilli());
  }

  static Stream<Arguments> differences() {
    TariffBook plain = book(p -> p);
    TariffBook withFrance = book(p -> p.rate(r -> r.voice("+33", "France").perMinute("0.1")));
    return Stream.of(
        Arguments.of("nothing", plain, book(p -> p), 0),
        Arguments.of("a price where there was none", plain, withFrance, 0),
        Arguments.of("a price removed", withFrance, plain, 1),
        Arguments.of(
            "another rate",
            withFrance,
            book(p -> p.rate(r -> r.voice("+33", "France").perMinute("0.2"))),
            1),
        Arguments.of(
            "another increment",
            withFrance,
            book(p -> p.rate(r -> r.voice("+33", "France").perMinute("0.1").increments(60, 60))),
            1),
        Arguments.of(
            "a connection fee",
            withFrance,
            book(p -> p.rate(r -> r.voice("+33", "France").perMinute("0.1").connectionFee("1"))),
            1),
        Arguments.of(
            "another name",
            withFrance,
            book(p -> p.rate(r -> r.voice("+33", "la France").perMinute("0.1"))),
            0),
        Arguments.of(
            "another rate from the boundary on",
            withFrance,
            book(
                p ->
                    p.rate(
                            r ->
                                r.voice("+33", "France")
                                    .perMinute("0.1")
                                    .valid("2000-01-01T00:00:00Z", BOUNDARY))
                        .rate(r -> r.voice("+33", "France").perMinute("0.2").validFrom(BOUNDARY))),
            0),
        Arguments.of(
            "another rate from a moment before the boundary on",
            withFrance,
            book(
                p ->
                    p.rate(
                            r ->
                                r.voice("+33", "France")
                                    .perMinute("0.1")
                                    .valid("2000-01-01T00:00:00Z", "2024-12-31T23:59:59Z"))
                        .rate(
                            r ->
                                r.voice("+33", "France")
                                    .perMinute("0.2")
                                    .validFrom("2024-12-31T23:59:59Z"))),
            1),
        Arguments.of(
            "a longer prefix at another price",
            plain,
            book(p -> p.rate(r -> r.voice("+4930", "Berlin").perMinute("0.01"))),
            2),
        Arguments.of(
            "a longer prefix at the same price",
            plain,
            book(
                p ->
                    p.rate(r -> r.voice("+4930", "Berlin").band("peak").perMinute("0.05"))
                        .rate(r -> r.voice("+4930", "Berlin").band("off-peak").perMinute("0.03"))),
            0),
        Arguments.of(
            "a longer prefix from the boundary on",
            plain,
            book(p -> p.rate(r -> r.voice("+4930", "B").perMinute("1").validFrom(BOUNDARY))),
            0),
        Arguments.of(
            "a free number that had no price",
            plain,
            book(p -> p.freeNumber("112", "Emergency")),
            0),
        Arguments.of(
            "a free number that had one", plain, book(p -> p.freePrefix("+49800", "Toll-free")), 2),
        Arguments.of(
            "another rounding", plain, book(p -> p.rounding(java.math.RoundingMode.UP, 2)), 1),
        Arguments.of(
            "a holiday of the past",
            plain,
            book(p -> p, Map.of(LocalDate.of(2024, 10, 3), "a", LocalDate.of(2024, 12, 24), "b")),
            1),
        Arguments.of(
            "a holiday of the past on a Sunday, when it is off-peak anyway",
            plain,
            book(p -> p, Map.of(LocalDate.of(2024, 10, 3), "a", LocalDate.of(2024, 12, 22), "b")),
            0),
        Arguments.of(
            "a holiday of the future",
            plain,
            book(p -> p, Map.of(LocalDate.of(2024, 10, 3), "a", LocalDate.of(2025, 10, 3), "b")),
            0));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("differences")
  void shouldFindWhatWouldChangeThePast(
      String what, TariffBook last, TariffBook next, int expected) {
    Publication publication = publish(last, next);
    assertThat(publication.pastChanges()).as(what).hasSize(expected);
  }

  @Test
  void shouldSayWhatWouldChange() {
    TariffBook last = book(p -> p.rate(r -> r.voice("+33", "France").perMinute("0.1")));
    TariffBook next = book(p -> p.rate(r -> r.voice("+33", "France").perMinute("0.2")));
    assertThat(publish(last, next).pastChanges().get(0).toString())
        .isEqualTo(
            "plan p, VOICE +33, from 2000-01-01T00:00:00Z to 2025-01-01T00:00:00Z: any time 0.1 per"
                + " 60000 in 1000/1000, would be any time 0.2 per 60000 in 1000/1000");
  }

  @Test
  void shouldFindAnotherPlanOfAnAccountInThePast() {
    TariffBook last = book(p -> p);
    TariffBook next =
        TariffBook.builder(0)
            .calendar("de", Map.of(LocalDate.of(2024, 10, 3), "Unity Day"))
            .plan("p", PublicationTest::common)
            .plan("q", p -> p.rate(r -> r.voice("", "all").perMinute("1")))
            .assignDefault("p")
            .assign(
                Assignment.Kind.ACCOUNT,
                "a",
                "q",
                Validity.since(Instant.parse("2024-12-01T00:00:00Z")))
            .assign(Assignment.Kind.ACCOUNT, "b", "q", Validity.since(Instant.parse(BOUNDARY)))
            .build();
    assertThat(publish(last, next).pastChanges())
        .singleElement()
        .hasToString(
            "account 'a', from 2024-12-01T00:00:00Z to 2025-01-01T00:00:00Z: plan p, would be q");
  }

  @Test
  void shouldCarryTheVersionThatIntroducedARow() {
    TariffBook one = book(p -> p.rate(r -> r.voice("+33", "France").perMinute("0.1")));
    TariffBook two =
        book(
            p ->
                p.rate(r -> r.voice("+33", "la France").perMinute("0.10"))
                    .rate(r -> r.voice("+34", "Spain").perMinute("0.3")));
    TariffBook published = publish(one, two).book();
    assertThat(published.version()).isEqualTo(2);
    assertThat(version(published, "+33")).as("the same price, another name").isEqualTo(1);
    assertThat(version(published, "+34")).isEqualTo(2);
    TariffBook three =
        Publication.after(
                TariffHistory.EMPTY.with(published), one, Instant.parse(BOUNDARY).toEpochMilli())
            .book();
    assertThat(three.version()).isEqualTo(3);
    assertThat(version(three, "+33")).isEqualTo(1);
  }

  @Test
  void shouldPublishNothingIfNothingIsNew() {
    Publication again = publish(book(p -> p), book(p -> p));
    assertThat(again.isNew()).isFalse();
    assertThat(again.book().version()).isEqualTo(1);
  }

  private static long version(TariffBook book, String called) {
    return Calls.priced(book, Calls.call(called, "2024-06-05T12:00:00Z", 1000)).tariffVersion();
  }
}
