package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.pricing.TariffDiff;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate tariff diff}: what the same usage costs by two directories of tariff files. */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    description = {
      "Prices files of CDRs by old and new tariff files, and shows what would change: sums by"
          + " destination and account, and the records that move most.",
      "Exit code 1 only if something cannot be read."
    })
final class TariffDiffCommand implements Callable<Integer> {
  private static final String ROW = "%-28s %-4s %10s %10s %18s %18s %18s %9s%n";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "OLD", description = "Directory of the old tariff files.")
  private Path old = Path.of("");

  @Parameters(index = "1", paramLabel = "NEW", description = "Directory of the new tariff files.")
  private Path changed = Path.of("");

  @Mixin private CdrFilesOption cdrs = new CdrFilesOption();

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many lines of each table to show (default: 20).")
  private int top = 20;

  @Option(names = "--json", description = "Print one JSON object, for programs; not cut at --top.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    if (!cdrs.areGiven() || top < 1) {
      throw new ParameterException(spec.commandLine(), "--cdrs FILE, and --top of 1 or more.");
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try {
      TariffBook oldBook = TariffPublication.read(old);
      TariffBook newBook = TariffPublication.read(changed);
      TariffDiff diff = new TariffDiff(oldBook, newBook, top);
      List<String> faults = new ArrayList<>();
      faults.addAll(cdrs.read(diff::add, bad -> err.println("bad line " + bad)));
      faults.forEach(err::println);
      if (json) {
        out.println(
            new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(toJson(diff)));
      } else {
        print(diff, out);
      }
      return faults.isEmpty() ? 0 : 1;
    } catch (TariffPublication.RefusedException e) {
      err.println(e.getMessage());
      return 1;
    } finally {
      out.flush();
      err.flush();
    }
  }

  private void print(TariffDiff diff, PrintWriter out) {
    out.println(diff.differing() + " of " + diff.records() + " records would cost something else.");
    table("destination", diff.byDestination(), out);
    table("account", diff.byAccount(), out);
    out.println();
    out.println("Largest movers:");
    for (TariffDiff.Mover mover : diff.movers()) {
      out.println(
          "  "
              + signed(mover.difference())
              + "  "
              + shown(mover.oldRating())
              + " -> "
              + shown(mover.newRating())
              + "  "
              + mover.cdr().accountId()
              + " to "
              + mover.cdr().called()
              + " at "
              + Instant.ofEpochMilli(mover.cdr().startMillis())
              + "  "
              + mover.cdr().eventId());
    }
  }

  private void table(
      String first, List<Map.Entry<TariffDiff.Key, TariffDiff.Sum>> sums, PrintWriter out) {
    out.println();
    out.printf(
        Locale.ROOT,
        ROW,
        first,
        "",
        "records",
        "differing",
        "old",
        "new",
        "difference",
        "unpriced");
    sums.stream()
        .limit(top)
        .forEach(
            entry -> {
              TariffDiff.Sum sum = entry.getValue();
              out.printf(
                  Locale.ROOT,
                  ROW,
                  entry.getKey().name(),
                  entry.getKey().currency(),
                  sum.records(),
                  sum.differing(),
                  sum.oldAmount().toPlainString(),
                  sum.newAmount().toPlainString(),
                  signed(sum.difference()),
                  sum.oldUnpriced() + ">" + sum.newUnpriced());
            });
    if (sums.size() > top) {
      out.println("... and " + (sums.size() - top) + " more");
    }
  }

  private static String signed(BigDecimal amount) {
    return (amount.signum() > 0 ? "+" : "") + amount.toPlainString();
  }

  private static String shown(Rating rating) {
    if (rating instanceof Rating.Priced priced) {
      return priced.amount().toPlainString() + " " + priced.currency();
    }
    return ((Rating.Unpriced) rating).reason().name();
  }

  private static ObjectNode toJson(TariffDiff diff) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("records", diff.records());
    root.put("differing", diff.differing());
    sums(root.putArray("destinations"), diff.byDestination());
    sums(root.putArray("accounts"), diff.byAccount());
    ArrayNode movers = root.putArray("movers");
    for (TariffDiff.Mover mover : diff.movers()) {
      ObjectNode node = movers.addObject();
      node.put("difference", mover.difference().toPlainString());
      node.set("old", RatingJson.of(mover.cdr(), mover.oldRating()));
      node.set("new", RatingJson.of(mover.cdr(), mover.newRating()));
    }
    return root;
  }

  private static void sums(ArrayNode array, List<Map.Entry<TariffDiff.Key, TariffDiff.Sum>> sums) {
    for (Map.Entry<TariffDiff.Key, TariffDiff.Sum> entry : sums) {
      TariffDiff.Sum sum = entry.getValue();
      ObjectNode node = array.addObject();
      node.put("name", entry.getKey().name());
      node.put("currency", entry.getKey().currency());
      node.put("records", sum.records());
      node.put("differing", sum.differing());
      node.put("old", sum.oldAmount().toPlainString());
      node.put("new", sum.newAmount().toPlainString());
      node.put("difference", sum.difference().toPlainString());
      node.put("oldUnpriced", sum.oldUnpriced());
      node.put("newUnpriced", sum.newUnpriced());
    }
  }
}
