package io.tollgate.cli;

import io.tollgate.domain.tariff.Assignment;
import io.tollgate.domain.tariff.Correction;
import io.tollgate.domain.tariff.RatePlan;
import io.tollgate.domain.tariff.RateRow;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.wire.tariff.TariffTopic;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate tariff show}: what a published version says. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = {
      "Shows a published version: plans, rates with the version that introduced each, assignments.",
      "Exit code 1 if there is no such version."
    })
final class TariffShowCommand implements Callable<Integer> {
  private static final String ROW = "  %-5s %-16s %-24s %-12s %12s %14s %10s %14s  v%-4d %s%n";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Parameters(paramLabel = "VERSION", arity = "0..1", description = "Default: the newest.")
  private Optional<Long> version = Optional.empty();

  @Override
  public Integer call() {
    TariffTopic.Contents contents = TariffPublication.topic(config.find().config()).read();
    return show(contents, version, spec.commandLine().getOut(), spec.commandLine().getErr());
  }

  /** Prints a version of what the topic holds, and returns the exit code. */
  static int show(
      TariffTopic.Contents contents, Optional<Long> version, PrintWriter out, PrintWriter err) {
    Optional<TariffBook> found =
        version.isEmpty()
            ? contents.history().newest()
            : contents.entries().stream()
                .flatMap(entry -> entry.book().stream())
                .filter(book -> book.version() == version.get())
                .findFirst();
    if (found.isEmpty()) {
      err.println(version.map(v -> "No version " + v).orElse("Nothing was published yet"));
      return 1;
    }
    for (Correction correction : contents.history().corrections()) {
      if (correction instanceof Correction.Prices prices
          && prices.book().version() == found.get().version()) {
        out.println("correction " + prices.number() + ": " + prices + ": " + prices.reason());
        prices.changes().forEach(change -> out.println("  " + change));
      }
    }
    print(found.get(), out);
    return 0;
  }

  private static void print(TariffBook book, PrintWriter out) {
    out.println("version " + book.version() + ", digest " + book.digest());
    for (RatePlan plan : book.plans()) {
      out.println();
      out.println(
          "plan "
              + plan.name()
              + ": "
              + plan.currency()
              + ", "
              + plan.zone()
              + ", "
              + plan.roundingMode().name().toLowerCase(Locale.ROOT).replace('_', '-')
              + " to "
              + plan.decimals()
              + " decimals, since version "
              + plan.version());
      out.printf(
          Locale.ROOT,
          ROW.replace("v%-4d", "%-5s"),
          "type",
          "prefix",
          "destination",
          "band",
          "from",
          "rate",
          "per",
          "increment",
          "since",
          "valid");
      for (RateRow row : plan.rates()) {
        out.printf(
            Locale.ROOT,
            ROW,
            row.usageType(),
            row.prefix().isEmpty() ? "*" : row.prefix(),
            row.destination(),
            row.band().isEmpty() ? "any" : row.band(),
            row.stepStart(),
            row.rate().toPlainString(),
            row.per(),
            row.initialIncrement() + "/" + row.increment(),
            row.version(),
            row.validity());
      }
    }
    out.println();
    for (Assignment assignment : book.assignments()) {
      out.println(
          "account "
              + assignment.key()
              + (assignment.kind() == Assignment.Kind.ACCOUNT ? "" : "*")
              + ": plan "
              + assignment.plan()
              + ", "
              + assignment.validity());
    }
    out.flush();
  }
}
