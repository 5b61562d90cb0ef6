package io.tollgate.domain.tariff;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rating;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bands by the plan's clock, and calls that cross them: the tables of the javadoc, row by row. */
class BandsTest {
  private static final int HOUR = 3600;

  /** Peak on workdays from 8 to 18, off-peak else, holidays off-peak all day; over midnight. */
  private static TariffBook workdays(String zone) {
    return TariffBook.builder(1)
        .calendar("holidays", Map.of(LocalDate.of(2024, 10, 3), "Unity Day"))
        .plan(
            "plan",
            p ->
                p.zone(zone)
                    .band(
                        "peak", When.ALWAYS.onWeekdays(1, 2, 3, 4, 5).between(8 * HOUR, 18 * HOUR))
                    .band(
                        "off-peak",
                        When.ALWAYS.onWeekdays(1, 2, 3, 4, 5).between(18 * HOUR, 8 * HOUR),
                        When.ALWAYS.onWeekdays(6, 7),
                        When.ALWAYS.onWeekdays(1).between(0, 8 * HOUR),
                        When.ALWAYS.onCalendars(List.of("holidays")).withPriority(10))
                    .rate(r -> r.voice("", "all").band("peak").perSecond("2"))
                    .rate(r -> r.voice("", "all").band("off-peak").perSecond("1")))
        .assignDefault("plan")
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    // start (UTC), seconds, cost with 2 a second in peak and 1 off-peak, Europe/Berlin
    "2024-06-05T05:59:50Z,20,30", // Wednesday 07:59:50 local: 10 s off-peak, 10 s peak
    "2024-06-05T15:59:50Z,20,30", // into the evening
    "2024-06-05T06:00:00Z,10,20", // answered at the moment the band changes
    "2024-06-05T15:59:59Z,1,2", // the last second of peak
    "2024-06-05T16:00:00Z,1,1",
    "2024-06-07T21:59:50Z,20,20", // Friday over midnight into Saturday
    "2024-06-09T21:59:50Z,20,20", // Sunday over midnight into Monday
    "2024-06-10T05:59:50Z,20,30", // Monday 07:59:50
    "2024-10-02T15:00:00Z,10,20", // the eve of a holiday
    "2024-10-03T10:00:00Z,10,10", // the holiday wins over the weekday
    "2024-10-02T21:59:50Z,20,20", // over midnight into the holiday
    "2024-10-03T21:59:50Z,20,20" // out of the holiday into the night
  })
  void shouldApplyTheBandOfThePlansClock(String start, long seconds, String expected) {
    assertThat(Calls.amount(workdays("Europe/Berlin"), Calls.call("1", start, seconds * 1000)))
        .isEqualByComparingTo(expected);
  }

  @Test
  void shouldLetThePlansZoneDecide() {
    // 20:00 UTC on a Wednesday is evening in Berlin and 16:00 in New York.
    assertThat(
            Calls.amount(workdays("Europe/Berlin"), Calls.call("1", "2024-06-05T20:00:00Z", 1000)))
        .isEqualByComparingTo("1");
    assertThat(
            Calls.amount(
                workdays("America/New_York"), Calls.call("1", "2024-06-05T20:00:00Z", 1000)))
        .isEqualByComparingTo("2");
  }

  @ParameterizedTest
  @CsvSource({"INCREMENT_START,2.5,60,30", "SPLIT_AND_ROUND,3.5,60,90", "CALL_START,4,120,0"})
  void shouldCrossBandsAsThePlanSays(
      BandCrossing policy, String expected, long peakSeconds, long offPeakSeconds) {
    TariffBook book =
        Calls.book(
            p ->
                p.bandCrossing(policy)
                    .band("peak", When.ALWAYS.between(8 * HOUR, 19 * HOUR))
                    .band("off-peak", When.ALWAYS.between(19 * HOUR, 8 * HOUR))
                    .rate(r -> r.voice("", "a").band("peak").perMinute("2").increments(60, 60))
                    .rate(
                        r -> r.voice("", "a").band("off-peak").perMinute("1").increments(30, 30)));
    Rating.Priced priced = Calls.priced(book, Calls.call("1", "2015-06-01T18:59:59Z", 62_000));
    assertThat(priced.amount()).isEqualByComparingTo(expected);
    assertThat(priced.chargedUsage()).isEqualTo((peakSeconds + offPeakSeconds) * 1000);
  }

  @ParameterizedTest
  @CsvSource({"SPLIT_AND_ROUND,4", "INCREMENT_START,2.0166666667"})
  void shouldRoundBlocksOfEachPartOrOfTheWholeCall(BandCrossing policy, String expected) {
    // 18:59:59 for 62 s. Split: 1 s is 60 s of peak, 61 s are 120 s of off-peak. Whole: 120 s, of
    // which one lies in peak.
    TariffBook book =
        Calls.book(
            p ->
                p.rounding(java.math.RoundingMode.HALF_UP, 10)
                    .bandCrossing(policy)
                    .increments(IncrementMeaning.BLOCKS_OF_TOTAL)
                    .band("peak", When.ALWAYS.between(8 * HOUR, 19 * HOUR))
                    .band("off-peak", When.ALWAYS.between(19 * HOUR, 8 * HOUR))
                    .rate(r -> r.voice("", "a").band("peak").perMinute("2").increments(60, 60))
                    .rate(
                        r -> r.voice("", "a").band("off-peak").perMinute("1").increments(60, 60)));
    Rating.Priced priced = Calls.priced(book, Calls.call("1", "2015-06-01T18:59:59Z", 62_000));
    assertThat(priced.amount()).isEqualByComparingTo(expected);
  }

  @Test
  void shouldSplitALongCallWhereBandsChange() {
    TariffBook book =
        Calls.book(
            p ->
                p.band("morning", When.ALWAYS.between(0, 8 * HOUR))
                    .band("day", When.ALWAYS.between(8 * HOUR, 19 * HOUR))
                    .band("evening", When.ALWAYS.between(19 * HOUR, 24 * HOUR))
                    .rate(r -> r.voice("", "a").band("morning").perSecond("1"))
                    .rate(r -> r.voice("", "a").band("day").perSecond("2"))
                    .rate(r -> r.voice("", "a").band("evening").perSecond("3")));
    long millis =
        Instant.parse("2010-01-22T08:10:01Z").toEpochMilli()
            - Instant.parse("2010-01-20T07:50:00Z").toEpochMilli();
    Rating.Priced priced = Calls.priced(book, Calls.call("1", "2010-01-20T07:50:00Z", millis));
    assertThat(priced.steps().stream().map(step -> step.usage() / 1000))
        .containsExactly(600L, 39_600L, 18_000L, 28_800L, 39_600L, 18_000L, 28_800L, 601L);
    assertThat(priced.chargedUsage()).isEqualTo(174_001_000);
  }

  @ParameterizedTest
  @CsvSource({
    // Europe/Vienna, night 00:00-02:30 at 1 a second, day at 2
    "2015-03-29T00:59:50Z,20,30,missing hour: night ends at the jump",
    "2015-03-29T00:30:00Z,3600,5400,half an hour of night and half an hour of day",
    "2015-10-25T00:29:50Z,20,30,first 02:30: night ends",
    "2015-10-25T00:59:50Z,20,30,the clock goes back: night again",
    "2015-10-25T01:29:50Z,20,30,second 02:30: night ends for good",
    "2015-10-24T22:00:00Z,14400,18000,four elapsed hours: 2:30 + 0:30 night of them three",
    "2015-03-28T23:00:00Z,14400,21600,four elapsed hours: two of them night"
  })
  void shouldFollowTheClockThroughDaylightSavingTime(
      String start, long seconds, String expected, String why) {
    TariffBook book =
        Calls.book(
            p ->
                p.zone("Europe/Vienna")
                    .band("night", When.ALWAYS.between(0, 9000))
                    .band("day", When.ALWAYS.between(9000, 24 * HOUR))
                    .rate(r -> r.voice("", "a").band("night").perSecond("1"))
                    .rate(r -> r.voice("", "a").band("day").perSecond("2")));
    Rating.Priced priced = Calls.priced(book, Calls.call("1", start, seconds * 1000));
    assertThat(priced.amount()).as(why).isEqualByComparingTo(expected);
    assertThat(priced.chargedUsage()).isEqualTo(seconds * 1000);
  }

  @ParameterizedTest
  @CsvSource({
    // weekdays against a date of higher priority, by month, day and year
    "2015-05-01T13:30:00Z,3", "2015-05-04T13:30:00Z,1", "2015-05-02T13:30:00Z,2",
    "2016-05-01T13:30:00Z,2", "2015-06-01T13:30:00Z,1", "2015-12-24T13:30:00Z,4"
  })
  void shouldLetTheHighestPriorityWin(String start, String expected) {
    TariffBook book =
        Calls.book(
            p ->
                p.band("workday", When.ALWAYS.onWeekdays(1, 2, 3, 4, 5))
                    .band("weekend", When.ALWAYS.onWeekdays(6, 7))
                    .band(
                        "may day 2015",
                        When.ALWAYS
                            .inMonths(5)
                            .onMonthDays(1)
                            .inYears(List.of(2015))
                            .withPriority(20))
                    .band(
                        "christmas eve",
                        When.ALWAYS.onDates(List.of(LocalDate.of(2015, 12, 24))).withPriority(20))
                    .rate(r -> r.voice("", "a").band("workday").perSecond("1"))
                    .rate(r -> r.voice("", "a").band("weekend").perSecond("2"))
                    .rate(r -> r.voice("", "a").band("may day 2015").perSecond("3"))
                    .rate(r -> r.voice("", "a").band("christmas eve").perSecond("4")));
    assertThat(Calls.amount(book, Calls.call("1", start, 1000))).isEqualByComparingTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"07:00,9", "09:00,1", "12:00,2", "13:30,1"})
  void shouldLetTheBandThatBeganLastWinAmongEquals(String time, String expected) {
    TariffBook book =
        Calls.book(
            p ->
                p.band("day", When.ALWAYS.between(8 * HOUR, 24 * HOUR))
                    .band("noon", When.ALWAYS.between(12 * HOUR, 13 * HOUR))
                    .rate(r -> r.voice("", "a").band("day").perSecond("1"))
                    .rate(r -> r.voice("", "a").band("noon").perSecond("2"))
                    .rate(r -> r.voice("", "a").perSecond("9")));
    String start = "2024-06-05T" + LocalTime.parse(time) + ":00Z";
    assertThat(Calls.amount(book, Calls.call("1", start, 1000))).isEqualByComparingTo(expected);
  }

  @Test
  void shouldSuspendWhatNoBandPrices() {
    TariffBook book =
        Calls.book(
            p ->
                p.band("workday", When.ALWAYS.onWeekdays(1, 2, 3, 4, 5))
                    .rate(r -> r.voice("1", "a").band("workday").perSecond("1"))
                    .rate(r -> r.voice("", "all").perSecond("5")));
    Rating.Unpriced atStart = Calls.unpriced(book, Calls.call("12", "2024-06-08T12:00:00Z", 1000));
    assertThat(atStart.reason()).isEqualTo(Reason.NO_PRICE_AT_START);
    assertThat(atStart.detail()).contains("prefix '1'", "2024-06-08T12:00:00Z");
    Rating.Unpriced inside = Calls.unpriced(book, Calls.call("12", "2024-06-07T23:59:50Z", 20_000));
    assertThat(inside.reason()).isEqualTo(Reason.NO_PRICE_AT_START);
    assertThat(inside.detail()).contains("none from 2024-06-08T00:00:00Z on");
  }

  @Test
  void shouldNotSplitOtherUsageByTime() {
    TariffBook book =
        Calls.book(
            p ->
                p.band("night", When.ALWAYS.between(0, HOUR))
                    .rate(
                        r ->
                            r.of(io.tollgate.domain.cdr.UsageType.DATA, "", "a")
                                .band("night")
                                .perUnit("1")));
    assertThat(
            Calls.amount(
                book,
                Calls.usage(
                    io.tollgate.domain.cdr.UsageType.DATA, "", "2024-06-05T00:59:59Z", 5_000_000)))
        .isEqualByComparingTo("5000000");
  }
}
