package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.pricing.cgrates.CgratesImport;
import io.tollgate.pricing.cgrates.Finding;
import io.tollgate.pricing.cgrates.Finding.Kind;
import io.tollgate.pricing.cgrates.ImportReport;
import io.tollgate.pricing.cgrates.ImportSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Currency;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate tariff import-cgrates}: tariffs of CGRateS become ours. */
@Command(
    name = "import-cgrates",
    mixinStandardHelpOptions = true,
    description = {
      "Reads a CGRateS tariff plan (Timings, Destinations, Rates, DestinationRates, RatingPlans and"
          + " RatingProfiles, each a .csv file) and writes tariff files that price like it.",
      "Everything that they cannot express is listed with its place; so is what has no effect.",
      "Exit code 0 if everything was imported, 3 if something could not be expressed (the rest is"
          + " written), 1 if something cannot be read (nothing is written)."
    })
final class TariffImportCgratesCommand implements Callable<Integer> {
  static final int NOT_ALL_EXPRESSED = 3;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "DIR", description = "Directory of the CGRateS files.")
  private Path directory = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "OUT",
      description = "Directory to write; must not be there, or be empty.")
  private Path out = Path.of("");

  @Option(
      names = "--currency",
      paramLabel = "CODE",
      defaultValue = "XXX",
      description = "Currency of all amounts, which the files do not say (default: XXX, none).")
  private String currency = "XXX";

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      defaultValue = "UTC",
      description = "Clock that decides which timing applies (default: UTC).")
  private String zone = "UTC";

  @Option(
      names = "--prefixes",
      paramLabel = "international|literal",
      defaultValue = "international",
      description = "Whether 49 is +49, or is compared as it stands (default: international).")
  private String prefixes = "international";

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "Whose profiles to import (default: those of the first one).")
  private Optional<String> tenant = Optional.empty();

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    PrintWriter output = spec.commandLine().getOut();
    ImportReport report = imported();
    if (json) {
      output.println(
          new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(toJson(report)));
    } else {
      report.findings().forEach(output::println);
      output.println(summary(report));
    }
    output.flush();
    if (report.isUnreadable()) {
      return 1;
    }
    return report.isComplete() ? 0 : NOT_ALL_EXPRESSED;
  }

  private ImportReport imported() {
    ImportSettings settings = settings();
    try {
      return CgratesImport.run(directory, out, settings);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private ImportSettings settings() {
    try {
      boolean isInternational = prefixes.equals("international");
      if (!isInternational && !prefixes.equals("literal")) {
        throw new IllegalArgumentException(
            "--prefixes: " + prefixes + " (expected: international or literal)");
      }
      return new ImportSettings(currency(), zone(), isInternational, tenant);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private String currency() {
    try {
      return Currency.getInstance(currency).getCurrencyCode();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--currency: " + currency + " (expected: a code of ISO 4217 such as EUR)", e);
    }
  }

  private ZoneId zone() {
    try {
      if (!zone.matches("[A-Z]{3,4}") || zone.equals("UTC")) {
        return ZoneId.of(zone);
      }
    } catch (DateTimeException e) {
      // told below
    }
    throw new IllegalArgumentException(
        "--zone: " + zone + " (expected: a time zone such as Europe/Berlin or UTC)");
  }

  private String summary(ImportReport report) {
    if (report.isUnreadable()) {
      return report.count(Kind.FAULT) + " faults; nothing was written";
    }
    return "Wrote "
        + out
        + ": "
        + report.plans()
        + " plans, "
        + report.rates()
        + " rates, "
        + report.assignments()
        + " assignments; "
        + report.count(Kind.NOT_EXPRESSED)
        + " not expressed, "
        + report.count(Kind.NOTE)
        + " notes\nAmounts are in "
        + currency
        + ", times by the clock of "
        + zone
        + ", prefixes are "
        + prefixes
        + ", subjects are accounts";
  }

  private static ObjectNode toJson(ImportReport report) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("written", !report.isUnreadable());
    root.put("complete", report.isComplete());
    root.put("plans", report.plans());
    root.put("rates", report.rates());
    root.put("assignments", report.assignments());
    ArrayNode findings = root.putArray("findings");
    for (Finding finding : report.findings()) {
      ObjectNode node = findings.addObject();
      node.put("kind", finding.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
      node.put("file", finding.file());
      node.put("line", finding.line());
      node.put("column", finding.column());
      node.put("field", finding.field());
      node.put("value", finding.value());
      node.put("why", finding.why());
    }
    return root;
  }
}
