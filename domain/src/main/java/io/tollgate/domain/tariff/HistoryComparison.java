package io.tollgate.domain.tariff;

import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.cdr.UsageType;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares the prices of two books for every moment before a boundary. Looks at every number that
 * either book names and at every stretch in which the rows of both stay the same; where bands
 * differ, at every day of it.
 */
final class HistoryComparison {
  /** No CDR starts earlier, so nothing before it needs a look. */
  private static final long FIRST_MILLIS = CdrRules.EARLIEST_START.toEpochMilli();

  private static final long MILLIS_PER_DAY = When.SECONDS_PER_DAY * 1000L;

  private final TariffBook last;
  private final TariffBook next;
  private final long boundaryMillis;
  private final List<PastChange> changes = new ArrayList<>();
  private final Map<BandQuestion, Set<BandPair>> bandPairs = new HashMap<>();

  HistoryComparison(TariffBook last, TariffBook next, long boundaryMillis) {
    this.last = last;
    this.next = next;
    this.boundaryMillis = boundaryMillis;
  }

  List<PastChange> changes() {
    compareAssignments();
    for (RatePlan plan : last.plans()) {
      RatePlan now = next.plan(plan.name()).orElse(null);
      if (now == null) {
        continue; // an account that had it would have another one: told with the assignments
      }
      if (!plan.hasSettingsOf(now)) {
        changes.add(
            new PastChange(
                plan.name(),
                "settings",
                Long.MIN_VALUE,
                boundaryMillis,
                settings(plan) + ", would be " + settings(now),
                false));
      } else {
        comparePrices(plan.name());
      }
    }
    return List.copyOf(changes);
  }

  // ------------------------------------------------------------------ accounts

  private void compareAssignments() {
    Set<String> accounts = new TreeSet<>();
    TreeSet<Long> cuts = new TreeSet<>(List.of(FIRST_MILLIS));
    for (TariffBook book : List.of(last, next)) {
      for (Assignment assignment : book.assignments()) {
        accounts.add(representative(assignment));
        cuts.add(assignment.validity().fromMillis());
        cuts.add(assignment.validity().toMillis());
      }
    }
    List<Long> moments = cuts.stream().filter(m -> m >= FIRST_MILLIS).toList();
    for (String account : accounts) {
      for (int i = 0; i < moments.size() && moments.get(i) < boundaryMillis; i++) {
        long from = moments.get(i);
        String before = last.planOf(account, from).map(RatePlan::name).orElse(null);
        String now = next.planOf(account, from).map(RatePlan::name).orElse(null);
        if (before != null && !before.equals(now)) {
          long to = i + 1 < moments.size() ? moments.get(i + 1) : boundaryMillis;
          changes.add(
              new PastChange(
                  "",
                  "account '" + account + "'",
                  from,
                  Math.min(to, boundaryMillis),
                  "plan " + before + ", would be " + (now == null ? "none" : now),
                  now == null));
        }
      }
    }
  }

  /** Returns an account that this assignment decides, if no more specific one does. */
  private static String representative(Assignment assignment) {
    return switch (assignment.kind()) {
      case ACCOUNT -> assignment.key();
      case ACCOUNT_PREFIX, DEFAULT -> assignment.key() + "*";
    };
  }

  // ------------------------------------------------------------------ prices

  private void comparePrices(String plan) {
    PlanRater before = last.rater(plan);
    PlanRater now = next.rater(plan);
    for (UsageType type : UsageType.values()) {
      Set<String> numbers = new TreeSet<>(before.numbers(type));
      numbers.addAll(now.numbers(type));
      for (String number : numbers) {
        compareNumber(
            plan,
            now.plan().zone(),
            type,
            number,
            before.longest(type, number),
            now.longest(type, number));
      }
    }
  }

  private void compareNumber(
      String plan,
      ZoneId zone,
      UsageType type,
      String number,
      @Nullable Destination before,
      @Nullable Destination now) {
    if (before == null) {
      return;
    }
    TreeSet<Long> cuts = new TreeSet<>();
    addCuts(before, cuts);
    addCuts(now, cuts);
    Long from = null;
    for (long cut : cuts) {
      long to = Math.min(cut, boundaryMillis);
      if (from != null && from < to && to > FIRST_MILLIS) {
        PriceEpoch old = epochAt(before, from);
        if (old != null) {
          compareEpochs(
              plan, zone, type, number, Math.max(from, FIRST_MILLIS), to, old, epochAt(now, from));
        }
      }
      from = cut;
    }
  }

  private static void addCuts(@Nullable Destination longest, Set<Long> cuts) {
    for (Destination next = longest; next != null; next = next.shorter()) {
      for (PriceEpoch epoch : next.epochs()) {
        cuts.add(epoch.fromMillis);
        cuts.add(epoch.toMillis);
      }
    }
  }

  private static @Nullable PriceEpoch epochAt(@Nullable Destination longest, long millis) {
    for (Destination next = longest; next != null; next = next.shorter()) {
      PriceEpoch found = next.epochAt(millis);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private void compareEpochs(
      String plan,
      ZoneId zone,
      UsageType type,
      String number,
      long from,
      long to,
      PriceEpoch old,
      @Nullable PriceEpoch now) {
    String subject = type + " " + (number.isEmpty() ? "*" : number);
    if (now == null) {
      changes.add(new PastChange(plan, subject, from, to, "would have no price", true));
      return;
    }
    for (BandPair pair : bandPairs(old.timetable, now.timetable, from, to, zone)) {
      if (pair.before < 0) {
        continue;
      }
      Sheet before = old.sheet(pair.before);
      Sheet after = pair.after < 0 ? null : now.sheet(pair.after);
      if (after == null || !pricesLike(before, after)) {
        changes.add(
            new PastChange(
                plan,
                subject,
                Math.max(from, pair.firstMillis),
                to,
                shown(before) + ", would be " + (after == null ? "no price" : shown(after)),
                after == null));
      }
    }
  }

  private static boolean pricesLike(Sheet one, Sheet other) {
    if (one.rows.size() != other.rows.size()) {
      return false;
    }
    for (int i = 0; i < one.rows.size(); i++) {
      if (!one.rows.get(i).pricesLike(other.rows.get(i))) {
        return false;
      }
    }
    return true;
  }

  // ------------------------------------------------------------------ bands

  /** Two timetables, between two days. */
  private record BandQuestion(
      Timetable before, Timetable after, long fromDay, long toDay, ZoneId zone) {}

  /** A band of each that apply at one time, and the first moment at which they do. */
  private record BandPair(int before, int after, long firstMillis) {}

  private Set<BandPair> bandPairs(
      Timetable before, Timetable after, long from, long to, ZoneId zone) {
    if (before.isAlwaysTheSame() && after.isAlwaysTheSame()) {
      return Set.of(new BandPair(before.bandAt(from), after.bandAt(from), from));
    }
    // A day early and late: local days begin up to 18 hours off.
    BandQuestion question =
        new BandQuestion(
            before,
            after,
            Math.floorDiv(from, MILLIS_PER_DAY) - 1,
            Math.floorDiv(to - 1, MILLIS_PER_DAY) + 1,
            zone);
    return bandPairs.computeIfAbsent(question, HistoryComparison::bandPairs);
  }

  private static Set<BandPair> bandPairs(BandQuestion question) {
    TreeSet<Integer> cuts = new TreeSet<>();
    for (Timetable timetable : List.of(question.before, question.after)) {
      for (int cut : timetable.cuts()) {
        cuts.add(cut);
      }
    }
    Set<BandPair> found = new HashSet<>();
    Set<List<Integer>> known = new HashSet<>();
    for (long day = question.fromDay; day <= question.toDay; day++) {
      for (int cut : cuts) {
        int before = question.before.bandAt(day, cut);
        int after = question.after.bandAt(day, cut);
        if (known.add(List.of(before, after))) {
          found.add(new BandPair(before, after, millis(day, cut, question.zone)));
        }
      }
    }
    return found;
  }

  private static long millis(long epochDay, int secondOfDay, ZoneId zone) {
    return LocalDate.ofEpochDay(epochDay)
        .atTime(LocalTime.ofSecondOfDay(secondOfDay))
        .atZone(zone)
        .toInstant()
        .toEpochMilli();
  }

  // ------------------------------------------------------------------ words

  private static String shown(Sheet sheet) {
    RateRow first = sheet.rows.get(0);
    return sheet.band
        + " "
        + first.rate().toPlainString()
        + " per "
        + first.per()
        + " in "
        + first.initialIncrement()
        + "/"
        + first.increment()
        + (first.connectionFee().signum() == 0
            ? ""
            : ", connection fee " + first.connectionFee().toPlainString())
        + (sheet.rows.size() == 1 ? "" : ", " + sheet.rows.size() + " steps");
  }

  private static String settings(RatePlan plan) {
    return String.join(
        " ",
        plan.currency(),
        plan.zone().getId(),
        plan.roundingMode().name(),
        Integer.toString(plan.decimals()),
        plan.bandCrossing().name(),
        plan.incrementMeaning().name(),
        plan.priceChange().name(),
        plan.stepMeaning().name(),
        plan.milliseconds() ? "milliseconds" : "seconds");
  }
}
