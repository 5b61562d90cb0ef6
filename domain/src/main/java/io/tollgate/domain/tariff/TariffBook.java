package io.tollgate.domain.tariff;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that prices usage: the plans with the whole effective-dated history of their rates,
 * the calendars, and which account has which plan when. Immutable; {@link #rate} may be called from
 * any number of threads. A newer book holds all that an older one holds.
 */
public final class TariffBook implements Rater {
  private static final int SHOWN_FAULTS = 50;

  private static final Comparator<Assignment> ASSIGNMENT_ORDER =
      Comparator.comparing(Assignment::kind)
          .thenComparing(Assignment::key)
          .thenComparingLong(assignment -> assignment.validity().fromMillis());

  private final long version;
  private final List<RatePlan> plans;
  private final List<HolidayCalendar> calendars;
  private final List<Assignment> assignments;
  private final Map<String, PlanRater> raters = new LinkedHashMap<>();
  private final AssignmentTable table;
  // Computed when first asked for: a job that only rates needs none.
  private volatile @Nullable String digest;

  /**
   * @param version number of this book in the history, from 1; 0 for one that was not published
   * @throws IllegalArgumentException if prices would be ambiguous or refer to nothing; the message
   *     names every such fault (at most 50)
   */
  public TariffBook(
      long version,
      List<RatePlan> plans,
      List<HolidayCalendar> calendars,
      List<Assignment> assignments) {
    this(version, plans, calendars, assignments, null);
  }

  /**
   * Shares with another book what is the same in both, so that books kept side by side cost the
   * memory of their differences.
   *
   * @param like a book that is much the same
   */
  @SuppressWarnings("ReferenceEquality") // shared(...) took the object where the plans are equal
  public TariffBook(
      long version,
      List<RatePlan> plans,
      List<HolidayCalendar> calendars,
      List<Assignment> assignments,
      @Nullable TariffBook like) {
    this.version = version;
    this.calendars = sorted(calendars, Comparator.comparing(HolidayCalendar::name));
    this.assignments = sorted(assignments, ASSIGNMENT_ORDER);
    this.plans = sorted(shared(plans, this.calendars, like), Comparator.comparing(RatePlan::name));
    List<String> faults = new ArrayList<>();
    Map<String, HolidayCalendar> calendarsByName = new LinkedHashMap<>();
    for (HolidayCalendar calendar : this.calendars) {
      if (calendarsByName.put(calendar.name(), calendar) != null) {
        faults.add("calendar: '" + calendar.name() + "' twice (expected: once)");
      }
    }
    for (RatePlan plan : this.plans) {
      List<String> faultsOfPlan = new ArrayList<>();
      PlanRater known =
          like == null || !like.calendars.equals(this.calendars)
              ? null
              : like.raters.get(plan.name());
      PlanRater rater =
          known != null && known.plan() == plan
              ? known
              : new PlanCompiler(plan, calendarsByName, known, faultsOfPlan).compile();
      if (raters.put(plan.name(), rater) != null) {
        faultsOfPlan.add("twice (expected: once)");
      }
      faultsOfPlan.forEach(fault -> faults.add("plan " + plan.name() + ": " + fault));
    }
    this.table = new AssignmentTable(this.assignments, raters, faults);
    if (!faults.isEmpty()) {
      int more = faults.size() - SHOWN_FAULTS;
      throw new IllegalArgumentException(
          String.join("; ", faults.subList(0, Math.min(faults.size(), SHOWN_FAULTS)))
              + (more > 0 ? "; and " + more + " more" : ""));
    }
  }

  /** Returns a builder of a book, for programs and tests that make one in code. */
  public static TariffBookBuilder builder(long version) {
    return new TariffBookBuilder(version);
  }

  @Override
  public Rating rate(Cdr cdr) {
    PlanRater plan = table.planOf(cdr.accountId(), cdr.startMillis());
    if (plan == null) {
      return new Rating.Unpriced(
          Reason.NO_PLAN,
          "account '"
              + cdr.accountId()
              + "': no plan assigned at "
              + Instant.ofEpochMilli(cdr.startMillis())
              + " in tariff version "
              + version);
    }
    return plan.rate(cdr);
  }

  /** Returns the plan assigned to {@code account} at a moment, if any. */
  public Optional<RatePlan> planOf(String account, long millis) {
    return Optional.ofNullable(table.planOf(account, millis)).map(PlanRater::plan);
  }

  /** Returns the number of this book in the history; 0 if it was not published. */
  public long version() {
    return version;
  }

  /**
   * Returns SHA-256, in 64 hexadecimal digits, of all that this book says about prices; the same
   * for books that say the same, whatever their version.
   */
  public String digest() {
    String known = digest;
    if (known == null) {
      known = BookDigest.of(this);
      digest = known;
    }
    return known;
  }

  /** Returns the plans by name. */
  public List<RatePlan> plans() {
    return plans;
  }

  /** Returns the plan of that name, if there is one. */
  public Optional<RatePlan> plan(String name) {
    return plans.stream().filter(plan -> plan.name().equals(name)).findFirst();
  }

  /** Returns the calendars by name. */
  public List<HolidayCalendar> calendars() {
    return calendars;
  }

  /** Returns the assignments, sorted by kind, key and time. */
  public List<Assignment> assignments() {
    return assignments;
  }

  PlanRater rater(String plan) {
    return Objects.requireNonNull(raters.get(plan), plan);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TariffBook book
        && version == book.version
        && plans.equals(book.plans)
        && calendars.equals(book.calendars)
        && assignments.equals(book.assignments);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(version) * 31 + plans.hashCode();
  }

  @Override
  public String toString() {
    int rates = plans.stream().mapToInt(plan -> plan.rates().size()).sum();
    return "TariffBook[version "
        + version
        + ", "
        + plans.size()
        + " plans, "
        + rates
        + " rates, "
        + assignments.size()
        + " assignments]";
  }

  /**
   * Returns the plans, each as the object of the other book if it is equal there, and otherwise
   * with its rows as far as they are equal.
   */
  private static List<RatePlan> shared(
      List<RatePlan> plans, List<HolidayCalendar> calendars, @Nullable TariffBook like) {
    if (like == null || !like.calendars.equals(calendars)) {
      return plans;
    }
    return plans.stream()
        .map(plan -> like.plan(plan.name()).map(plan::sharedWith).orElse(plan))
        .toList();
  }

  private static <T> List<T> sorted(List<T> values, Comparator<T> order) {
    List<T> sorted = new ArrayList<>(values);
    sorted.sort(order);
    return List.copyOf(sorted);
  }
}
