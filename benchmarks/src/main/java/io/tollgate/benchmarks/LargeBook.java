package io.tollgate.benchmarks;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.TariffBookBuilder.PlanBuilder;
import io.tollgate.domain.tariff.When;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A price list of 200,000 rows, as an international carrier has it, and calls that fit to it. */
final class LargeBook {
  /** Rows of the price list. */
  static final int ROWS = 200_000;

  private static final long FIRST_START_MILLIS =
      Instant.parse("2024-06-03T00:00:00Z").toEpochMilli();
  private static final int START_SPAN_SECONDS = 7 * 24 * 3600;
  private static final int MAX_DURATION_SECONDS = 600;

  private final List<String> prefixes;
  private final Random random = new Random(42);

  LargeBook(int count) {
    Set<String> found = new LinkedHashSet<>();
    while (found.size() < count) {
      // 2 to 9 digits: most rows of a price list are area codes and mobile ranges.
      int digits = 2 + (int) (7.99 * Math.sqrt(random.nextDouble()));
      StringBuilder prefix = new StringBuilder("+").append(1 + random.nextInt(9));
      while (prefix.length() < digits + 1) {
        prefix.append((char) ('0' + random.nextInt(10)));
      }
      found.add(prefix.toString());
    }
    prefixes = List.copyOf(found);
  }

  List<String> prefixes() {
    return prefixes;
  }

  /** Returns a book with one row for each prefix, at any time of the week. */
  static TariffBook anyTime(List<String> prefixes) {
    return TariffBook.builder(1)
        .plan("wholesale", plan -> addRates(plan, prefixes, List.of("")))
        .assignDefault("wholesale")
        .build();
  }

  /** Returns a book with a peak and an off-peak row for each prefix. */
  static TariffBook peakAndOffPeak(List<String> prefixes) {
    When weekdays = When.ALWAYS.onWeekdays(1, 2, 3, 4, 5).between(8 * 3600, 19 * 3600);
    return TariffBook.builder(1)
        .plan(
            "wholesale",
            plan ->
                addRates(
                    plan.zone("Europe/Berlin")
                        .band("peak", weekdays)
                        .band("off-peak", When.ALWAYS.withPriority(-1)),
                    prefixes,
                    List.of("peak", "off-peak")))
        .assignDefault("wholesale")
        .build();
  }

  private static PlanBuilder addRates(PlanBuilder plan, List<String> prefixes, List<String> bands) {
    for (int i = 0; i < prefixes.size(); i++) {
      String prefix = prefixes.get(i);
      for (String band : bands) {
        String rate = "0." + (1000 + (i + band.length()) % 9000);
        plan.rate(
            row ->
                row.voice(prefix, "Destination " + prefix.substring(0, 3))
                    .band(band)
                    .perMinute(rate)
                    .increments(60, 1));
      }
    }
    return plan;
  }

  /** Returns so many calls to numbers below the prefixes, spread over a week. */
  Cdr[] calls(int count) {
    List<Cdr> calls = new ArrayList<>(count);
    while (calls.size() < count) {
      calls.add(
          new Cdr(
              "switch-1/" + calls.size(),
              "account-" + random.nextInt(100_000),
              UsageType.VOICE,
              "+4930123456",
              number(),
              FIRST_START_MILLIS + random.nextInt(START_SPAN_SECONDS) * 1000L,
              7200,
              1 + random.nextInt(MAX_DURATION_SECONDS * 1000),
              "ANSWERED",
              Map.of(),
              "",
              ""));
    }
    return calls.toArray(Cdr[]::new);
  }

  private String number() {
    StringBuilder number = new StringBuilder(prefixes.get(random.nextInt(prefixes.size())));
    while (number.length() < 13) {
      number.append((char) ('0' + random.nextInt(10)));
    }
    return number.toString();
  }
}
