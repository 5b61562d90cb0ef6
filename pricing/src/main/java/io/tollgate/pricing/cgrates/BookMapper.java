package io.tollgate.pricing.cgrates;

import static io.tollgate.pricing.cgrates.Fields.ANY;

import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.pricing.cgrates.PlanTable.Entry;
import io.tollgate.pricing.cgrates.TariffPlan.Profile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Turns profiles into plans of ours. An account has one plan here, so everything that prices it is
 * put together:
 *
 * <table>
 *   <caption>What becomes of the look-up</caption>
 *   <tr><th>there</th><th>here</th></tr>
 *   <tr><td>category of the profile</td><td>column type</td></tr>
 *   <tr><td>a plan from its activation until the next one's</td><td>{@code valid_from}, {@code
 *       valid_to} of the rates; a call is split at the activation</td></tr>
 *   <tr><td>no profile of a category: that of {@code *any}</td><td>its rates, too</td></tr>
 *   <tr><td>fallback subjects, if no prefix matches</td><td>those of their rates whose prefixes do
 *       not begin with one that is there already</td></tr>
 * </table>
 *
 * Accounts whose prices are the same in all of this share a plan.
 */
final class BookMapper {
  private static final Map<String, UsageType> TYPES =
      Map.of(
          "call",
          UsageType.VOICE,
          "sms",
          UsageType.SMS,
          "mms",
          UsageType.MMS,
          "data",
          UsageType.DATA,
          "generic",
          UsageType.EVENT);
  private static final int MAX_NAME = 60;

  private final TariffPlan plan;
  private final ImportSettings settings;
  private final Map<UsageType, Map<String, NavigableMap<Long, Profile>>> profiles =
      new EnumMap<>(UsageType.class);
  private final Map<String, Map<String, List<Entry>>> tables = new HashMap<>();
  private final Set<String> names = new LinkedHashSet<>();

  BookMapper(TariffPlan plan, ImportSettings settings) {
    this.plan = plan;
    this.settings = settings;
  }

  /** A stretch of time with the rating plans that are asked, one after the other. */
  record Segment(long fromMillis, long toMillis, List<String> ratingPlans) {}

  /** Returns the plans in order of the profiles. */
  List<MappedPlan> map() {
    Set<String> accounts = readProfiles();
    Map<Map<UsageType, List<Segment>>, List<String>> shared = new LinkedHashMap<>();
    for (String account : accounts) {
      Map<UsageType, List<Segment>> segments = new EnumMap<>(UsageType.class);
      profiles.forEach(
          (type, bySubject) -> {
            NavigableMap<Long, Profile> own =
                Optional.ofNullable(bySubject.get(account)).orElse(bySubject.get(ANY));
            if (own != null) {
              segments.put(type, segments(own, bySubject));
            }
          });
      shared.computeIfAbsent(segments, s -> new ArrayList<>()).add(account);
    }
    List<MappedPlan> plans = new ArrayList<>();
    shared.forEach(
        (segments, owners) -> {
          Set<String> madeOf =
              segments.values().stream()
                  .flatMap(Collection::stream)
                  .flatMap(segment -> segment.ratingPlans().stream())
                  .collect(Collectors.toCollection(LinkedHashSet::new));
          plans.add(
              new PlanMapper(this::table).map(nameOf(madeOf), madeOf, segments, accounts(owners)));
        });
    return plans;
  }

  /** Sorts the profiles that can be expressed, and returns the subjects that have one. */
  private Set<String> readProfiles() {
    String tenant =
        settings
            .tenant()
            .orElseGet(() -> plan.profiles().stream().findFirst().orElseThrow().tenant());
    Set<String> accounts = new LinkedHashSet<>();
    for (Profile profile : plan.profiles()) {
      UsageType type = TYPES.get(profile.category());
      if (!profile.tenant().equals(tenant)) {
        profile
            .row()
            .notExpressed(
                1, "left out: accounts have no tenant; import each with --tenant, here " + tenant);
      } else if (type == null) {
        profile.row().notExpressed(2, "left out: known are call, sms, mms, data and generic");
      } else if (!isAccount(profile.subject())) {
        profile
            .row()
            .notExpressed(
                3,
                "left out: no account can be called so in assignments.csv; it then has the plan of"
                    + " *any, if there is one");
      } else {
        accounts.add(profile.subject());
        profiles
            .computeIfAbsent(type, t -> new LinkedHashMap<>())
            .computeIfAbsent(profile.subject(), s -> new TreeMap<>())
            .put(profile.activationMillis(), profile);
      }
    }
    return accounts;
  }

  private static boolean isAccount(String subject) {
    return subject.equals(ANY)
        || (!subject.endsWith("*")
            && subject.length() <= CdrRules.MAX_TEXT_LENGTH
            && !subject.matches("[0-9]([.,][0-9]+)?E\\+[0-9]+")
            && subject.chars().noneMatch(Character::isISOControl));
  }

  private static List<String> accounts(List<String> subjects) {
    return subjects.stream().map(subject -> subject.equals(ANY) ? "*" : subject).toList();
  }

  private List<Segment> segments(
      NavigableMap<Long, Profile> own, Map<String, NavigableMap<Long, Profile>> bySubject) {
    TreeSet<Long> cuts = new TreeSet<>(own.keySet());
    for (Profile profile : own.values()) {
      for (String fallback : profile.fallbacks()) {
        cuts.addAll(bySubject.getOrDefault(fallback, new TreeMap<>()).keySet());
      }
    }
    List<Segment> segments = new ArrayList<>();
    for (long cut : cuts.tailSet(own.firstKey())) {
      Long next = cuts.higher(cut);
      long to = next == null ? Long.MAX_VALUE : next;
      List<String> asked = asked(own.floorEntry(cut).getValue(), bySubject, cut);
      Segment before = segments.isEmpty() ? null : segments.get(segments.size() - 1);
      if (before != null && before.ratingPlans().equals(asked)) {
        segments.set(segments.size() - 1, new Segment(before.fromMillis(), to, asked));
      } else {
        segments.add(new Segment(cut, to, asked));
      }
    }
    return segments;
  }

  private static List<String> asked(
      Profile active, Map<String, NavigableMap<Long, Profile>> bySubject, long millis) {
    List<String> asked = new ArrayList<>(List.of(active.ratingPlan()));
    for (String fallback : active.fallbacks()) {
      NavigableMap<Long, Profile> others = bySubject.get(fallback);
      if (others == null) {
        active.row().notExpressed(6, fallback + " is left out, and so is this reference to it");
        continue;
      }
      if (others.floorEntry(millis) == null) {
        continue;
      }
      Profile other = others.floorEntry(millis).getValue();
      if (!asked.contains(other.ratingPlan())) {
        asked.add(other.ratingPlan());
      }
      if (!other.fallbacks().isEmpty()) {
        active.row().notExpressed(6, "the fallback subjects of " + fallback + " are not followed");
      }
    }
    return List.copyOf(asked);
  }

  private Map<String, List<Entry>> table(UsageType type, String ratingPlan) {
    return tables.computeIfAbsent(
        type + " " + ratingPlan,
        key -> PlanTable.of(plan, ratingPlan, type, settings.isInternational()));
  }

  /** Returns a name for a folder: that of the rating plans as far as a folder can have it. */
  private String nameOf(Set<String> madeOf) {
    String joined = String.join("+", madeOf).replaceAll("[^A-Za-z0-9._+-]", "_");
    String name = joined.length() > MAX_NAME ? joined.substring(0, MAX_NAME) : joined;
    name = name.startsWith(".") ? "_" + name : name;
    String unique = name;
    for (int i = 2; !names.add(unique); i++) {
      unique = name + "-" + i;
    }
    return unique;
  }
}
