package io.tollgate.domain.tariff;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the plan of an account at a moment: see {@link Assignment} for the order. */
final class AssignmentTable {
  private final Map<String, List<Entry>> byAccount;
  private final Map<String, List<Entry>> byPrefix;
  private final int[] prefixLengths;
  private final List<Entry> byDefault;

  /**
   * @param faults receives overlapping and dangling assignments
   */
  AssignmentTable(List<Assignment> assignments, Map<String, PlanRater> plans, List<String> faults) {
    Map<String, List<Entry>> accounts = new HashMap<>();
    Map<String, List<Entry>> prefixes = new TreeMap<>();
    List<Entry> defaults = new ArrayList<>();
    for (Assignment assignment : assignments) {
      PlanRater plan = plans.get(assignment.plan());
      if (plan == null) {
        faults.add(
            "assignment of '"
                + assignment.key()
                + "': plan '"
                + assignment.plan()
                + "' (expected: a plan of the book)");
        continue;
      }
      List<Entry> entries =
          switch (assignment.kind()) {
            case ACCOUNT -> accounts.computeIfAbsent(assignment.key(), key -> new ArrayList<>(1));
            case ACCOUNT_PREFIX ->
                prefixes.computeIfAbsent(assignment.key(), key -> new ArrayList<>(1));
            case DEFAULT -> defaults;
          };
      for (Entry other : entries) {
        if (other.validity.overlaps(assignment.validity())) {
          faults.add(
              "assignment of '"
                  + assignment.key()
                  + "': "
                  + assignment.validity()
                  + " overlaps "
                  + other.validity
                  + " (expected: validities apart)");
        }
      }
      entries.add(new Entry(assignment.validity(), plan));
    }
    byAccount = accounts;
    byPrefix = new HashMap<>(prefixes);
    prefixLengths =
        prefixes.keySet().stream()
            .map(String::length)
            .distinct()
            .sorted(Comparator.reverseOrder())
            .mapToInt(Integer::intValue)
            .toArray();
    byDefault = defaults;
  }

  /** Returns the rater of the account's plan, or null if none is assigned at that moment. */
  @Nullable PlanRater planOf(String account, long millis) {
    if (!byAccount.isEmpty()) {
      PlanRater found = at(byAccount.get(account), millis);
      if (found != null) {
        return found;
      }
    }
    for (int length : prefixLengths) {
      if (length <= account.length()) {
        PlanRater found = at(byPrefix.get(account.substring(0, length)), millis);
        if (found != null) {
          return found;
        }
      }
    }
    return at(byDefault, millis);
  }

  private static @Nullable PlanRater at(@Nullable List<Entry> entries, long millis) {
    if (entries == null) {
      return null;
    }
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).validity.contains(millis)) {
        return entries.get(i).plan;
      }
    }
    return null;
  }

  private record Entry(Validity validity, PlanRater plan) {}
}
