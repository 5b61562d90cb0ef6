package io.tollgate.pricing;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.tariff.Band;
import io.tollgate.domain.tariff.BandCrossing;
import io.tollgate.domain.tariff.FreeDestination;
import io.tollgate.domain.tariff.IncrementMeaning;
import io.tollgate.domain.tariff.PriceChange;
import io.tollgate.domain.tariff.RatePlan;
import io.tollgate.domain.tariff.RateRow;
import io.tollgate.domain.tariff.StepMeaning;
import io.tollgate.domain.tariff.Validity;
import io.tollgate.domain.tariff.When;
import io.tollgate.pricing.Cells.UnreadableException;
import io.tollgate.pricing.Yaml.Entry;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads {@code plan.yaml}. */
final class PlanFile {
  private static final List<String> KEYS =
      List.of(
          "currency",
          "zone",
          "rounding",
          "band_crossing",
          "increments",
          "price_change",
          "steps",
          "billing",
          "prefixes",
          "data_unit",
          "usage_types",
          "bands",
          "free");
  private static final List<String> WEEKDAYS =
      List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

  private final String planName;
  private final Set<String> calendars;
  private final Cells cells = new Cells();

  /**
   * @param calendars names that bands may refer to
   */
  PlanFile(String planName, Set<String> calendars) {
    this.planName = planName;
    this.calendars = calendars;
  }

  /** Returns the settings; faulty ones have their default, with a problem. Null if unreadable. */
  @Nullable PlanSettings read(String text, String file, Problems problems) {
    Entry root = new Yaml(file, problems).read(text);
    if (root == null) {
      return null;
    }
    Map<String, Entry> keys = root.map(KEYS);
    for (String required : List.of("currency", "zone", "rounding")) {
      if (!keys.containsKey(required)) {
        problems.error(file, 1, 0, required, "not there", "a key " + required);
      }
    }
    ZoneId zone = zone(keys.get("zone"));
    Map<String, Integer> bandLines = new LinkedHashMap<>();
    List<Band> bands = bands(keys.get("bands"), bandLines);
    boolean isInternational =
        choice(keys.get("prefixes"), "international", List.of("international", "literal"))
            .equals("international");
    Map<String, Entry> rounding =
        keys.containsKey("rounding")
            ? keys.get("rounding").map(List.of("mode", "decimals"))
            : Map.of();
    return new PlanSettings(
        planName,
        currency(keys.get("currency")),
        zone,
        choice(rounding.get("mode"), RoundingMode.HALF_UP, RoundingMode.UNNECESSARY),
        number(rounding.get("decimals"), 2, 0, RateRow.MAX_DECIMALS),
        choice(keys.get("band_crossing"), BandCrossing.INCREMENT_START, null),
        choice(keys.get("increments"), IncrementMeaning.INITIAL_THEN_NEXT, null),
        choice(keys.get("price_change"), PriceChange.SPLIT, null),
        choice(keys.get("steps"), StepMeaning.GRADUATED, null),
        choice(keys.get("billing"), "seconds", List.of("seconds", "milliseconds"))
            .equals("milliseconds"),
        isInternational,
        choice(keys.get("data_unit"), "decimal", List.of("decimal", "binary")).equals("binary")
            ? 1024
            : 1000,
        usageTypes(keys.get("usage_types")),
        bands,
        bandLines,
        free(keys.get("free"), zone, isInternational));
  }

  private static String currency(@Nullable Entry entry) {
    if (entry == null) {
      return "XXX";
    }
    String code = entry.text();
    try {
      return Currency.getInstance(code).getCurrencyCode();
    } catch (IllegalArgumentException e) {
      entry.error(code, "a code of ISO 4217 such as EUR");
      return "XXX";
    }
  }

  private static ZoneId zone(@Nullable Entry entry) {
    if (entry == null) {
      return ZoneId.of("UTC");
    }
    String id = entry.text();
    try {
      if (!id.matches("[A-Z]{3,4}") || id.equals("UTC")) {
        return ZoneId.of(id);
      }
    } catch (DateTimeException e) {
      // told below
    }
    entry.error(id, "a time zone such as Europe/Berlin or UTC");
    return ZoneId.of("UTC");
  }

  private static Set<UsageType> usageTypes(@Nullable Entry entry) {
    if (entry == null) {
      return EnumSet.allOf(UsageType.class);
    }
    Set<UsageType> types = EnumSet.noneOf(UsageType.class);
    for (Entry type : entry.texts()) {
      types.add(choice(type, UsageType.VOICE, null));
    }
    return types;
  }

  // ------------------------------------------------------------------ bands

  private List<Band> bands(@Nullable Entry entry, Map<String, Integer> lines) {
    List<Band> bands = new ArrayList<>();
    if (entry == null) {
      return bands;
    }
    entry
        .map()
        .forEach(
            (name, rules) -> {
              lines.put(name, rules.line());
              if (name.isBlank() || name.equals("any") || name.equals("*")) {
                rules.error(name, "a name; any and * stand for rates without a band");
                return;
              }
              List<When> whens = new ArrayList<>();
              rules.list().forEach(rule -> whens.addAll(whens(rule)));
              bands.add(new Band(name, whens.isEmpty() ? List.of(When.ALWAYS) : whens));
            });
    if (bands.size() > RatePlan.MAX_BANDS) {
      entry.error(bands.size() + " bands", "at most " + RatePlan.MAX_BANDS);
      return bands.subList(0, RatePlan.MAX_BANDS);
    }
    return bands;
  }

  private List<When> whens(Entry rule) {
    Map<String, Entry> keys =
        rule.map(
            List.of(
                "weekdays",
                "months",
                "month_days",
                "years",
                "dates",
                "calendars",
                "times",
                "priority"));
    When day = When.ALWAYS.withPriority(number(keys.get("priority"), 0, -1_000_000, 1_000_000));
    Entry weekdays = keys.get("weekdays");
    if (weekdays != null) {
      day = day.onWeekdays(members(weekdays, WEEKDAYS, 7, When.ANY_WEEKDAY));
    }
    Entry months = keys.get("months");
    if (months != null) {
      day = day.inMonths(members(months, MONTHS, 12, When.ANY_MONTH));
    }
    Entry monthDays = keys.get("month_days");
    if (monthDays != null) {
      day = day.onMonthDays(members(monthDays, List.of(), 31, When.ANY_MONTH_DAY));
    }
    Entry years = keys.get("years");
    if (years != null) {
      day = day.inYears(years.texts().stream().map(y -> number(y, 2020, 1970, 9999)).toList());
    }
    Entry dates = keys.get("dates");
    if (dates != null) {
      day = day.onDates(dates(dates));
    }
    Entry named = keys.get("calendars");
    if (named != null) {
      day = day.onCalendars(calendars(named));
    }
    Entry times = keys.get("times");
    if (times == null) {
      return List.of(day);
    }
    List<When> whens = new ArrayList<>();
    for (Entry time : times.texts()) {
      whens.add(between(day, time));
    }
    return whens;
  }

  private static When between(When day, Entry time) {
    String text = time.text();
    String[] parts = text.split("-", -1);
    int from = parts.length == 2 ? secondOfDay(parts[0].strip()) : -1;
    int to = parts.length == 2 ? secondOfDay(parts[1].strip()) : -1;
    if (from < 0 || to < 0 || from == When.SECONDS_PER_DAY) {
      time.error(text, "a range such as 08:00-18:00, or 22:00-06:00 over midnight");
      return day;
    }
    return day.between(from, to == 0 ? When.SECONDS_PER_DAY : to);
  }

  private static int secondOfDay(String text) {
    if (!text.matches("\\d{1,2}:\\d{2}(:\\d{2})?")) {
      return -1;
    }
    int[] parts = Arrays.stream(text.split(":", -1)).mapToInt(Integer::parseInt).toArray();
    int second = parts[0] * 3600 + parts[1] * 60 + (parts.length == 3 ? parts[2] : 0);
    boolean isTime = parts[1] < 60 && (parts.length == 2 || parts[2] < 60);
    return isTime && second <= When.SECONDS_PER_DAY ? second : -1;
  }

  /** Reads {@code mon-fri, sun} or {@code 1-5, 7}; a range may run over the end. */
  private static int[] members(Entry entry, List<String> names, int count, int all) {
    int mask = 0;
    for (Entry member : entry.texts()) {
      String text = member.text();
      String[] ends = text.split("-", -1);
      int from = member(ends[0], names, count);
      int to = ends.length == 1 ? from : member(ends[ends.length - 1], names, count);
      if (from < 1 || to < 1 || ends.length > 2) {
        String example = names.isEmpty() ? "" : names.get(0) + "-" + names.get(4) + ", or ";
        member.error(text, example + "numbers from 1 to " + count + " such as 1-5");
        continue;
      }
      for (int i = from; i != to; i = i % count + 1) {
        mask |= 1 << (i - 1);
      }
      mask |= 1 << (to - 1);
    }
    int members = mask == 0 ? all : mask;
    return java.util.stream.IntStream.rangeClosed(1, count)
        .filter(i -> (members & (1 << (i - 1))) != 0)
        .toArray();
  }

  private static int member(String text, List<String> names, int count) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    if (lower.matches("\\d{1,2}")) {
      int number = Integer.parseInt(lower);
      return number <= count ? number : -1;
    }
    return lower.length() < 3 ? -1 : names.indexOf(lower.substring(0, 3)) + 1;
  }

  private static List<LocalDate> dates(Entry entry) {
    List<LocalDate> dates = new ArrayList<>();
    for (Entry date : entry.texts()) {
      try {
        dates.add(Cells.date(date.text()));
      } catch (UnreadableException e) {
        date.error(date.text(), e.rule());
      }
    }
    return dates;
  }

  private List<String> calendars(Entry entry) {
    List<String> names = new ArrayList<>();
    for (Entry name : entry.texts()) {
      if (calendars.contains(name.text())) {
        names.add(name.text());
      } else {
        name.error(name.text(), "a file calendars/" + name.text() + ".csv");
      }
    }
    return names;
  }

  // ------------------------------------------------------------------ free numbers

  private List<FreeDestination> free(@Nullable Entry entry, ZoneId zone, boolean isInternational) {
    List<FreeDestination> found = new ArrayList<>();
    if (entry == null) {
      return found;
    }
    for (Entry element : entry.list()) {
      Map<String, Entry> keys =
          element.map(List.of("number", "prefix", "name", "valid_from", "valid_to"));
      Entry number = keys.get("number");
      Entry prefix = keys.get("prefix");
      if ((number == null) == (prefix == null)) {
        element.error("", "either number or prefix");
        continue;
      }
      Entry given = number == null ? prefix : number;
      if (given == null || given.text().isEmpty()) {
        element.error("", "a number");
        continue;
      }
      try {
        String digits =
            number == null
                ? Prefixes.read(given.text(), isInternational)
                : given.text().replace(" ", "");
        if (digits.isEmpty()) {
          given.error(given.text(), "a number; everything cannot be free");
          continue;
        }
        Entry name = keys.get("name");
        found.add(
            new FreeDestination(
                digits,
                number != null,
                name == null ? "free" : name.text(),
                validity(element, keys, zone),
                0));
      } catch (UnreadableException e) {
        given.error(given.text(), e.rule());
      }
    }
    return found;
  }

  private Validity validity(Entry element, Map<String, Entry> keys, ZoneId zone) {
    Entry from = keys.get("valid_from");
    Entry to = keys.get("valid_to");
    String fromText = from == null ? "" : from.text();
    String toText = to == null ? "" : to.text();
    try {
      return cells.validity(new Cells.Span(fromText, toText), zone);
    } catch (UnreadableException e) {
      element.error(fromText + " to " + toText, e.rule());
      return Validity.ALWAYS;
    }
  }

  // ------------------------------------------------------------------ single values

  private static int number(@Nullable Entry entry, int otherwise, int min, int max) {
    if (entry == null) {
      return otherwise;
    }
    String text = entry.text();
    if (text.matches("-?\\d{1,7}")) {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    }
    entry.error(text, "a whole number from " + min + " to " + max);
    return otherwise;
  }

  private static String choice(@Nullable Entry entry, String otherwise, List<String> known) {
    if (entry == null) {
      return otherwise;
    }
    String text = entry.text().toLowerCase(Locale.ROOT);
    if (known.contains(text)) {
      return text;
    }
    entry.error(entry.text(), "one of " + String.join(", ", known));
    return otherwise;
  }

  private static <E extends Enum<E>> E choice(
      @Nullable Entry entry, E otherwise, @Nullable E excluded) {
    if (entry == null) {
      return otherwise;
    }
    E[] values = otherwise.getDeclaringClass().getEnumConstants();
    String given = entry.text().toUpperCase(Locale.ROOT).replace('-', '_');
    for (E value : values) {
      if (value.name().equals(given) && value != excluded) {
        return value;
      }
    }
    String known =
        Arrays.stream(values)
            .filter(value -> value != excluded)
            .map(value -> value.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .collect(Collectors.joining(", "));
    entry.error(entry.text(), "one of " + known);
    return otherwise;
  }
}
