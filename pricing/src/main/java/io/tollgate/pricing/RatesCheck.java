package io.tollgate.pricing;

import io.tollgate.domain.tariff.Band;
import io.tollgate.domain.tariff.BandCoverage;
import io.tollgate.domain.tariff.HolidayCalendar;
import io.tollgate.domain.tariff.RateRow;
import io.tollgate.domain.tariff.Validity;
import io.tollgate.pricing.RatesFile.Placed;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Looks at the rates of a plan side by side.
 *
 * <table>
 *   <caption>What is found</caption>
 *   <tr><th>finding</th><th>severity</th></tr>
 *   <tr><td>two rows of one type, prefix, band and step valid at one time</td><td>error</td></tr>
 *   <tr><td>a step valid while there is no step from 0</td><td>error</td></tr>
 *   <tr><td>a time between two rows of one type, prefix, band and step</td><td>warning</td></tr>
 *   <tr><td>bands that leave times of the week without a price</td><td>warning</td></tr>
 *   <tr><td>a declared band without a rate</td><td>warning</td></tr>
 * </table>
 */
final class RatesCheck {
  /** Days looked at for times without a band: four years have every date. */
  private static final LocalDate FIRST_DAY = LocalDate.of(2024, 1, 1);

  private static final LocalDate LAST_DAY = LocalDate.of(2027, 12, 31);
  private static final int SHOWN_GAPS = 7;
  private final PlanSettings plan;
  private final String file;
  private final Problems problems;

  RatesCheck(PlanSettings plan, String file, Problems problems) {
    this.plan = plan;
    this.file = file;
    this.problems = problems;
  }

  /** Checks the rows, and returns them sorted. */
  List<Placed> check(List<Placed> rows, Map<String, HolidayCalendar> calendars, String planFile) {
    List<Placed> sorted = new ArrayList<>(rows);
    sorted.sort(RatesCheck::byKeyAndTime);
    checkTimes(sorted);
    checkFirstSteps(sorted);
    checkWeek(sorted, calendars);
    Set<String> used = rows.stream().map(p -> p.row().band()).collect(Collectors.toSet());
    for (Band band : plan.bands()) {
      if (!used.contains(band.name())) {
        int line = plan.bandLines().getOrDefault(band.name(), 0);
        problems.warn(planFile, line, 0, "bands", band.name(), "no rate uses this band");
      }
    }
    if (rows.isEmpty()) {
      problems.warn(file, 0, 0, "rates", "", "no rate: everything in this plan is suspended");
    }
    return sorted;
  }

  /** One method, not a chain of comparators: it runs millions of times for 200,000 rows. */
  private static int byKeyAndTime(Placed one, Placed other) {
    RateRow a = one.row();
    RateRow b = other.row();
    int order = a.usageType().compareTo(b.usageType());
    order = order != 0 ? order : a.prefix().compareTo(b.prefix());
    order = order != 0 ? order : a.band().compareTo(b.band());
    order = order != 0 ? order : Long.compare(a.stepStart(), b.stepStart());
    order = order != 0 ? order : Long.compare(a.validity().fromMillis(), b.validity().fromMillis());
    return order != 0 ? order : Integer.compare(one.line(), other.line());
  }

  private void checkTimes(List<Placed> sorted) {
    for (int i = 1; i < sorted.size(); i++) {
      Placed before = sorted.get(i - 1);
      Placed placed = sorted.get(i);
      RateRow row = placed.row();
      if (!isSameKey(before.row(), row) || before.row().stepStart() != row.stepStart()) {
        continue;
      }
      Validity validity = row.validity();
      if (before.row().validity().overlaps(validity)) {
        boolean isDuplicate =
            before.row().pricesLike(row) && before.row().validity().equals(validity);
        problems.error(
            file,
            placed.line(),
            0,
            "row",
            shown(row),
            isDuplicate
                ? "no row twice; the same stands in line " + before.line()
                : "no overlap; this is valid "
                    + validity
                    + ", line "
                    + before.line()
                    + " "
                    + before.row().validity());
      } else if (before.row().validity().toMillis() < validity.fromMillis()) {
        problems.warn(
            file,
            placed.line(),
            0,
            "valid_from",
            Instant.ofEpochMilli(validity.fromMillis()).toString(),
            shown(row)
                + " has no price since "
                + Instant.ofEpochMilli(before.row().validity().toMillis())
                + ", the end of line "
                + before.line());
      }
    }
  }

  private void checkFirstSteps(List<Placed> sorted) {
    List<Placed> firsts = new ArrayList<>();
    for (Placed placed : sorted) {
      RateRow row = placed.row();
      if (!firsts.isEmpty() && !isSameKey(firsts.get(0).row(), row)) {
        firsts.clear();
      }
      if (row.stepStart() == 0) {
        firsts.add(placed);
      } else if (!isCovered(row.validity(), firsts)) {
        problems.error(
            file,
            placed.line(),
            0,
            "from",
            shown(row) + " from " + row.stepStart(),
            "a row from 0 valid at the same time");
      }
    }
  }

  private static boolean isCovered(Validity validity, List<Placed> firsts) {
    long until = validity.fromMillis();
    for (Placed first : firsts) {
      Validity other = first.row().validity();
      if (other.fromMillis() <= until && other.toMillis() > until) {
        until = other.toMillis();
      }
    }
    return until >= validity.toMillis();
  }

  private void checkWeek(List<Placed> sorted, Map<String, HolidayCalendar> calendars) {
    Map<Set<String>, Placed> examples = new LinkedHashMap<>();
    Map<Set<String>, Integer> counts = new HashMap<>();
    int i = 0;
    while (i < sorted.size()) {
      int end = i;
      while (end < sorted.size() && isSamePrefix(sorted.get(i).row(), sorted.get(end).row())) {
        end++;
      }
      for (Set<String> bands : bandsTogether(sorted.subList(i, end))) {
        examples.putIfAbsent(bands, sorted.get(i));
        counts.merge(bands, 1, Integer::sum);
      }
      i = end;
    }
    examples.forEach((bands, example) -> checkWeek(bands, example, counts, calendars));
  }

  private void checkWeek(
      Set<String> bands,
      Placed example,
      Map<Set<String>, Integer> counts,
      Map<String, HolidayCalendar> calendars) {
    if (bands.contains("")) {
      return;
    }
    List<Band> used = plan.bands().stream().filter(b -> bands.contains(b.name())).toList();
    List<BandCoverage.Gap> gaps = BandCoverage.gaps(used, calendars, FIRST_DAY, LAST_DAY);
    if (gaps.isEmpty()) {
      return;
    }
    String shown =
        gaps.stream().limit(SHOWN_GAPS).map(Object::toString).collect(Collectors.joining(", "));
    problems.warn(
        file,
        example.line(),
        0,
        "band",
        String.join(", ", bands),
        "no price at "
            + shown
            + (gaps.size() > SHOWN_GAPS ? " and " + (gaps.size() - SHOWN_GAPS) + " more" : "")
            + ", first on "
            + gaps.get(0).firstDate()
            + "; so for "
            + counts.get(bands)
            + " prefixes, the first is "
            + shown(example.row()));
  }

  /** Returns the sets of bands that are valid together at some time. */
  private static Set<Set<String>> bandsTogether(List<Placed> rows) {
    if (rows.size() == 1) {
      return Set.of(Set.of(rows.get(0).row().band()));
    }
    TreeSet<Long> cuts = new TreeSet<>();
    rows.forEach(placed -> cuts.add(placed.row().validity().fromMillis()));
    rows.forEach(placed -> cuts.add(placed.row().validity().toMillis()));
    Set<Set<String>> found = new java.util.LinkedHashSet<>();
    for (long cut : cuts) {
      Set<String> valid = new TreeSet<>();
      for (Placed placed : rows) {
        if (placed.row().validity().contains(cut)) {
          valid.add(placed.row().band());
        }
      }
      if (!valid.isEmpty()) {
        found.add(valid);
      }
    }
    return found;
  }

  private static boolean isSamePrefix(RateRow one, RateRow other) {
    return one.usageType() == other.usageType() && one.prefix().equals(other.prefix());
  }

  private static boolean isSameKey(RateRow one, RateRow other) {
    return isSamePrefix(one, other) && one.band().equals(other.band());
  }

  private static String shown(RateRow row) {
    String prefix = row.prefix().isEmpty() ? "*" : row.prefix();
    return row.usageType() + " " + prefix + (row.band().isEmpty() ? "" : " " + row.band());
  }
}
