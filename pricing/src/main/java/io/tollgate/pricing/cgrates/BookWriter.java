package io.tollgate.pricing.cgrates;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.tariff.When;
import io.tollgate.pricing.cgrates.MappedPlan.MappedBand;
import io.tollgate.pricing.cgrates.MappedPlan.MappedRate;
import io.tollgate.pricing.cgrates.MappedPlan.Place;
import io.tollgate.pricing.cgrates.MappedPlan.Price;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes plans as tariff files. */
final class BookWriter {
  private static final List<String> WEEKDAYS =
      List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

  private final ImportSettings settings;

  BookWriter(ImportSettings settings) {
    this.settings = settings;
  }

  void write(List<MappedPlan> plans, Path directory) throws IOException {
    StringBuilder assignments = new StringBuilder("account,plan\n");
    for (MappedPlan plan : plans) {
      Path folder = directory.resolve("plans").resolve(plan.name());
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("plan.yaml"), planYaml(plan));
      Files.writeString(folder.resolve("rates.csv"), ratesCsv(plan));
      for (String account : plan.accounts()) {
        assignments.append(cell(account)).append(',').append(cell(plan.name())).append('\n');
      }
    }
    Files.writeString(directory.resolve("assignments.csv"), assignments);
  }

  // ------------------------------------------------------------------ plan.yaml

  private String planYaml(MappedPlan plan) {
    StringBuilder yaml = new StringBuilder(512);
    yaml.append("# Imported from the CGRateS rating plans ")
        .append(String.join(", ", plan.madeOf()).replaceAll("\\p{Cntrl}", " "))
        .append(".\n");
    yaml.append("currency: ").append(settings.currency()).append('\n');
    yaml.append("zone: ").append(settings.zone()).append('\n');
    yaml.append("rounding: {mode: ")
        .append(plan.mode().name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .append(", decimals: ")
        .append(plan.decimals())
        .append("}\n");
    yaml.append("billing: milliseconds\n");
    yaml.append("band_crossing: increment-start\n");
    yaml.append("price_change: split\n");
    yaml.append("prefixes: ")
        .append(settings.isInternational() ? "international" : "literal")
        .append('\n');
    yaml.append("usage_types: ").append(plan.types()).append('\n');
    if (!plan.bands().isEmpty()) {
      yaml.append("bands:\n");
      for (MappedBand band : plan.bands()) {
        yaml.append("  ").append(quoted(band.name())).append(": {");
        yaml.append(String.join(", ", conditions(band.when()))).append("}\n");
      }
    }
    return yaml.toString();
  }

  private static List<String> conditions(When when) {
    List<String> conditions = new ArrayList<>();
    if (when.weekdays() != When.ANY_WEEKDAY) {
      conditions.add("weekdays: [" + members(when.weekdays(), WEEKDAYS) + "]");
    }
    if (when.months() != When.ANY_MONTH) {
      conditions.add("months: [" + members(when.months(), MONTHS) + "]");
    }
    if (when.monthDays() != When.ANY_MONTH_DAY) {
      List<String> days = IntStream.rangeClosed(1, 31).mapToObj(Integer::toString).toList();
      conditions.add("month_days: [" + members(when.monthDays(), days) + "]");
    }
    if (!when.years().isEmpty()) {
      conditions.add("years: " + when.years());
    }
    if (when.fromSecond() > 0) {
      conditions.add("times: \"" + time(when.fromSecond()) + "-24:00\"");
    }
    conditions.add("priority: " + when.priority());
    return conditions;
  }

  private static String members(int mask, List<String> names) {
    return IntStream.range(0, names.size())
        .filter(i -> (mask & (1 << i)) != 0)
        .mapToObj(names::get)
        .collect(Collectors.joining(", "));
  }

  private static String time(int second) {
    String minutes = String.format("%02d:%02d", second / 3600, second / 60 % 60);
    return second % 60 == 0 ? minutes : minutes + String.format(":%02d", second % 60);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  // ------------------------------------------------------------------ rates.csv

  private String ratesCsv(MappedPlan plan) {
    StringBuilder csv = new StringBuilder(4096);
    csv.append(
        "prefix,destination,type,band,from,connection_fee,rate,per,increment,maximum,valid_from,"
            + "valid_to\n");
    for (MappedRate rate : plan.rates()) {
      Place place = rate.place();
      Price price = rate.price();
      boolean isFirst = place.from() == 0;
      String maximum = price.maximum() == null ? "" : price.maximum().toPlainString();
      String line =
          String.join(
              ",",
              cell(prefix(place)),
              cell(price.destination()),
              place.type().name(),
              cell(place.band()),
              isFirst ? "" : usage(place.type(), place.from()),
              isFirst ? price.connectionFee().toPlainString() : "",
              price.rate().toPlainString(),
              usage(place.type(), price.per()),
              usage(place.type(), price.increment()),
              maximum,
              Instant.ofEpochMilli(rate.fromMillis()).toString(),
              rate.toMillis() == Long.MAX_VALUE
                  ? ""
                  : Instant.ofEpochMilli(rate.toMillis()).toString());
      csv.append(line).append('\n');
    }
    return csv.toString();
  }

  private String prefix(Place place) {
    String prefix = place.prefix();
    boolean isNumber =
        place.type() == UsageType.VOICE
            || place.type() == UsageType.SMS
            || place.type() == UsageType.MMS;
    if (prefix.isEmpty()) {
      return "*";
    }
    boolean isPlain = isNumber && Character.isDigit(prefix.charAt(0));
    return isPlain && settings.isInternational() ? "short:" + prefix : prefix;
  }

  private static String usage(UsageType type, long usage) {
    if (type != UsageType.VOICE) {
      return Long.toString(usage);
    }
    return usage % 1000 == 0 ? Long.toString(usage / 1000) : usage + "ms";
  }

  private static String cell(String text) {
    boolean isPlain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
