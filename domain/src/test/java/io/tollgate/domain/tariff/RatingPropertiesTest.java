package io.tollgate.domain.tariff;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.rating.Rating;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every tariff and every call; each seed makes some of both. */
class RatingPropertiesTest {
  private static final int TARIFFS = 60;
  private static final int CALLS = 40;
  private static final String[] ZONES = {
    "Europe/Vienna", "America/New_York", "UTC", "Asia/Kolkata", "Australia/Lord_Howe"
  };

  /** Around changes of the clock, holidays, months and years. */
  private static final String[] MOMENTS = {
    "2015-03-29T01:00:00Z", "2015-10-25T01:00:00Z", "2015-03-08T07:00:00Z", "2015-11-01T06:00:00Z",
    "2015-04-04T15:00:00Z", "2015-01-01T00:00:00Z", "2015-12-24T12:00:00Z", "2016-02-29T00:00:00Z"
  };

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldCostWhatASecondBySecondRaterSays(long seed) {
    Random random = new Random(seed);
    int priced = 0;
    for (int t = 0; t < TARIFFS; t++) {
      TariffBook book = book(random, false);
      RatePlan plan = book.plans().get(0);
      Map<String, HolidayCalendar> calendars = new HashMap<>();
      book.calendars().forEach(calendar -> calendars.put(calendar.name(), calendar));
      NaiveRater naive = new NaiveRater(plan, calendars);
      for (int c = 0; c < CALLS; c++) {
        long start = start(random);
        long usage = usage(random);
        Rating rating = book.rate(call(start, usage));
        Optional<BigDecimal> expected = naive.amount(start, usage);
        String what =
            "tariff " + t + ", call " + c + " at " + start + " for " + usage + ": " + plan;
        if (expected.isEmpty()) {
          assertThat(rating).as(what).isInstanceOf(Rating.Unpriced.class);
        } else {
          assertThat(rating).as(what).isInstanceOf(Rating.Priced.class);
          assertThat(((Rating.Priced) rating).amount()).as(what).isEqualTo(expected.get());
          priced++;
        }
      }
    }
    assertThat(priced).isGreaterThan(TARIFFS * CALLS / 2);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13})
  void shouldNeverCostLessForALongerCall(long seed) {
    Random random = new Random(seed);
    for (int t = 0; t < TARIFFS; t++) {
      // Splitting and rounding each part is monotone too; reaching a volume step is not.
      TariffBook book = book(random, true);
      long start = start(random);
      BigDecimal before = BigDecimal.ZERO;
      for (long seconds = 0; seconds < 600; seconds += 1 + random.nextInt(20)) {
        Rating rating = book.rate(call(start, seconds * 1000));
        if (rating instanceof Rating.Priced priced) {
          assertThat(priced.amount())
              .as("tariff %d, %d s at %d: %s", t, seconds, start, book.plans())
              .isGreaterThanOrEqualTo(before);
          before = priced.amount();
        }
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {21, 22, 23})
  void shouldCostTheSameWhenSplitAtAnIncrement(long seed) {
    Random random = new Random(seed);
    for (int t = 0; t < TARIFFS; t++) {
      int increment = 1 + random.nextInt(90);
      String rate = decimal(random);
      TariffBook book =
          Calls.book(
              p ->
                  p.rounding(RoundingMode.HALF_UP, 20)
                      .rate(
                          r ->
                              r.voice("", "a")
                                  .rate(rate)
                                  .per(1000)
                                  .increments(increment, increment)));
      for (int c = 0; c < CALLS; c++) {
        long start = start(random);
        long first = increment * 1000L * (1 + random.nextInt(50));
        long rest = usage(random);
        BigDecimal whole = Calls.amount(book, call(start, first + rest));
        BigDecimal parts =
            Calls.amount(book, call(start, first))
                .add(Calls.amount(book, call(start + first, rest)));
        assertThat(whole).isEqualByComparingTo(parts);
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {31, 32, 33})
  void shouldAddUpToItsSteps(long seed) {
    Random random = new Random(seed);
    for (int t = 0; t < TARIFFS; t++) {
      TariffBook book = book(random, false);
      for (int c = 0; c < CALLS; c++) {
        if (book.rate(call(start(random), usage(random))) instanceof Rating.Priced priced) {
          BigDecimal sum =
              priced.steps().stream()
                  .map(Rating.Step::amount)
                  .reduce(BigDecimal.ZERO, BigDecimal::add);
          BigDecimal cut = new BigDecimal("1e-13"); // each step may be cut after 15 decimals
          assertThat(sum.subtract(priced.unroundedAmount()).abs()).isLessThan(cut);
          long usage = priced.steps().stream().mapToLong(Rating.Step::usage).sum();
          assertThat(usage).isEqualTo(priced.chargedUsage());
          assertThat(priced.amount().scale()).isEqualTo(book.plans().get(0).decimals());
        }
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {41, 42})
  void shouldNotDependOnTheOrderOfRows(long seed) {
    Random random = new Random(seed);
    for (int t = 0; t < TARIFFS; t++) {
      TariffBook book = book(random, false);
      RatePlan plan = book.plans().get(0);
      List<RateRow> shuffled = new ArrayList<>(plan.rates());
      Collections.shuffle(shuffled, random);
      TariffBook other =
          new TariffBook(
              book.version(),
              List.of(
                  new RatePlan(
                      plan.name(),
                      plan.currency(),
                      plan.zone(),
                      plan.roundingMode(),
                      plan.decimals(),
                      plan.bandCrossing(),
                      plan.incrementMeaning(),
                      plan.priceChange(),
                      plan.stepMeaning(),
                      plan.milliseconds(),
                      plan.bands(),
                      plan.freeDestinations(),
                      shuffled,
                      plan.version())),
              book.calendars(),
              book.assignments());
      assertThat(other.digest()).isEqualTo(book.digest());
      for (int c = 0; c < CALLS; c++) {
        long start = start(random);
        long usage = usage(random);
        assertThat(other.rate(call(start, usage))).isEqualTo(book.rate(call(start, usage)));
      }
    }
  }

  // ------------------------------------------------------------------ random tariffs and calls

  private static TariffBook book(Random random, boolean isMonotone) {
    int bandCount = random.nextInt(4);
    return TariffBook.builder(1)
        .calendar(
            "days",
            Map.of(
                LocalDate.of(2015, 1, 1),
                "",
                LocalDate.of(2015, 12, 24),
                "",
                LocalDate.of(2015, 3, 29),
                ""))
        .plan(
            "plan",
            p -> {
              p.zone(ZONES[random.nextInt(ZONES.length)])
                  .rounding(
                      List.of(RoundingMode.HALF_UP, RoundingMode.UP, RoundingMode.HALF_EVEN)
                          .get(random.nextInt(3)),
                      random.nextInt(7))
                  .priceChange(random.nextBoolean() ? PriceChange.SPLIT : PriceChange.CALL_START)
                  .bandCrossing(List.of(BandCrossing.values()).get(random.nextInt(3)));
              List<String> names = new ArrayList<>();
              if (bandCount == 0 || random.nextInt(4) > 0) {
                names.add("");
              }
              for (int b = 0; b < bandCount; b++) {
                names.add("band" + b);
                p.band("band" + b, when(random), when(random));
              }
              for (String name : names) {
                rates(random, p, name, isMonotone);
              }
              return p;
            })
        .assignDefault("plan")
        .build();
  }

  /** Two prices, one after the other at one of the moments, each with up to three steps. */
  private static void rates(
      Random random, TariffBookBuilder.PlanBuilder p, String band, boolean isMonotone) {
    Instant change = Instant.parse(MOMENTS[random.nextInt(MOMENTS.length)]);
    boolean changes = random.nextBoolean();
    List<Validity> validities =
        changes
            ? List.of(new Validity(Long.MIN_VALUE, change.toEpochMilli()), Validity.since(change))
            : List.of(Validity.ALWAYS);
    for (Validity validity : validities) {
      int from = 0;
      int steps = 1 + random.nextInt(3);
      for (int s = 0; s < steps; s++) {
        long stepStart = from * 1000L;
        int initial = 1 + random.nextInt(s == 0 ? 90 : 30);
        int next = random.nextBoolean() ? initial : 1 + random.nextInt(60);
        boolean isFirst = s == 0;
        p.rate(
            r -> {
              r.voice("", "all")
                  .band(band)
                  .valid(validity)
                  .from(stepStart)
                  .rate(decimal(random))
                  .per(List.of(1000, 60_000, 7_000).get(random.nextInt(3)))
                  .increments(initial, next);
              if (isFirst && !isMonotone) {
                r.connectionFee(random.nextBoolean() ? "0" : decimal(random))
                    .free(random.nextInt(3) == 0 ? random.nextInt(90) * 1000L : 0);
                if (random.nextInt(3) == 0) {
                  r.minimum(decimal(random))
                      .maximum(
                          "1" + decimal(random).substring(1),
                          List.of(MaximumPolicy.values()).get(random.nextInt(2)));
                }
              }
              return r;
            });
        from += 1 + random.nextInt(200);
      }
    }
  }

  private static When when(Random random) {
    When when = When.ALWAYS.withPriority(random.nextInt(3));
    int from = random.nextInt(48) * 1800;
    int to = 1800 + random.nextInt(48) * 1800;
    when = when.between(from, to);
    return switch (random.nextInt(5)) {
      case 0 -> when.onWeekdays(1 + random.nextInt(7), 7);
      case 1 -> when.inMonths(3, 10, 11);
      case 2 -> when.onCalendars(List.of("days")).withPriority(5);
      case 3 -> when.onMonthDays(1, 24, 25, 29);
      default -> when;
    };
  }

  /** Returns an amount below 1 with up to 7 decimals. */
  private static String decimal(Random random) {
    return "0." + (random.nextInt(4) == 0 ? "000" : "") + random.nextInt(10_000);
  }

  private static long start(Random random) {
    long moment = Instant.parse(MOMENTS[random.nextInt(MOMENTS.length)]).toEpochMilli();
    return moment + (random.nextInt(14_400) - 7200) * 1000L;
  }

  private static long usage(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> random.nextInt(60_000);
      case 2 -> random.nextInt(20_000) * 1000L;
      default -> random.nextInt(4000) * 1000L;
    };
  }

  private static io.tollgate.domain.cdr.Cdr call(long start, long usage) {
    return Calls.of("account", io.tollgate.domain.cdr.UsageType.VOICE, "+1", start, usage);
  }
}
