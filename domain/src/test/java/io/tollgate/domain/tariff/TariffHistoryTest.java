package io.tollgate.domain.tariff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.rating.Revision;
import io.tollgate.domain.tariff.Correction.ChargeKey;
import io.tollgate.domain.tariff.Correction.Prices;
import io.tollgate.domain.tariff.Correction.Reprice;
import io.tollgate.domain.tariff.Correction.VoidCharge;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of {@link TariffHistory} and {@link Correction}. */
class TariffHistoryTest {
  private static final String JUNE = "2024-06-01T00:00:00Z";
  private static final String JULY = "2024-07-01T00:00:00Z";
  private static final long NOW = millis("2024-08-01T00:00:00Z");

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  private static TariffBook files(UnaryOperator<TariffBookBuilder.PlanBuilder> rates) {
    return TariffBook.builder(0)
        .plan("p", p -> rates.apply(p.rounding(java.math.RoundingMode.HALF_UP, 2)))
        .assignDefault("p")
        .build();
  }

  /** Germany at a price a minute, in June at another one. */
  private static TariffBook germany(String price, String inJune) {
    return files(p -> withGermany(p, price, inJune));
  }

  private static TariffBookBuilder.PlanBuilder withGermany(
      TariffBookBuilder.PlanBuilder plan, String price, String inJune) {
    return plan.rate(r -> r.voice("+49", "Germany").perMinute(price).valid(before(JUNE)))
        .rate(r -> r.voice("+49", "Germany").perMinute(inJune).valid(JUNE, JULY))
        .rate(r -> r.voice("+49", "Germany").perMinute(price).validFrom(JULY));
  }

  private static Validity before(String instant) {
    return new Validity(Long.MIN_VALUE, millis(instant));
  }

  private static TariffHistory publish(TariffHistory history, TariffBook files) {
    Publication publication = Publication.after(history, files, NOW);
    assertThat(publication.pastChanges()).isEmpty();
    return history.with(publication.book());
  }

  private static TariffHistory correct(TariffHistory history, TariffBook files) {
    return history.with(
        Publication.after(history, files, NOW)
            .asCorrection(history, "typing error")
            .correction()
            .orElseThrow());
  }

  private static final TariffHistory FIRST = publish(TariffHistory.EMPTY, germany("1", "1"));

  private static Cdr minute(String start) {
    return Calls.call("+49301", start, 60_000);
  }

  private static String charge(TariffHistory history, Cdr cdr) {
    return history.rate(cdr) instanceof Rating.Priced priced
        ? priced.amount().toPlainString()
        : ((Rating.Unpriced) history.rate(cdr)).reason().name();
  }

  private static List<String> revisions(TariffHistory history, Cdr cdr) {
    return history.revisions(cdr).stream()
        .map(revision -> revision.number() + ": " + revision.total().amount().toPlainString())
        .toList();
  }

  private static ChargeKey key(Cdr cdr) {
    return new ChargeKey(cdr.accountId(), cdr.eventId(), Placement.usageHour(cdr.startMillis()));
  }

  @ParameterizedTest
  @CsvSource({
    "2024-05-15T12:00:00Z, 1.00, ''",
    "2024-05-31T23:59:00Z, 1.00, ''",
    "2024-05-31T23:59:30Z, 1.00, 1: 1.50",
    "2024-06-01T00:00:00Z, 1.00, 1: 2.00",
    "2024-06-30T23:59:59Z, 1.00, 1: 1.02",
    "2024-07-01T00:00:00Z, 1.00, ''",
    "2024-09-01T00:00:00Z, 1.00, ''",
  })
  void shouldLeaveTheChargeAndGiveANewTotalInTheInterval(
      String start, String charge, String revision) {
    TariffHistory history = correct(FIRST, germany("1", "2"));
    assertThat(charge(history, minute(start))).isEqualTo(charge);
    assertThat(String.join(",", revisions(history, minute(start)))).isEqualTo(revision);
  }

  @Test
  void shouldNameTheIntervalAndWhatItChanges() {
    Prices correction = (Prices) correct(FIRST, germany("1", "2")).corrections().get(0);
    assertThat(correction.number()).isEqualTo(1);
    assertThat(correction.reason()).isEqualTo("typing error");
    assertThat(Instant.ofEpochMilli(correction.fromMillis())).isEqualTo(JUNE);
    assertThat(Instant.ofEpochMilli(correction.toMillis())).isEqualTo(JULY);
    assertThat(correction.changes()).singleElement().asString().contains("VOICE +49", "would be");
  }

  @Test
  void shouldGiveATotalForEachCorrectionThatChangesIt() {
    TariffHistory history =
        correct(
            correct(correct(FIRST, germany("1", "2")), germany("1", "3")),
            files(
                p ->
                    withGermany(p, "1", "3")
                        .rate(r -> r.voice("+43", "Austria").perMinute("9"))
                        .rate(r -> r.voice("+491", "Mobile").perMinute("7"))));
    assertThat(charge(history, minute("2024-06-10T12:00:00Z"))).isEqualTo("1.00");
    assertThat(revisions(history, minute("2024-06-10T12:00:00Z")))
        .as("the third correction is about other numbers")
        .containsExactly("1: 2.00", "2: 3.00");
    assertThat(revisions(history, Calls.call("+49171", "2024-06-10T12:00:00Z", 60_000)))
        .containsExactly("1: 2.00", "2: 3.00", "3: 7.00");
  }

  @Test
  void shouldPriceByLaterBooksWhatTheyMaySay() {
    TariffHistory corrected = correct(FIRST, germany("1", "2"));
    TariffBook withFrance =
        files(p -> withGermany(p, "1", "2").rate(r -> r.voice("+33", "France").perMinute("4")));
    TariffHistory history = publish(corrected, withFrance);
    Cdr france = Calls.call("+331", "2024-06-10T12:00:00Z", 60_000);
    assertThat(charge(corrected, france)).isEqualTo(Reason.NO_DESTINATION.name());
    assertThat(charge(history, france)).as("a price where there was none").isEqualTo("4.00");
    assertThat(history.revisions(france)).isEmpty();
    assertThat(charge(history, minute("2024-06-10T12:00:00Z"))).isEqualTo("1.00");
    TariffHistory again =
        correct(
            history,
            files(
                p -> withGermany(p, "1", "2").rate(r -> r.voice("+33", "France").perMinute("5"))));
    assertThat(charge(again, france)).as("as charged before").isEqualTo("4.00");
    assertThat(revisions(again, france)).containsExactly("2: 5.00");
  }

  @Test
  void shouldVoidOneChargeForGood() {
    Cdr wrong = minute("2024-06-10T12:00:00Z");
    TariffHistory history =
        correct(FIRST.with(new VoidCharge(1, "test call", key(wrong))), germany("1", "2"));
    assertThat(charge(history, wrong)).isEqualTo("1.00");
    assertThat(revisions(history, wrong)).containsExactly("1: 0.00");
    assertThat(revisions(history, minute("2024-06-10T13:00:00Z")))
        .as("another hour")
        .containsExactly("2: 2.00");
    Revision revision = history.revisions(wrong).get(0);
    assertThat(revision.total().currency()).isEqualTo("EUR");
    assertThat(revision.total().chargedUsage()).isZero();
  }

  @Test
  void shouldPriceOneChargeAnew() {
    Cdr wrong = minute("2024-06-10T12:00:00Z");
    TariffHistory history =
        correct(FIRST, germany("1", "2")).with(new Reprice(2, "row", key(wrong)));
    assertThat(revisions(history, wrong)).containsExactly("1: 2.00", "2: 2.00");
    assertThat(revisions(history, minute("2024-05-01T13:00:00Z"))).isEmpty();
  }

  @Test
  void shouldTakeEntriesInOrderAndOnce() {
    TariffHistory one = correct(FIRST, germany("1", "2"));
    Correction first = one.corrections().get(0);
    assertThat(one.with(first)).isSameAs(one);
    ChargeKey key = key(minute(JUNE));
    assertThatThrownBy(() -> one.with(new VoidCharge(3, "r", key)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: 2");
    assertThatThrownBy(() -> TariffHistory.EMPTY.with(new VoidCharge(1, "r", key)))
        .hasMessageContaining("after a book");
    TariffHistory moved =
        publish(
            FIRST,
            files(
                p -> withGermany(p, "1", "1").rate(r -> r.voice("+33", "France").perMinute("4"))));
    assertThatThrownBy(() -> moved.with(first)).hasMessageContaining("of book 1");
    assertThatThrownBy(() -> new VoidCharge(1, " ", key)).hasMessageContaining("blank reason");
  }

  @Test
  void shouldRefuseToTakeAPriceAway() {
    Publication publication =
        Publication.after(FIRST, files(p -> p.rate(r -> r.voice("+43", "A").perMinute("1"))), NOW);
    assertThat(publication.removals()).isNotEmpty();
    assertThat(Publication.after(FIRST, germany("1", "2"), NOW).removals()).isEmpty();
  }

  @Test
  void shouldRefuseAPriceThatACallUnderWayAtACorrectionWouldMiss() {
    TariffHistory history = correct(FIRST, germany("2", "2"));
    String shortlyAfter = "2024-08-01T12:00:00Z";
    TariffBook next =
        files(
            p ->
                p.rate(r -> r.voice("+49", "Germany").perMinute("2").valid(before(shortlyAfter)))
                    .rate(r -> r.voice("+49", "Germany").perMinute("3").validFrom(shortlyAfter)));
    assertThat(Publication.after(history, next, NOW).pastChanges()).isNotEmpty();
    assertThat(Publication.after(FIRST, next, NOW).asCorrection(FIRST, "r").correction())
        .isPresent();
  }

  @Test
  void shouldKnowWhichHoursWait() {
    TariffHistory history = correct(FIRST, germany("1", "2"));
    long hour = Placement.usageHour(millis(JUNE));
    assertThat(history.waiting(hour, 0)).hasSize(1);
    assertThat(history.waiting(hour - 24, 0)).as("a call may run into it").hasSize(1);
    assertThat(history.waiting(hour - 25, 0)).isEmpty();
    assertThat(history.waiting(Placement.usageHour(millis(JULY)), 0)).isEmpty();
    assertThat(history.waiting(hour, 1)).isEmpty();
  }

  @Test
  void shouldShareThePlansThatACorrectionLeavesAlone() {
    RatePlan same = germany("1", "1").plans().get(0);
    TariffBook one = new TariffBook(1, List.of(same), List.of(), List.of());
    TariffBook two = new TariffBook(2, germany("1", "1").plans(), List.of(), List.of(), one);
    assertThat(two.rater("p")).isSameAs(one.rater("p"));
    TariffBook three = new TariffBook(3, germany("1", "2").plans(), List.of(), List.of(), one);
    assertThat(three.rater("p")).isNotSameAs(one.rater("p"));
  }

  /** A correction of one price of many costs the memory of that one, and not of the plan. */
  @Test
  void shouldShareThePricesThatACorrectionLeavesAlone() {
    TariffBook one = britainAndGermany("1", "1", Validity.ALWAYS);
    TariffBook other = britainAndGermany("2", "1", Validity.ALWAYS);
    TariffBook two = new TariffBook(2, other.plans(), List.of(), List.of(), one);
    PriceEpoch britain = epoch(one, "+44");
    assertThat(epoch(two, "+44")).isSameAs(britain);
    assertThat(two.plans().get(0).rates().get(0)).isSameAs(one.plans().get(0).rates().get(0));
    assertThat(epoch(two, "+49")).isNotSameAs(epoch(one, "+49"));

    // The shorter prefix is that of the book, and rows that differ in anything are other prices.
    TariffBook world = britainAndGermany("1", "1", Validity.ALWAYS, "");
    TariffBook three = new TariffBook(3, world.plans(), List.of(), List.of(), one);
    assertThat(epoch(three, "+44")).isSameAs(britain);
    assertThat(destination(three, "+44").shorter()).isNotNull();
    assertThat(destination(one, "+44").shorter()).isNull();
    TariffBook ended = britainAndGermany("1", "1", new Validity(Long.MIN_VALUE, millis(JULY)));
    TariffBook four = new TariffBook(4, ended.plans(), List.of(), List.of(), one);
    assertThat(epoch(four, "+44")).isNotSameAs(britain);
    TariffBook finer = britainAndGermany("1.00001", "1", Validity.ALWAYS);
    TariffBook five = new TariffBook(5, finer.plans(), List.of(), List.of(), one);
    assertThat(epoch(five, "+44")).as("amounts of another scale").isNotSameAs(britain);
  }

  private static TariffBook britainAndGermany(
      String germany, String britain, Validity validity, String... more) {
    return TariffBook.builder(1)
        .plan(
            "p",
            p -> {
              p.rate(r -> r.voice("+49", "Germany").perMinute(germany))
                  .rate(r -> r.voice("+44", "UK").perMinute(britain).valid(validity));
              for (String prefix : more) {
                p.rate(r -> r.voice(prefix, "World").perMinute("9"));
              }
              return p;
            })
        .assignDefault("p")
        .build();
  }

  private static Destination destination(TariffBook book, String prefix) {
    return Objects.requireNonNull(book.rater("p").exactly(UsageType.VOICE, prefix));
  }

  private static PriceEpoch epoch(TariffBook book, String prefix) {
    return destination(book, prefix).epochs().get(0);
  }

  /** Totals up to n never depend on what is appended later, and revision 0 on no correction. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldNeverChangeWhatWasWritten(long seed) {
    Random random = new Random(seed);
    List<Cdr> cdrs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      long start = millis("2024-05-28T00:00:00Z") + random.nextInt(40 * 24) * 3_600_000L;
      cdrs.add(
          Calls.call(
              "+49301", Instant.ofEpochMilli(start).toString(), 1 + random.nextInt(9_000_000)));
    }
    TariffHistory history = FIRST;
    List<String> charges = charges(history, cdrs);
    List<List<String>> written = written(history, cdrs, Long.MAX_VALUE);
    for (int step = 0; step < 6; step++) {
      long known = history.lastCorrection();
      if (random.nextInt(4) == 0) {
        history =
            history.with(
                new VoidCharge(known + 1, "r", key(cdrs.get(random.nextInt(cdrs.size())))));
      } else {
        history = correct(history, randomBook(random));
      }
      assertThat(charges(history, cdrs)).isEqualTo(charges);
      assertThat(written(history, cdrs, known)).isEqualTo(written);
      written = written(history, cdrs, Long.MAX_VALUE);
    }
    assertThat(written.stream().flatMap(List::stream)).isNotEmpty();
  }

  private static List<String> charges(TariffHistory history, List<Cdr> cdrs) {
    return cdrs.stream().map(cdr -> charge(history, cdr)).toList();
  }

  private static List<List<String>> written(TariffHistory history, List<Cdr> cdrs, long upTo) {
    return cdrs.stream()
        .map(
            cdr ->
                history.revisions(cdr).stream()
                    .filter(revision -> revision.number() <= upTo)
                    .map(revision -> revision.number() + ": " + revision.total().amount())
                    .toList())
        .toList();
  }

  private static TariffBook randomBook(Random random) {
    long from = millis(JUNE) + random.nextInt(20 * 24) * 3_600_000L;
    long to = from + (1 + random.nextInt(10 * 24)) * 3_600_000L;
    String price = Integer.toString(2 + random.nextInt(1000));
    return files(
        p ->
            p.rate(
                    r ->
                        r.voice("+49", "Germany")
                            .perMinute("1")
                            .valid(new Validity(Long.MIN_VALUE, from)))
                .rate(r -> r.voice("+49", "Germany").perMinute(price).valid(new Validity(from, to)))
                .rate(
                    r ->
                        r.voice("+49", "Germany")
                            .perMinute("1")
                            .valid(new Validity(to, Long.MAX_VALUE))));
  }

  @Test
  void shouldSayThatNothingWasPublished() {
    assertThat(charge(TariffHistory.EMPTY, minute(JUNE))).isEqualTo(Reason.NO_PLAN.name());
    assertThat(TariffHistory.EMPTY.newest()).isEqualTo(Optional.empty());
  }
}
