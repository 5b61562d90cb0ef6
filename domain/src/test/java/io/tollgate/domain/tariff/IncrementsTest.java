package io.tollgate.domain.tariff;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.rating.Rating;
import java.math.RoundingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Increments, steps, fees, free usage and limits: the tables of the javadoc, row by row. */
class IncrementsTest {
  private static final String NOON = "2024-06-05T12:00:00Z";

  private static String cost(TariffBook book, long seconds) {
    return Calls.amount(book, Calls.call("+441", NOON, seconds * 1000))
        .stripTrailingZeros()
        .toPlainString();
  }

  @ParameterizedTest
  @CsvSource({"0,0", "1,1", "59,1", "60,1", "61,2", "119,2", "999999,16667"})
  void shouldBillStartedMinutes(long seconds, String expected) {
    TariffBook book =
        Calls.book(p -> p.rate(r -> r.voice("+44", "UK").perMinute("1").increments(60, 60)));
    assertThat(cost(book, seconds)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"59,1", "60,1", "61,1.1", "999999,1667.6"})
  void shouldBillFirstMinuteAtItsOwnPrice(long seconds, String expected) {
    TariffBook book =
        Calls.book(
            p ->
                p.rate(r -> r.voice("+44", "UK").perMinute("1").increments(60, 60))
                    .rate(
                        r ->
                            r.voice("+44", "UK").from(60_000).perMinute("0.1").increments(60, 60)));
    assertThat(cost(book, seconds)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"60,1", "61,1.5", "89,1.5", "91,2", "119,2"})
  void shouldBillMinuteThenHalfMinutes(long seconds, String expected) {
    TariffBook book =
        Calls.book(p -> p.rate(r -> r.voice("+44", "UK").perMinute("1").increments(60, 30)));
    assertThat(cost(book, seconds)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "INITIAL_THEN_NEXT,20,0.03",
    "INITIAL_THEN_NEXT,31,0.09",
    "INITIAL_THEN_NEXT,61,0.09",
    "INITIAL_THEN_NEXT,91,0.15",
    "BLOCKS_OF_TOTAL,20,0.03",
    "BLOCKS_OF_TOTAL,31,0.06",
    "BLOCKS_OF_TOTAL,61,0.12",
    "BLOCKS_OF_TOTAL,91,0.12"
  })
  void shouldReadIncrementsAsThePlanSays(IncrementMeaning meaning, long seconds, String expected) {
    TariffBook book =
        Calls.book(
            p ->
                p.increments(meaning)
                    .rate(r -> r.voice("+44", "UK").perMinute("0.06").increments(30, 60)));
    assertThat(cost(book, seconds)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"1,0.003", "30,0.003", "31,0.0036", "32,0.0036", "75,0.0078"})
  void shouldBillThirtyThenSix(long seconds, String expected) {
    TariffBook book =
        Calls.book(p -> p.rate(r -> r.voice("+44", "UK").perMinute("0.006").increments(30, 6)));
    assertThat(cost(book, seconds)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "GRADUATED,0,2", "GRADUATED,1,12", "GRADUATED,10,102", "GRADUATED,11,110",
    "VOLUME,0,2", "VOLUME,1,12", "VOLUME,10,102", "VOLUME,11,58"
  })
  void shouldApplyStepsAsThePlanSays(StepMeaning meaning, long units, String expected) {
    TariffBook book =
        Calls.book(
            p ->
                p.steps(meaning)
                    .rate(r -> r.of(UsageType.EVENT, "", "e").perUnit("10").stepFee("2"))
                    .rate(r -> r.of(UsageType.EVENT, "", "e").from(10).perUnit("5").stepFee("3"))
                    .rate(r -> r.of(UsageType.EVENT, "", "e").from(20).perUnit("5").stepFee("3")));
    assertThat(Calls.amount(book, Calls.usage(UsageType.EVENT, "", NOON, units)))
        .isEqualByComparingTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0,10", "100,210", "101,101", "300,200"})
  void shouldPriceWholeVolumeAtItsTier(long units, String expected) {
    TariffBook book =
        Calls.book(
            p ->
                p.steps(StepMeaning.VOLUME)
                    .rate(r -> r.of(UsageType.EVENT, "", "e").perUnit("2").stepFee("10"))
                    .rate(r -> r.of(UsageType.EVENT, "", "e").from(100).perUnit("1"))
                    .rate(
                        r ->
                            r.of(UsageType.EVENT, "", "e").from(200).perUnit("0.5").stepFee("50")));
    assertThat(Calls.amount(book, Calls.usage(UsageType.EVENT, "", NOON, units)))
        .isEqualByComparingTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    // milliseconds used, billed in seconds, billed in milliseconds
    "0,0,0",
    "1,0.0100,0.00001",
    "400,0.0100,0.004",
    "1000,0.0100,0.01",
    "1001,0.0200,0.01001"
  })
  void shouldRoundUsageUpToSecondsUnlessThePlanSaysMilliseconds(
      long millis, String inSeconds, String inMilliseconds) {
    TariffBook seconds =
        Calls.book(
            p ->
                p.rounding(RoundingMode.HALF_UP, 5)
                    .rate(r -> r.voice("", "all").perSecond("0.01").rawIncrements(1, 1)));
    TariffBook milliseconds =
        Calls.book(
            p ->
                p.rounding(RoundingMode.HALF_UP, 5)
                    .inMilliseconds()
                    .rate(r -> r.voice("", "all").perSecond("0.01").rawIncrements(1, 1)));
    assertThat(Calls.amount(seconds, Calls.call("1", NOON, millis)))
        .isEqualByComparingTo(inSeconds);
    assertThat(Calls.amount(milliseconds, Calls.call("1", NOON, millis)))
        .isEqualByComparingTo(inMilliseconds);
  }

  @ParameterizedTest
  @CsvSource({
    // 60 s free, then 60/1 at 0.6 a minute, fee 0.1
    "0,0",
    "1,0.1",
    "60,0.1",
    "61,0.7",
    "120,0.7",
    "121,0.71"
  })
  void shouldTakeFreeSecondsOffTheBeginning(long seconds, String expected) {
    TariffBook book =
        Calls.book(
            p ->
                p.rate(
                    r ->
                        r.voice("", "all")
                            .perMinute("0.6")
                            .increments(60, 1)
                            .free(60_000)
                            .connectionFee("0.1")));
    assertThat(cost(book, seconds)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    // 0.25 a started minute, fee 0, maximum 0.60, minimum 0.30
    "CAP,0,0,0",
    "CAP,1,0.3,60",
    "CAP,120,0.5,120",
    "CAP,121,0.6,180",
    "CAP,200,0.6,240",
    "DISCONNECT,0,0,0",
    "DISCONNECT,1,0.3,60",
    "DISCONNECT,120,0.5,120",
    "DISCONNECT,121,0.5,120",
    "DISCONNECT,200,0.5,120"
  })
  void shouldKeepToMinimumAndMaximum(
      MaximumPolicy policy, long seconds, String expected, long billedSeconds) {
    TariffBook book =
        Calls.book(
            p ->
                p.rate(
                    r ->
                        r.voice("", "all")
                            .perMinute("0.25")
                            .increments(60, 60)
                            .minimum("0.30")
                            .maximum("0.60", policy)));
    Rating.Priced priced = Calls.priced(book, Calls.call("1", NOON, seconds * 1000));
    assertThat(priced.amount()).isEqualByComparingTo(expected);
    assertThat(priced.chargedUsage()).isEqualTo(billedSeconds * 1000);
    assertThat(sumOfSteps(priced)).isEqualByComparingTo(priced.unroundedAmount());
  }

  @Test
  void shouldCutInTheStepThatReachesTheMaximum() {
    TariffBook book =
        Calls.book(
            p ->
                p.rate(
                        r ->
                            r.voice("", "all")
                                .perSecond("0.01")
                                .connectionFee("0.1")
                                .maximum("1", MaximumPolicy.DISCONNECT))
                    .rate(r -> r.voice("", "all").from(60_000).perSecond("0.04").stepFee("0.05")));
    // 0.1 + 60 x 0.01 + 0.05 = 0.75, then 6 seconds at 0.04 fit into 1
    Rating.Priced priced = Calls.priced(book, Calls.call("1", NOON, 100_000));
    assertThat(priced.amount()).isEqualByComparingTo("0.99");
    assertThat(priced.chargedUsage()).isEqualTo(66_000);
    assertThat(sumOfSteps(priced)).isEqualByComparingTo("0.99");
  }

  @Test
  void shouldNotCutAnIncrementThatExactlyReachesTheMaximum() {
    TariffBook book =
        Calls.book(
            p ->
                p.rate(
                    r ->
                        r.voice("", "all")
                            .perMinute("0.1")
                            .maximum("0.2", MaximumPolicy.DISCONNECT)));
    Rating.Priced priced = Calls.priced(book, Calls.call("1", NOON, 500_000));
    assertThat(priced.amount()).isEqualByComparingTo("0.2");
    assertThat(priced.chargedUsage()).isEqualTo(120_000);
  }

  @ParameterizedTest
  @CsvSource({
    // type, usage, amount
    "SMS,1,0.07", "SMS,3,0.21", "SMS,0,0", "MMS,2,0.5",
    // 10 kB decimal at 0.001
    "DATA,1,0.001", "DATA,10000,0.001", "DATA,10001,0.002", "DATA,0,0",
    // flat, plus 0 a piece
    "EVENT,0,1.5", "EVENT,1,1.5", "EVENT,9,1.5"
  })
  void shouldPriceOtherUsageByItsUnit(UsageType type, long usage, String expected) {
    TariffBook book =
        Calls.book(
            p ->
                p.rate(r -> r.of(UsageType.SMS, "", "all").perUnit("0.07"))
                    .rate(r -> r.of(UsageType.MMS, "", "all").perUnit("0.25"))
                    .rate(
                        r ->
                            r.of(UsageType.DATA, "", "all")
                                .rate("0.001")
                                .per(10_000)
                                .rawIncrements(10_000, 10_000))
                    .rate(r -> r.of(UsageType.EVENT, "", "all").connectionFee("1.5")));
    assertThat(Calls.amount(book, Calls.usage(type, "x", NOON, usage)))
        .isEqualByComparingTo(expected);
  }

  @Test
  void shouldChargeNoFeeForAnUnansweredCall() {
    TariffBook book =
        Calls.book(
            p ->
                p.rounding(RoundingMode.HALF_UP, 2)
                    .rate(
                        r -> r.voice("+44", "UK").perMinute("1").connectionFee("5").minimum("9")));
    Rating.Priced known = Calls.priced(book, Calls.call("+441", NOON, 0));
    assertThat(known.amount().toPlainString()).isEqualTo("0.00");
    assertThat(known.prefix()).isEqualTo("+44");
    assertThat(known.steps()).isEmpty();
    // A misdialled number has no destination, and cost nothing either.
    Rating.Priced unknown = Calls.priced(book, Calls.call("999", NOON, 0));
    assertThat(unknown.amount().toPlainString()).isEqualTo("0.00");
    assertThat(unknown.prefix()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    // rate per minute, seconds, mode, decimals, amount
    "0.05,60,UP,4,0.0500", // not 60 x 0.00083 rounded
    "0.05,37,HALF_UP,4,0.0308",
    "0.05,37,UP,4,0.0309",
    "0.05,37,DOWN,4,0.0308",
    "0.05,37,HALF_UP,0,0",
    "1000000,3600,HALF_UP,2,60000000.00", // far above 1,000
    "0.0000001,1,UP,10,0.0000000017",
    "0.0000001,60,HALF_UP,7,0.0000001",
    "0.0000001,60,HALF_UP,2,0.00",
    "150,61,HALF_UP,0,153", // a currency without decimals: 152.5
    "150,61,HALF_EVEN,0,152",
    "150,61,HALF_DOWN,0,152",
    "0.0125,60,HALF_EVEN,3,0.012", // a currency with three
    "0.0125,60,HALF_UP,3,0.013",
    "0.6,120,UP,20,1.20000000000000000000",
    "123456789012345.12345678901234567890,60,HALF_UP,20,123456789012345.12345678901234567890"
  })
  void shouldRoundTheExactSumOnceToExactlyTheDecimals(
      String rate, long seconds, RoundingMode mode, int decimals, String expected) {
    TariffBook book =
        Calls.book(p -> p.rounding(mode, decimals).rate(r -> r.voice("", "all").perMinute(rate)));
    assertThat(Calls.amount(book, Calls.call("1", NOON, seconds * 1000)).toPlainString())
        .isEqualTo(expected);
  }

  @Test
  void shouldExplainWhatWasBilled() {
    TariffBook book =
        Calls.book(
            p ->
                p.rate(
                        r ->
                            r.voice("+44", "UK")
                                .perMinute("0.6")
                                .increments(60, 60)
                                .connectionFee("0.1"))
                    .rate(
                        r -> r.voice("+44", "UK").from(60_000).perMinute("0.05").increments(1, 1)));
    Rating.Priced priced = Calls.priced(book, Calls.call("+44770", NOON, 97_000));
    assertThat(priced.plan()).isEqualTo("plan");
    assertThat(priced.tariffVersion()).isEqualTo(7);
    assertThat(priced.prefix()).isEqualTo("+44");
    assertThat(priced.destination()).isEqualTo("UK");
    assertThat(priced.currency()).isEqualTo("EUR");
    assertThat(priced.chargedUsage()).isEqualTo(97_000);
    assertThat(priced.steps().stream().map(Rating.Step::what))
        .containsExactly("connection fee", "any time from 0 s", "any time from 60 s");
    assertThat(priced.steps().stream().map(Rating.Step::usage))
        .containsExactly(0L, 60_000L, 37_000L);
    // The part without an end is cut, the amount is rounded from the exact sum.
    assertThat(priced.unroundedAmount().toPlainString()).isEqualTo("0.730833333333333");
    assertThat(priced.amount().toPlainString()).isEqualTo("0.7308");
  }

  private static java.math.BigDecimal sumOfSteps(Rating.Priced priced) {
    return priced.steps().stream()
        .map(Rating.Step::amount)
        .reduce(java.math.BigDecimal.ZERO, java.math.BigDecimal::add);
  }
}
