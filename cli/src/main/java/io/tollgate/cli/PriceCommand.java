package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.pricing.Explanation;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate price}: what usage costs by tariff files, offline. */
@Command(
    name = "price",
    mixinStandardHelpOptions = true,
    description = {
      "Prices one call, or files of CDRs, by tariff files; nothing need run.",
      "Exit code 1 if anything has no price or cannot be read."
    })
final class PriceCommand implements Callable<Integer> {
  private static final int SHOWN_BAD_LINES = 20;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--tariffs",
      paramLabel = "DIR",
      defaultValue = "tariffs",
      description = "Directory of the tariff files (default: ./tariffs).")
  private Path tariffs = Path.of("tariffs");

  @Option(names = "--account", paramLabel = "A", description = "Who pays.")
  private @Nullable String account;

  @Option(names = "--to", paramLabel = "N", description = "Called number, access point or code.")
  private String to = "";

  @Option(
      names = "--at",
      paramLabel = "T",
      description = "Start with its offset: 2024-06-05T10:00:00+02:00 or ...Z.")
  private @Nullable String at;

  @Option(
      names = "--duration",
      paramLabel = "D",
      description = "Seconds of a call (1.5 is 1,500 ms), bytes of data, or units.")
  private @Nullable BigDecimal duration;

  @Option(names = "--type", paramLabel = "T", description = "${COMPLETION-CANDIDATES}")
  private UsageType type = UsageType.VOICE;

  @Mixin private CdrFilesOption cdrs = new CdrFilesOption();

  @Option(
      names = "--json",
      description = "Print one JSON object a record, and for files a last one with the sums.")
  private boolean json;

  private final ObjectMapper mapper = new ObjectMapper();

  @Override
  public Integer call() throws JsonProcessingException {
    if (cdrs.areGiven() == (account != null)) {
      throw new ParameterException(
          spec.commandLine(), "Either --cdrs, or --account, --at and --duration.");
    }
    try {
      TariffBook book = TariffPublication.read(tariffs);
      return cdrs.areGiven() ? priceFiles(book) : priceOne(book);
    } catch (TariffPublication.RefusedException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    } finally {
      spec.commandLine().getOut().flush();
      spec.commandLine().getErr().flush();
    }
  }

  // ------------------------------------------------------------------ one record

  private int priceOne(TariffBook book) throws JsonProcessingException {
    Optional<Long> startMillis = startMillis();
    Optional<Long> usage = usage();
    if (startMillis.isEmpty() || usage.isEmpty()) {
      List<String> faults = new ArrayList<>();
      if (startMillis.isEmpty()) {
        faults.add("--at: " + at + " (expected: such as 2024-06-05T10:00:00Z)");
      }
      if (usage.isEmpty()) {
        faults.add("--duration: " + duration + " (expected: 0 or more, to the millisecond)");
      }
      throw new ParameterException(spec.commandLine(), String.join("\n", faults));
    }
    Cdr cdr =
        new Cdr(
            "price/1",
            String.valueOf(account),
            type,
            "",
            to.replace(" ", ""),
            startMillis.get(),
            0,
            usage.get(),
            "",
            Map.of(),
            "",
            "");
    Rating rating = book.rate(cdr);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          mapper.writerWithDefaultPrettyPrinter().writeValueAsString(RatingJson.of(cdr, rating)));
    } else if (rating instanceof Rating.Priced priced) {
      print(priced, book, out);
    } else if (rating instanceof Rating.Unpriced unpriced) {
      out.println("no price: " + unpriced.reason() + ", " + unpriced.detail());
    }
    return rating instanceof Rating.Priced ? 0 : 1;
  }

  private static void print(Rating.Priced priced, TariffBook book, PrintWriter out) {
    out.println("amount       " + priced.amount().toPlainString() + " " + priced.currency());
    out.println("plan         " + priced.plan());
    out.println(
        "destination  "
            + (priced.prefix().isEmpty() ? "*" : priced.prefix())
            + " "
            + priced.destination());
    out.println("billed       " + priced.chargedUsage());
    for (Rating.Step step : priced.steps()) {
      out.printf(
          Locale.ROOT,
          "  %-28s %12s x %s/%d = %s%n",
          step.what(),
          step.per() == 0 ? "" : step.usage(),
          step.rate().toPlainString(),
          step.per(),
          step.amount().toPlainString());
    }
    String rounding =
        book.plan(priced.plan())
            .map(
                plan ->
                    plan.roundingMode().name().toLowerCase(Locale.ROOT).replace('_', '-')
                        + " to "
                        + plan.decimals()
                        + " decimals")
            .orElse("");
    out.println(
        "sum          " + priced.unroundedAmount().toPlainString() + ", rounded " + rounding);
  }

  private Optional<Long> startMillis() {
    try {
      return Optional.of(OffsetDateTime.parse(String.valueOf(at)).toInstant().toEpochMilli());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private Optional<Long> usage() {
    BigDecimal given = duration;
    try {
      return given == null || given.signum() < 0
          ? Optional.empty()
          : Optional.of(
              type == UsageType.VOICE
                  ? given.movePointRight(3).longValueExact()
                  : given.longValueExact());
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  // ------------------------------------------------------------------ files

  private int priceFiles(TariffBook book) throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Totals totals = new Totals();
    List<String> refused =
        cdrs.read(
            cdr -> {
              Rating rating = book.rate(cdr);
              totals.add(rating);
              if (json) {
                out.println(line(RatingJson.of(cdr, rating)));
              } else if (rating instanceof Rating.Priced priced) {
                out.println(cdr.eventId() + ": " + Explanation.oneLine(priced));
              } else if (rating instanceof Rating.Unpriced unpriced) {
                out.println(cdr.eventId() + ": " + unpriced.reason() + ", " + unpriced.detail());
              }
            },
            bad -> {
              totals.badLines++;
              if (totals.badLines <= SHOWN_BAD_LINES) {
                err.println("bad line " + bad);
              }
            });
    refused.forEach(err::println);
    out.println(json ? mapper.writeValueAsString(totals.toJson()) : totals.toText());
    return totals.areAllPriced() && refused.isEmpty() ? 0 : 1;
  }

  private String line(ObjectNode node) {
    try {
      return mapper.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Counts and sums over all records. */
  private static final class Totals {
    private final Map<String, BigDecimal> sums = new TreeMap<>();
    private final Map<Reason, Long> unpriced = new EnumMap<>(Reason.class);
    private long priced;
    private long badLines;

    void add(Rating rating) {
      if (rating instanceof Rating.Priced one) {
        priced++;
        sums.merge(one.currency(), one.amount(), BigDecimal::add);
      } else if (rating instanceof Rating.Unpriced one) {
        unpriced.merge(one.reason(), 1L, Long::sum);
      }
    }

    boolean areAllPriced() {
      return unpriced.isEmpty() && badLines == 0;
    }

    String toText() {
      StringBuilder text = new StringBuilder();
      text.append(priced).append(" priced");
      unpriced.forEach(
          (reason, count) -> text.append(", ").append(count).append(' ').append(reason));
      text.append(", ").append(badLines).append(" bad lines");
      sums.forEach(
          (currency, sum) ->
              text.append(", ").append(sum.toPlainString()).append(' ').append(currency));
      return text.toString();
    }

    ObjectNode toJson() {
      ObjectNode root = JsonNodeFactory.instance.objectNode();
      ObjectNode summary = root.putObject("summary");
      summary.put("priced", priced);
      summary.put("badLines", badLines);
      ObjectNode reasons = summary.putObject("unpriced");
      unpriced.forEach((reason, count) -> reasons.put(reason.name(), count));
      ArrayNode amounts = summary.putArray("sums");
      sums.forEach(
          (currency, sum) ->
              amounts.addObject().put("currency", currency).put("amount", sum.toPlainString()));
      return root;
    }
  }
}
