package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.tariff.Correction;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.wire.tariff.TariffTopic;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./tollgate tariff history}: what was published when. */
@Command(
    name = "history",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the published versions: when, how much, and the digest of what they say.",
      "Corrections stand before the version that they introduced, with their interval, their reason"
          + " and the hours whose charges still wait for a rerate.",
      "Exit code 1 if a message of the topic was refused: jobs go on without it."
    })
final class TariffHistoryCommand implements Callable<Integer> {
  private static final String ROW = "%-8s %-25s %6s %8s %12s %9s  %s%n";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    TollgateConfig settings = config.find().config();
    TariffTopic.Contents history = TariffPublication.topic(settings).read();
    return show(
        history, json, spec.commandLine().getOut(), prices -> HoursToRerate.of(settings, prices));
  }

  /** Prints what the topic holds, and returns the exit code. */
  static int show(
      TariffTopic.Contents history,
      boolean json,
      PrintWriter out,
      Function<Correction.Prices, HoursToRerate> hours)
      throws JsonProcessingException {
    if (json) {
      out.println(
          new ObjectMapper()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(toJson(history, hours)));
    } else {
      out.printf(
          Locale.ROOT,
          ROW,
          "version",
          "published",
          "plans",
          "rates",
          "assignments",
          "bytes",
          "digest");
      for (TariffTopic.Entry entry : history.entries()) {
        entry.correction().ifPresent(correction -> print(entry, correction, out, hours));
        if (entry.book().isEmpty()) {
          continue;
        }
        TariffBook book = entry.book().get();
        out.printf(
            Locale.ROOT,
            ROW,
            book.version(),
            Instant.ofEpochMilli(entry.publishedMillis()),
            book.plans().size(),
            rates(book),
            book.assignments().size(),
            entry.bytes(),
            book.digest().substring(0, 16));
      }
      history.faults().forEach(fault -> out.println("refused: " + fault));
    }
    out.flush();
    return history.faults().isEmpty() ? 0 : 1;
  }

  private static int rates(TariffBook book) {
    return book.plans().stream().mapToInt(plan -> plan.rates().size()).sum();
  }

  private static void print(
      TariffTopic.Entry entry,
      Correction correction,
      PrintWriter out,
      Function<Correction.Prices, HoursToRerate> hours) {
    out.println(
        "correction "
            + correction.number()
            + " at "
            + Instant.ofEpochMilli(entry.publishedMillis())
            + ": "
            + correction
            + ": "
            + correction.reason());
    if (correction instanceof Correction.Prices prices) {
      out.println("  " + hours.apply(prices).text(prices));
      prices.changes().forEach(change -> out.println("  " + change));
    }
  }

  private static ObjectNode toJson(
      TariffTopic.Contents history, Function<Correction.Prices, HoursToRerate> hours) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode versions = root.putArray("versions");
    ArrayNode corrections = root.putArray("corrections");
    for (TariffTopic.Entry entry : history.entries()) {
      entry
          .correction()
          .ifPresent(correction -> addJson(corrections.addObject(), entry, correction, hours));
      if (entry.book().isEmpty()) {
        continue;
      }
      TariffBook book = entry.book().get();
      ObjectNode node = versions.addObject();
      node.put("version", book.version());
      node.put("published", Instant.ofEpochMilli(entry.publishedMillis()).toString());
      node.put("plans", book.plans().size());
      node.put("rates", rates(book));
      node.put("assignments", book.assignments().size());
      node.put("bytes", entry.bytes());
      node.put("digest", book.digest());
    }
    ArrayNode faults = root.putArray("faults");
    history.faults().forEach(faults::add);
    return root;
  }

  private static void addJson(
      ObjectNode node,
      TariffTopic.Entry entry,
      Correction correction,
      Function<Correction.Prices, HoursToRerate> hours) {
    node.put("number", correction.number());
    node.put("published", Instant.ofEpochMilli(entry.publishedMillis()).toString());
    node.put("kind", kind(correction));
    node.put("reason", correction.reason());
    node.put("firstHour", CorrectionText.hour(correction.firstHour()));
    node.put("lastHour", CorrectionText.hour(correction.lastHour()));
    // A void and the like bring the row of the one charge that they concern.
    node.put(
        "waitsForRerate",
        correction instanceof Correction.Prices prices && hours.apply(prices).isWaiting());
    if (correction instanceof Correction.Prices prices) {
      node.put("version", prices.book().version());
      node.put("from", Instant.ofEpochMilli(prices.fromMillis()).toString());
      node.put("to", Instant.ofEpochMilli(prices.toMillis()).toString());
      ArrayNode changes = node.putArray("changes");
      prices.changes().forEach(changes::add);
    } else if (correction instanceof Correction.VoidCharge entryOfKey) {
      addKey(node, entryOfKey.key());
    } else if (correction instanceof Correction.Reprice entryOfKey) {
      addKey(node, entryOfKey.key());
    }
  }

  private static void addKey(ObjectNode node, Correction.ChargeKey key) {
    node.put("account", key.accountId());
    node.put("event", key.eventId());
  }

  private static String kind(Correction correction) {
    if (correction instanceof Correction.Prices) {
      return "prices";
    }
    return correction instanceof Correction.VoidCharge ? "void" : "price-anew";
  }
}
