package io.tollgate.domain.tariff;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Rating cases in the form of {@code oracle/rating-cases.json}, each made into a book of its own
 * and a CDR.
 *
 * <p>What the form means here: several entries of {@code tariff} are successive plans, each until
 * the next begins; a bare number is nanoseconds for voice and raw units otherwise; {@code
 * seconds-as-given} is data counted in nanoseconds; {@code maxCostPolicy: disconnect} does not cap
 * the cost of a query; of several roundings the one with most decimals is the last.
 */
final class OracleCases {
  private static final BigDecimal NANOS_PER_SECOND = new BigDecimal("1000000000");

  private OracleCases() {}

  /** One case: a book, a CDR and what it must cost. */
  record Case(String id, TariffBook book, Cdr cdr, BigDecimal expected) {
    @Override
    public String toString() {
      return id;
    }
  }

  static List<Case> read(InputStream json) throws IOException {
    JsonNode root =
        new ObjectMapper()
            .enable(
                com.fasterxml.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .readTree(json);
    List<Case> cases = new ArrayList<>();
    for (JsonNode node : root.required("cases")) {
      String id = node.required("id").asText();
      try {
        cases.add(toCase(id, node, root.required("plans")));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("case " + id + ": " + e.getMessage(), e);
      }
    }
    return cases;
  }

  private static Case toCase(String id, JsonNode node, JsonNode plans) {
    UsageType type =
        UsageType.valueOf(node.required("usageType").asText().toUpperCase(Locale.ROOT));
    Cdr cdr =
        new Cdr(
            "oracle/" + id,
            "account",
            type,
            "",
            node.required("destination").asText(),
            Instant.parse(node.required("start").asText()).toEpochMilli(),
            0,
            usage(type, node.required("usage")),
            "ANSWERED",
            Map.of(),
            "",
            "");
    return new Case(
        id, book(node, plans, type), cdr, new BigDecimal(node.required("exactCost").asText()));
  }

  private static long usage(UsageType type, JsonNode usage) {
    BigDecimal amount = usage.required("amount").decimalValue();
    return switch (usage.required("unit").asText()) {
      case "seconds" -> amount.movePointRight(3).longValueExact();
      case "seconds-as-given" -> amount.multiply(NANOS_PER_SECOND).longValueExact();
      case "units" -> amount.longValueExact();
      default -> throw new IllegalArgumentException("unit: " + usage + " for " + type);
    };
  }

  private static TariffBook book(JsonNode node, JsonNode plans, UsageType type) {
    List<JsonNode> segments = new ArrayList<>();
    node.required("tariff").forEach(segments::add);
    segments.sort((a, b) -> activeFrom(a).compareTo(activeFrom(b)));
    boolean hasFee = node.path("connectFeeApplies").asBoolean(true);
    return TariffBook.builder(1)
        .plan(
            "plan",
            plan -> {
              plan.inMilliseconds();
              int decimals = 0;
              RoundingMode mode = RoundingMode.HALF_UP;
              for (int i = 0; i < segments.size(); i++) {
                JsonNode segment = segments.get(i);
                Validity validity =
                    i + 1 < segments.size()
                        ? Validity.between(activeFrom(segment), activeFrom(segments.get(i + 1)))
                        : Validity.since(activeFrom(segment));
                JsonNode bands =
                    plans.required(segment.required("plan").asText()).required("bands");
                for (int b = 0; b < bands.size(); b++) {
                  JsonNode band = bands.get(b);
                  String name = i + "/" + b + "/" + band.required("name").asText();
                  plan.band(name, when(band));
                  addRates(plan, name, band, prefix(segment), type, validity, hasFee);
                  if (band.required("rounding").required("decimals").asInt() > decimals) {
                    decimals = band.required("rounding").required("decimals").asInt();
                    mode = mode(band.required("rounding").required("mode").asText());
                  }
                }
              }
              return plan.rounding(mode, decimals);
            })
        .assignDefault("plan")
        .build();
  }

  private static void addRates(
      TariffBookBuilder.PlanBuilder plan,
      String bandName,
      JsonNode band,
      String prefix,
      UsageType type,
      Validity validity,
      boolean hasFee) {
    for (JsonNode step : band.required("steps")) {
      long from = amount(type, step.required("from"));
      plan.rate(
          rate -> {
            long increment = amount(type, step.required("increment"));
            rate.of(type, prefix, prefix)
                .band(bandName)
                .valid(validity)
                .from(from)
                .rate(step.required("rate").asText())
                .per(amount(type, step.required("per")))
                .rawIncrements(increment, increment);
            if (from == 0) {
              rate.connectionFee(hasFee ? band.required("connectFee").asText() : "0");
              if (band.path("maxCostPolicy").asText().equals("free")) {
                rate.maximum(band.required("maxCost").asText(), MaximumPolicy.CAP);
              }
            }
            return rate;
          });
    }
  }

  private static When when(JsonNode band) {
    When when =
        When.ALWAYS
            .between(
                LocalTime.parse(band.required("from").asText()).toSecondOfDay(),
                When.SECONDS_PER_DAY)
            .withPriority((int) Math.round(band.required("priority").asDouble() * 1000));
    if (band.path("weekDays").isArray()) {
      when =
          when.onWeekdays(
              ints(band.path("weekDays")).stream().mapToInt(d -> d == 0 ? 7 : d).toArray());
    }
    if (band.path("months").isArray()) {
      when = when.inMonths(ints(band.path("months")).stream().mapToInt(m -> m).toArray());
    }
    if (band.path("monthDays").isArray()) {
      when = when.onMonthDays(ints(band.path("monthDays")).stream().mapToInt(d -> d).toArray());
    }
    if (band.path("years").isArray()) {
      when = when.inYears(ints(band.path("years")));
    }
    return when;
  }

  private static List<Integer> ints(JsonNode array) {
    List<Integer> values = new ArrayList<>();
    array.forEach(value -> values.add(value.asInt()));
    return values;
  }

  private static long amount(UsageType type, JsonNode value) {
    if (value.isTextual() && value.asText().matches("[0-9.]+s")) {
      BigDecimal seconds = new BigDecimal(value.asText().replace("s", ""));
      return type == UsageType.VOICE
          ? seconds.movePointRight(3).longValueExact()
          : seconds.multiply(NANOS_PER_SECOND).longValueExact();
    }
    BigDecimal number = new BigDecimal(value.asText());
    return type == UsageType.VOICE
        ? number.movePointLeft(6).longValueExact()
        : number.longValueExact();
  }

  private static String prefix(JsonNode segment) {
    String prefix = segment.required("matchedPrefix").asText();
    return prefix.equals("*any") ? "" : prefix;
  }

  private static Instant activeFrom(JsonNode segment) {
    return Instant.parse(segment.required("activeFrom").asText());
  }

  private static RoundingMode mode(String name) {
    return switch (name) {
      case "half-up", "middle" -> RoundingMode.HALF_UP;
      case "up" -> RoundingMode.UP;
      case "down" -> RoundingMode.DOWN;
      default -> throw new IllegalArgumentException("rounding mode: " + name);
    };
  }
}
