package io.tollgate.domain.tariff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rating;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Prefixes, validity, assignments and versions. */
class PriceHistoryTest {
  private static final String MIDNIGHT = "2024-07-01T00:00:00Z";
  private static final Validity BEFORE = new Validity(Long.MIN_VALUE, millis(MIDNIGHT));
  private static final Validity SINCE = new Validity(millis(MIDNIGHT), Long.MAX_VALUE);

  @ParameterizedTest
  @CsvSource({
    "+4930123,2",
    "+49301,2",
    "+4930,2",
    "+493,1",
    "+49,1",
    "+1,9",
    "112,9",
    "+495,1",
    "'',9"
  })
  void shouldMatchTheLongestPrefix(String called, String expected) {
    TariffBook book =
        Calls.book(
            p ->
                p.rate(r -> r.voice("+49", "Germany").perSecond("1"))
                    .rate(r -> r.voice("+4930", "Berlin").perSecond("2"))
                    .rate(r -> r.voice("", "elsewhere").perSecond("9"))
                    .rate(r -> r.sms("+49301", "Berlin").perUnit("7")));
    assertThat(Calls.amount(book, Calls.call(called, MIDNIGHT, 1000)))
        .isEqualByComparingTo(expected);
  }

  @Test
  void shouldSuspendAnUnknownDestinationAndNeverPriceItAtZero() {
    TariffBook book = Calls.book(p -> p.rate(r -> r.voice("+49", "Germany").perSecond("1")));
    Rating.Unpriced call = Calls.unpriced(book, Calls.call("+331990012", MIDNIGHT, 1000));
    assertThat(call.reason()).isEqualTo(Reason.NO_DESTINATION);
    assertThat(call.detail()).contains("+331990012", "plan plan");
    Rating.Unpriced message =
        Calls.unpriced(book, Calls.usage(UsageType.SMS, "+4930", MIDNIGHT, 1));
    assertThat(message.reason()).isEqualTo(Reason.NO_DESTINATION);
  }

  @ParameterizedTest
  @CsvSource({"SPLIT,0.90", "CALL_START,0.60"})
  void shouldChangeThePriceInTheMiddleOfACallAsThePlanSays(PriceChange policy, String expected) {
    TariffBook book =
        Calls.book(
            p ->
                p.priceChange(policy)
                    .rate(r -> r.voice("", "a").perMinute("0.60").valid(BEFORE))
                    .rate(r -> r.voice("", "a").perMinute("1.20").valid(SINCE)));
    assertThat(Calls.amount(book, Calls.call("1", "2024-06-30T23:59:30Z", 60_000)))
        .isEqualByComparingTo(expected);
    // Half open: the first moment of the new price has the new price.
    assertThat(Calls.amount(book, Calls.call("1", MIDNIGHT, 1000))).isEqualByComparingTo("0.02");
    assertThat(Calls.amount(book, Calls.call("1", "2024-06-30T23:59:59.999Z", 1000)))
        .isEqualByComparingTo("0.01");
  }

  @Test
  void shouldKeepTheShorterPrefixUntilTheLongerOneIsPriced() {
    TariffBook book =
        Calls.book(
            p ->
                p.rate(r -> r.voice("+49", "Germany").perSecond("1"))
                    .rate(r -> r.voice("+4930", "Berlin").perSecond("2").valid(SINCE)));
    assertThat(Calls.amount(book, Calls.call("+49301", "2024-06-30T23:59:00Z", 1000)))
        .isEqualByComparingTo("1");
    Rating.Priced crossing =
        Calls.priced(book, Calls.call("+49301", "2024-06-30T23:59:50Z", 20_000));
    assertThat(crossing.amount()).isEqualByComparingTo("30");
    assertThat(crossing.prefix()).isEqualTo("+49");
  }

  @Test
  void shouldSuspendWhatIsNotPricedYetOrNoLonger() {
    TariffBook book =
        Calls.book(p -> p.rate(r -> r.voice("+49", "Germany").perSecond("1").valid(SINCE)));
    Rating.Unpriced before =
        Calls.unpriced(book, Calls.call("+49301", "2024-06-30T23:59:00Z", 1000));
    assertThat(before.reason()).isEqualTo(Reason.NO_PRICE_AT_START);
    assertThat(before.detail()).contains("'+49'", "2024-06-30T23:59:00Z");
  }

  @Test
  void shouldNameTheVersionThatIntroducedTheMatchedRate() {
    TariffBook book =
        Calls.book(
            p ->
                p.rate(r -> r.voice("", "a").perMinute("0.60").valid(BEFORE).version(3))
                    .rate(r -> r.voice("", "a").perMinute("1.20").valid(SINCE).version(5))
                    .rate(r -> r.voice("+44", "UK").perMinute("1")));
    assertThat(version(book, "1", "2024-06-30T12:00:00Z", 1000)).isEqualTo(3);
    assertThat(version(book, "1", "2024-07-01T12:00:00Z", 1000)).isEqualTo(5);
    assertThat(version(book, "1", "2024-06-30T23:59:59Z", 5000))
        .as("a call over the change needs the newer row")
        .isEqualTo(5);
    assertThat(version(book, "+44", "2024-07-01T12:00:00Z", 1000)).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({
    "110,0,Emergency",
    "1101,5,all",
    "+49800123,0,Toll-free",
    "+498001230,3,Premium",
    "+4980,5,all"
  })
  void shouldPriceFreeDestinationsAtZero(String called, String expected, String destination) {
    TariffBook book =
        Calls.book(
            p ->
                p.freeNumber("110", "Emergency")
                    .freePrefix("+49800", "Toll-free")
                    .rate(r -> r.voice("+498001230", "Premium").perSecond("3"))
                    .rate(r -> r.voice("", "all").perSecond("5").connectionFee("0")));
    Rating.Priced priced = Calls.priced(book, Calls.call(called, MIDNIGHT, 1000));
    assertThat(priced.amount()).isEqualByComparingTo(expected);
    assertThat(priced.destination()).isEqualTo(destination);
  }

  @ParameterizedTest
  @CsvSource({
    "acme-17,2024-07-01T00:00:00Z,exact",
    "acme-17,2024-06-30T23:59:59Z,prefix", // the exact assignment begins later
    "acme-18,2024-07-01T00:00:00Z,prefix",
    "acme-eu-1,2024-07-01T00:00:00Z,longer",
    "zenith,2024-07-01T00:00:00Z,default",
    "acme,2024-07-01T00:00:00Z,default"
  })
  void shouldFindThePlanOfTheAccount(String account, String start, String plan) {
    TariffBookBuilder builder = TariffBook.builder(1);
    for (String name : new String[] {"exact", "prefix", "longer", "default"}) {
      builder.plan(name, p -> p.rate(r -> r.voice("", "all").perSecond("1")));
    }
    TariffBook book =
        builder
            .assign(Assignment.Kind.ACCOUNT, "acme-17", "exact", SINCE)
            .assign(Assignment.Kind.ACCOUNT_PREFIX, "acme-", "prefix", Validity.ALWAYS)
            .assign(Assignment.Kind.ACCOUNT_PREFIX, "acme-eu", "longer", Validity.ALWAYS)
            .assignDefault("default")
            .build();
    Rating rating = book.rate(Calls.of(account, UsageType.VOICE, "1", millis(start), 1000));
    assertThat(((Rating.Priced) rating).plan()).isEqualTo(plan);
  }

  @Test
  void shouldSuspendAnAccountWithoutPlan() {
    TariffBook book =
        TariffBook.builder(4)
            .plan("plan", p -> p.rate(r -> r.voice("", "all").perSecond("1")))
            .assign(Assignment.Kind.DEFAULT, "", "plan", SINCE)
            .build();
    Rating.Unpriced before = Calls.unpriced(book, Calls.call("1", "2024-06-30T23:59:59Z", 0));
    assertThat(before.reason()).isEqualTo(Reason.NO_PLAN);
    assertThat(before.detail()).contains("'account'", "version 4");
  }

  @Test
  void shouldRefuseAmbiguousPricesAndNameThemAll() {
    assertThatThrownBy(
            () ->
                TariffBook.builder(1)
                    .plan(
                        "plan",
                        p ->
                            p.rate(r -> r.voice("+49", "a").perSecond("1"))
                                .rate(r -> r.voice("+49", "b").perSecond("2").validFrom(MIDNIGHT))
                                .rate(r -> r.voice("+44", "c").from(60_000).perSecond("2")))
                    .assignAccount("x", "nowhere")
                    .assignDefault("plan")
                    .assignDefault("plan")
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'+49' band ''")
        .hasMessageContaining("step from 0 twice")
        .hasMessageContaining("'+44' band ''")
        .hasMessageContaining("first step from 60000 (expected: from 0)")
        .hasMessageContaining("plan 'nowhere' (expected: a plan of the book)")
        .hasMessageContaining("overlaps");
  }

  @Test
  void shouldHaveTheSameDigestWhateverTheVersionAndOrder() {
    TariffBook one =
        TariffBook.builder(1)
            .plan(
                "p",
                p ->
                    p.rate(r -> r.voice("+49", "a").perSecond("1.0"))
                        .rate(r -> r.voice("+44", "b").perSecond("2")))
            .assignDefault("p")
            .build();
    TariffBook other =
        TariffBook.builder(2)
            .plan(
                "p",
                p ->
                    p.rate(r -> r.voice("+44", "b").perSecond("2"))
                        .rate(r -> r.voice("+49", "a").perSecond("1.000")))
            .assignDefault("p")
            .build();
    TariffBook dearer =
        TariffBook.builder(1)
            .plan(
                "p",
                p ->
                    p.rate(r -> r.voice("+49", "a").perSecond("1.1"))
                        .rate(r -> r.voice("+44", "b").perSecond("2")))
            .assignDefault("p")
            .build();
    assertThat(one.digest()).hasSize(64).isEqualTo(other.digest()).isNotEqualTo(dearer.digest());
  }

  private static long version(TariffBook book, String called, String start, long usage) {
    return Calls.priced(book, Calls.call(called, start, usage)).tariffVersion();
  }

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }
}
