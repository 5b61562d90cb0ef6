package io.tollgate.domain.tariff;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.rating.ExactSum;
import io.tollgate.domain.rating.PrefixTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Turns the rows of a plan into the tables that {@link PlanRater} asks. Finds what makes prices
 * ambiguous: overlapping rows, and steps without a first one.
 */
final class PlanCompiler {
  /** Scale of plans whose amounts do not fit in 64 bits at a common scale. */
  static final int NO_SCALE = -1;

  private static final List<UsageType> WITH_NUMBERS =
      List.of(UsageType.VOICE, UsageType.SMS, UsageType.MMS);

  private final RatePlan plan;
  private final Map<String, HolidayCalendar> calendars;
  private final ZoneOffsets zone;
  private final int scale;
  private final @Nullable PlanRater like;
  private final List<String> faults;
  private final Map<String, Integer> bandNumbers = new HashMap<>();
  private final List<Band> bands = new ArrayList<>();
  private final Map<Long, Timetable> timetables = new HashMap<>();

  /**
   * @param like the plan in a book with the same calendars, whose prices are taken where the rows
   *     are the same: books that are kept side by side cost the memory of their differences
   * @param faults receives what is wrong with the rows
   */
  PlanCompiler(
      RatePlan plan,
      Map<String, HolidayCalendar> calendars,
      @Nullable PlanRater like,
      List<String> faults) {
    this.plan = plan;
    this.calendars = calendars;
    this.zone = new ZoneOffsets(plan.zone());
    this.scale = commonScale(plan.rates());
    this.like = like != null && like.compilesLike(plan, scale) ? like : null;
    this.faults = faults;
    bands.addAll(plan.bands());
    bands.add(Band.ANY);
    for (int i = 0; i < bands.size(); i++) {
      bandNumbers.put(bands.get(i).name(), i);
    }
  }

  PlanRater compile() {
    Map<UsageType, Map<String, List<RateRow>>> rows = new EnumMap<>(UsageType.class);
    for (RateRow row : plan.rates()) {
      rows.computeIfAbsent(row.usageType(), type -> new LinkedHashMap<>())
          .computeIfAbsent(row.prefix(), prefix -> new ArrayList<>(1))
          .add(row);
    }
    Map<UsageType, PrefixTable<Destination>> tables = new EnumMap<>(UsageType.class);
    Map<UsageType, Map<String, Destination>> exact = new EnumMap<>(UsageType.class);
    for (UsageType type : UsageType.values()) {
      Map<String, List<RateRow>> byPrefix = rows.getOrDefault(type, Map.of());
      PrefixTable<Destination> table = table(type, byPrefix);
      tables.put(type, table);
      exact.put(type, exactNumbers(type, table));
    }
    return new PlanRater(plan, scale, tables, exact);
  }

  private PrefixTable<Destination> table(UsageType type, Map<String, List<RateRow>> byPrefix) {
    Map<String, List<FreeDestination>> free = freeByNumber(type, false);
    Map<String, Destination> found = new HashMap<>();
    byPrefix.forEach(
        (prefix, rows) ->
            found.put(
                prefix, destination(type, prefix, rows, free.getOrDefault(prefix, List.of()))));
    free.forEach(
        (prefix, declared) ->
            found.computeIfAbsent(prefix, p -> destination(type, p, List.of(), declared)));
    PrefixTable<Destination> table = PrefixTable.of(found, Destination[]::new);
    found.values().forEach(entry -> entry.setShorter(table.longestProper(entry.prefix)));
    return table;
  }

  private Map<String, Destination> exactNumbers(UsageType type, PrefixTable<Destination> table) {
    Map<String, Destination> found = new HashMap<>();
    freeByNumber(type, true)
        .forEach(
            (number, declared) -> {
              Destination entry = destination(type, number, List.of(), declared);
              entry.setShorter(table.longest(number));
              found.put(number, entry);
            });
    return Map.copyOf(found);
  }

  private Map<String, List<FreeDestination>> freeByNumber(UsageType type, boolean exact) {
    Map<String, List<FreeDestination>> found = new HashMap<>();
    if (WITH_NUMBERS.contains(type)) {
      for (FreeDestination free : plan.freeDestinations()) {
        if (free.exact() == exact) {
          found.computeIfAbsent(free.number(), number -> new ArrayList<>(1)).add(free);
        }
      }
    }
    return found;
  }

  private Destination destination(
      UsageType type, String prefix, List<RateRow> rows, List<FreeDestination> free) {
    Destination known = like == null ? null : like.exactly(type, prefix);
    if (known != null && free.isEmpty() && known.isMadeOf(rows)) {
      return known.copy();
    }
    if (rows.size() == 1 && free.isEmpty()) {
      RateRow only = rows.get(0);
      PriceEpoch epoch =
          epoch(
              only.validity().fromMillis(),
              only.validity().toMillis(),
              only.destination(),
              sheets(prefix, rows, Map.of(), only.validity().fromMillis()));
      return new Destination(prefix, new PriceEpoch[] {epoch});
    }
    TreeSet<Long> cuts = new TreeSet<>();
    for (RateRow row : rows) {
      cuts.add(row.validity().fromMillis());
      cuts.add(row.validity().toMillis());
    }
    for (FreeDestination declared : free) {
      cuts.add(declared.validity().fromMillis());
      cuts.add(declared.validity().toMillis());
    }
    List<PriceEpoch> epochs = new ArrayList<>(cuts.size());
    Map<String, Sheet> before = Map.of();
    Long from = null;
    for (Long to : cuts) {
      if (from != null) {
        List<RateRow> valid = new ArrayList<>(rows.size());
        FreeDestination freeNow = freeAt(free, from);
        if (freeNow != null) {
          valid.add(freeRow(type, prefix, freeNow));
        } else {
          for (RateRow row : rows) {
            if (row.validity().contains(from)) {
              valid.add(row);
            }
          }
        }
        if (!valid.isEmpty()) {
          Map<String, Sheet> sheets = sheets(prefix, valid, before, from);
          epochs.add(epoch(from, to, valid.get(0).destination(), sheets));
          before = sheets;
        }
      }
      from = to;
    }
    return new Destination(prefix, epochs.toArray(PriceEpoch[]::new));
  }

  private @Nullable FreeDestination freeAt(List<FreeDestination> free, long millis) {
    FreeDestination found = null;
    for (FreeDestination declared : free) {
      if (declared.validity().contains(millis)) {
        if (found != null) {
          faults.add("free number '" + declared.number() + "': twice (expected: validities apart)");
        }
        found = declared;
      }
    }
    return found;
  }

  private static RateRow freeRow(UsageType type, String prefix, FreeDestination free) {
    return new RateRow(
        type,
        prefix,
        free.name(),
        "",
        0,
        BigDecimal.ZERO,
        BigDecimal.ZERO,
        BigDecimal.ZERO,
        1,
        1,
        1,
        BigDecimal.ZERO,
        null,
        MaximumPolicy.CAP,
        0,
        free.validity(),
        free.version());
  }

  /** Returns the sheet of each band; those with the same rows as {@code before} stay the same. */
  private Map<String, Sheet> sheets(
      String prefix, List<RateRow> valid, Map<String, Sheet> before, long from) {
    Map<String, List<RateRow>> byBand = new LinkedHashMap<>();
    for (RateRow row : valid) {
      byBand.computeIfAbsent(row.band(), band -> new ArrayList<>(1)).add(row);
    }
    Map<String, Sheet> sheets = new LinkedHashMap<>();
    byBand.forEach(
        (band, rows) -> {
          rows.sort((a, b) -> Long.compare(a.stepStart(), b.stepStart()));
          checkSteps(prefix, band, rows, from);
          Sheet same = before.get(band);
          boolean unchanged = same != null && same.rows.equals(rows);
          Band declared = bands.get(Objects.requireNonNull(bandNumbers.get(band)));
          sheets.put(
              band,
              unchanged && same != null
                  ? same
                  : new Sheet(declared.shownName(), List.copyOf(rows), scale));
        });
    return sheets;
  }

  private void checkSteps(String prefix, String band, List<RateRow> rows, long from) {
    String place =
        "rate of "
            + rows.get(0).usageType()
            + " '"
            + prefix
            + "' band '"
            + band
            + "' valid "
            + rows.get(0).validity();
    if (rows.get(0).stepStart() != 0) {
      faults.add(place + ": first step from " + rows.get(0).stepStart() + " (expected: from 0)");
    }
    for (int i = 1; i < rows.size(); i++) {
      if (rows.get(i).stepStart() == rows.get(i - 1).stepStart()) {
        faults.add(
            place
                + ": step from "
                + rows.get(i).stepStart()
                + " twice at "
                + new Validity(from, Long.MAX_VALUE)
                + " (expected: validities that do not overlap)");
      }
    }
  }

  private PriceEpoch epoch(long from, long to, String name, Map<String, Sheet> sheets) {
    long mask = 0;
    for (String band : sheets.keySet()) {
      mask |= 1L << Objects.requireNonNull(bandNumbers.get(band));
    }
    List<Band> used = new ArrayList<>(sheets.size());
    List<Sheet> inOrder = new ArrayList<>(sheets.size());
    for (Band band : bands) {
      Sheet sheet = sheets.get(band.name());
      if (sheet != null) {
        used.add(band);
        inOrder.add(sheet);
      }
    }
    Timetable timetable =
        timetables.computeIfAbsent(mask, bits -> new Timetable(used, calendars, zone));
    return new PriceEpoch(from, to, name, timetable, inOrder.toArray(Sheet[]::new));
  }

  private static int commonScale(List<RateRow> rows) {
    int scale = 0;
    int integerDigits = 0;
    for (RateRow row : rows) {
      BigDecimal maximum = row.maximumCharge();
      for (BigDecimal amount :
          List.of(
              row.rate(),
              row.connectionFee(),
              row.stepFee(),
              row.minimumCharge(),
              maximum == null ? BigDecimal.ZERO : maximum)) {
        scale = Math.max(scale, amount.scale());
        integerDigits = Math.max(integerDigits, amount.precision() - amount.scale());
      }
    }
    return scale + integerDigits <= ExactSum.MAX_LONG_SCALE ? scale : NO_SCALE;
  }
}
