package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.wire.tariff.TariffTopic;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
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
      "Exit code 1 if a message of the topic is not a tariff book."
    })
final class TariffHistoryCommand implements Callable<Integer> {
  private static final String ROW = "%-8s %-25s %6s %8s %12s %9s  %s%n";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    TariffTopic.History history = TariffPublication.topic(config.find().config()).read();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(toJson(history)));
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
        TariffBook book = entry.book();
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
      history.faults().forEach(fault -> out.println("not a tariff book: " + fault));
    }
    out.flush();
    return history.faults().isEmpty() ? 0 : 1;
  }

  private static int rates(TariffBook book) {
    return book.plans().stream().mapToInt(plan -> plan.rates().size()).sum();
  }

  private static ObjectNode toJson(TariffTopic.History history) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode versions = root.putArray("versions");
    for (TariffTopic.Entry entry : history.entries()) {
      ObjectNode node = versions.addObject();
      node.put("version", entry.book().version());
      node.put("published", Instant.ofEpochMilli(entry.publishedMillis()).toString());
      node.put("plans", entry.book().plans().size());
      node.put("rates", rates(entry.book()));
      node.put("assignments", entry.book().assignments().size());
      node.put("bytes", entry.bytes());
      node.put("digest", entry.book().digest());
    }
    ArrayNode faults = root.putArray("faults");
    history.faults().forEach(faults::add);
    return root;
  }
}
