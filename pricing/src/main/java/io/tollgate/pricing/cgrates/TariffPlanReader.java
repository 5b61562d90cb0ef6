package io.tollgate.pricing.cgrates;

import static io.tollgate.pricing.cgrates.Fields.ANY;

import io.tollgate.domain.tariff.RateRow;
import io.tollgate.domain.tariff.When;
import io.tollgate.pricing.cgrates.CgratesFile.Row;
import io.tollgate.pricing.cgrates.TariffPlan.DestinationRate;
import io.tollgate.pricing.cgrates.TariffPlan.PlanRow;
import io.tollgate.pricing.cgrates.TariffPlan.Prefix;
import io.tollgate.pricing.cgrates.TariffPlan.Profile;
import io.tollgate.pricing.cgrates.TariffPlan.Step;
import io.tollgate.pricing.cgrates.TariffPlan.Timing;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the six files, and finds every fault of all of them in one go. */
final class TariffPlanReader {
  private static final Map<String, RoundingMode> ROUNDING =
      Map.of("*up", RoundingMode.UP, "*middle", RoundingMode.HALF_UP, "*down", RoundingMode.DOWN);

  private final Path directory;
  private final ZoneId zone;
  private final Findings findings;
  private final Map<String, Timing> timings = new LinkedHashMap<>();
  private final Map<String, List<Prefix>> destinations = new LinkedHashMap<>();
  private final Map<String, List<Step>> rates = new LinkedHashMap<>();
  private final Map<String, List<DestinationRate>> destinationRates = new LinkedHashMap<>();
  private final Map<String, List<PlanRow>> ratingPlans = new LinkedHashMap<>();
  private final List<Profile> profiles = new ArrayList<>();
  private final List<Reference> references = new ArrayList<>();

  /** A tag of another file, also of a row that has faults of its own. */
  private record Reference(Row row, int column, Map<String, ?> tags, String expected) {}

  /**
   * @param zone of activation times without an offset
   */
  TariffPlanReader(Path directory, ZoneId zone, Findings findings) {
    this.directory = directory;
    this.zone = zone;
    this.findings = findings;
  }

  TariffPlan read() {
    CgratesFile.TIMINGS.read(directory, findings, this::timing);
    CgratesFile.DESTINATIONS.read(directory, findings, this::prefix);
    CgratesFile.RATES.read(directory, findings, this::step);
    CgratesFile.DESTINATION_RATES.read(directory, findings, this::destinationRate);
    CgratesFile.RATING_PLANS.read(directory, findings, this::planRow);
    CgratesFile.RATING_PROFILES.read(directory, findings, this::profile);
    rates.values().forEach(TariffPlanReader::checkSteps);
    checkTags();
    checkProfiles();
    if (!findings.hasFaults()) {
      noteWhatIsNotUsed();
    }
    return new TariffPlan(
        timings, destinations, rates, destinationRates, ratingPlans, List.copyOf(profiles));
  }

  // ------------------------------------------------------------------ rows

  private void timing(Row row) {
    When when = When.ALWAYS;
    List<Integer> years = Fields.list(row, 2, 1970, 9999);
    List<Integer> months = Fields.list(row, 3, 1, 12);
    List<Integer> monthDays = Fields.list(row, 4, 1, 31);
    List<Integer> weekdays = Fields.list(row, 5, 0, 7);
    if (!years.isEmpty()) {
      when = when.inYears(years);
    }
    if (!months.isEmpty()) {
      when = when.inMonths(ints(months));
    }
    if (!monthDays.isEmpty()) {
      when = when.onMonthDays(ints(monthDays));
    }
    if (!weekdays.isEmpty()) {
      when = when.onWeekdays(Arrays.stream(ints(weekdays)).map(d -> d == 0 ? 7 : d).toArray());
    }
    when = when.between(Fields.secondOfDay(row, 6), When.SECONDS_PER_DAY);
    if (isTag(row, 1) && timings.putIfAbsent(row.get(1), new Timing(when, row)) != null) {
      row.fault(1, "each tag once");
    }
  }

  private void prefix(Row row) {
    if (!isTag(row, 1)) {
      return;
    }
    List<Prefix> prefixes = destinations.computeIfAbsent(row.get(1), id -> new ArrayList<>());
    if (row.get(2).isEmpty()) {
      row.fault(2, "a prefix");
    } else if (prefixes.stream().anyMatch(other -> other.text().equals(row.get(2)))) {
      row.note(2, "the destination has it already");
    } else {
      prefixes.add(new Prefix(row.get(2), row));
    }
  }

  private void step(Row row) {
    boolean isNamed = isTag(row, 1);
    List<Step> steps =
        isNamed ? rates.computeIfAbsent(row.get(1), id -> new ArrayList<>()) : List.of();
    Optional<BigDecimal> fee = Fields.number(row, 2);
    Optional<BigDecimal> rate = Fields.number(row, 3);
    Optional<Long> unit = Fields.nanos(row, 4);
    Optional<Long> increment = Fields.nanos(row, 5);
    Optional<Long> start = Fields.nanos(row, 6);
    boolean isGood = isMoreThanNothing(row, 4, unit);
    isGood &= isMoreThanNothing(row, 5, increment);
    if (isGood && isNamed && fee.isPresent() && rate.isPresent() && start.isPresent()) {
      steps.add(
          new Step(
              fee.get(),
              rate.get(),
              unit.orElseThrow(),
              increment.orElseThrow(),
              start.get(),
              row));
    }
  }

  private static boolean isMoreThanNothing(Row row, int column, Optional<Long> nanos) {
    if (nanos.isPresent() && nanos.get() == 0) {
      row.fault(column, "more than 0");
    }
    return nanos.isPresent() && nanos.get() > 0;
  }

  private void destinationRate(Row row) {
    boolean isNamed = isTag(row, 1);
    List<DestinationRate> list =
        isNamed ? destinationRates.computeIfAbsent(row.get(1), id -> new ArrayList<>()) : List.of();
    references.add(new Reference(row, 2, destinations, "an Id of Destinations.csv, or " + ANY));
    references.add(new Reference(row, 3, rates, "an Id of Rates.csv"));
    RoundingMode mode = ROUNDING.get(row.get(4));
    if (mode == null) {
      row.fault(4, "*up, *middle or *down");
    }
    Optional<Integer> decimals = Fields.whole(row, 5, 0, RateRow.MAX_DECIMALS);
    Optional<BigDecimal> maximum =
        row.get(6).isEmpty() ? Optional.of(BigDecimal.ZERO) : Fields.number(row, 6);
    boolean isStrategyGood = isStrategyGood(row, maximum);
    if (isNamed && mode != null && decimals.isPresent() && maximum.isPresent() && isStrategyGood) {
      list.add(
          new DestinationRate(
              row.get(2),
              row.get(3),
              mode,
              decimals.get(),
              maximum.get(),
              row.get(7).equals("*free"),
              row));
    }
  }

  private static boolean isStrategyGood(Row row, Optional<BigDecimal> maximum) {
    String strategy = row.get(7);
    if (maximum.isPresent() && maximum.get().signum() < 0) {
      row.fault(6, "0 or more");
      return false;
    }
    boolean hasMaximum = maximum.isPresent() && maximum.get().signum() > 0;
    boolean isKnown = strategy.equals("*free") || strategy.equals("*disconnect");
    if (!isKnown && (hasMaximum || !strategy.isEmpty())) {
      row.fault(7, "*free or *disconnect");
      return false;
    }
    if (isKnown && maximum.isPresent() && !hasMaximum) {
      row.note(7, "no effect without a MaxCost");
    }
    return true;
  }

  private void planRow(Row row) {
    boolean isNamed = isTag(row, 1);
    List<PlanRow> list =
        isNamed ? ratingPlans.computeIfAbsent(row.get(1), id -> new ArrayList<>()) : List.of();
    references.add(new Reference(row, 2, destinationRates, "an Id of DestinationRates.csv"));
    references.add(new Reference(row, 3, timings, "a Tag of Timings.csv, or " + ANY));
    Optional<BigDecimal> weight = Fields.number(row, 4);
    if (isNamed && weight.isPresent()) {
      list.add(new PlanRow(row.get(2), row.get(3), weight.get(), row));
    }
  }

  private void profile(Row row) {
    boolean isNamed = isTag(row, 1);
    isNamed &= isTag(row, 2);
    isNamed &= isTag(row, 3);
    references.add(new Reference(row, 5, ratingPlans, "an Id of RatingPlans.csv"));
    Optional<Long> activation = Fields.moment(row, 4, zone);
    List<String> fallbacks =
        row.get(6).isEmpty()
            ? List.of()
            : Arrays.stream(row.get(6).split(";", -1)).map(String::strip).toList();
    if (isNamed) {
      profiles.add(
          new Profile(
              row.get(1),
              row.get(2),
              row.get(3),
              activation.orElse(Long.MIN_VALUE),
              row.get(5),
              fallbacks,
              row));
    }
  }

  private static boolean isTag(Row row, int column) {
    if (row.get(column).isEmpty()) {
      row.fault(column, "a name");
      return false;
    }
    return true;
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }

  // ------------------------------------------------------------------ rows together

  private static void checkSteps(List<Step> steps) {
    steps.sort(Comparator.comparingLong(Step::startNanos));
    for (int i = 1; i < steps.size(); i++) {
      Step step = steps.get(i);
      if (step.startNanos() == steps.get(i - 1).startNanos()) {
        step.row().fault(6, "each start once; also in line " + steps.get(i - 1).row().line());
      }
      if (step.connectFee().signum() != 0) {
        step.row().note(2, "no effect: the connection fee of the first step counts");
      }
    }
  }

  private void checkTags() {
    for (Reference reference : references) {
      String tag = reference.row().get(reference.column());
      boolean isWildcard = tag.equals(ANY) && reference.expected().endsWith(ANY);
      if (!isWildcard && !reference.tags().containsKey(tag)) {
        reference.row().fault(reference.column(), reference.expected());
      }
    }
  }

  private void checkProfiles() {
    Set<List<String>> subjects = new HashSet<>();
    Map<List<Object>, Row> activations = new LinkedHashMap<>();
    for (Profile profile : profiles) {
      subjects.add(List.of(profile.tenant(), profile.category(), profile.subject()));
      List<Object> key =
          List.of(
              profile.tenant(), profile.category(), profile.subject(), profile.activationMillis());
      Row before = activations.putIfAbsent(key, profile.row());
      if (before != null && profile.activationMillis() != Long.MIN_VALUE) {
        profile.row().fault(4, "each activation once; also in line " + before.line());
      }
    }
    for (Profile profile : profiles) {
      for (String fallback : profile.fallbacks()) {
        if (!subjects.contains(List.of(profile.tenant(), profile.category(), fallback))) {
          profile.row().fault(6, "subjects that have a profile of the category; not " + fallback);
        }
      }
    }
    if (profiles.isEmpty() && !findings.hasFaults()) {
      findings.add(
          new Finding(
              Finding.Kind.FAULT,
              CgratesFile.RATING_PROFILES.fileName,
              0,
              0,
              "rows",
              "none",
              "expected: a profile; without one nobody has a plan"));
    }
  }

  private void noteWhatIsNotUsed() {
    Set<String> used = new HashSet<>();
    for (Profile profile : profiles) {
      used.add("rating plan " + profile.ratingPlan());
      for (PlanRow row : ratingPlans.getOrDefault(profile.ratingPlan(), List.of())) {
        used.add("timing " + row.timing());
        used.add("destination rate " + row.destinationRates());
        for (DestinationRate rate :
            destinationRates.getOrDefault(row.destinationRates(), List.of())) {
          used.add("destination " + rate.destination());
          used.add("rate " + rate.rate());
        }
      }
    }
    timings.forEach((tag, timing) -> note(used, "timing " + tag, timing.row()));
    destinations.forEach(
        (id, list) -> list.forEach(prefix -> note(used, "destination " + id, prefix.row())));
    rates.forEach((id, list) -> list.forEach(step -> note(used, "rate " + id, step.row())));
    destinationRates.forEach(
        (id, list) -> list.forEach(rate -> note(used, "destination rate " + id, rate.row())));
    ratingPlans.forEach(
        (id, list) -> list.forEach(row -> note(used, "rating plan " + id, row.row())));
  }

  private static void note(Set<String> used, String what, Row row) {
    if (!used.contains(what)) {
      row.note(1, "not imported: no profile leads to it");
    }
  }
}
