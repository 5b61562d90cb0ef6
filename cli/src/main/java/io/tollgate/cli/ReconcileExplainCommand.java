package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.settlement.ResultReader;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate reconcile explain}. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Show all that is recorded about a batch or a usage hour: what was expected, which outcomes"
          + " there are, what was read from the ledger, what is settled, and the differences.",
      "Exit code 1 if nothing is recorded about it."
    })
final class ReconcileExplainCommand implements Callable<Integer> {
  private static final Pattern HOUR = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d(:00(:00)?)?Z");

  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Parameters(
      paramLabel = "BATCH|HOUR",
      description = "id of a batch, or an hour in UTC such as 2026-03-01T09Z")
  private String what = "";

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "Rows of each table at most (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() throws JsonProcessingException {
    TollgateConfig settings = config.find().config();
    return HOUR.matcher(what).matches() ? explainHour(settings) : explainBatch(settings);
  }

  private int explainBatch(TollgateConfig settings) throws JsonProcessingException {
    ReconcileExplanation.OfBatch found =
        PostgresOfConfig.with(
            settings,
            connection ->
                ReconcileExplanation.ofBatch(
                    new ResultReader(connection), what, Math.max(1, limit)));
    if (found.batches().isEmpty() && !json) {
      return nothing();
    }
    if (json) {
      print(ReconcileJson.batches(found));
    } else {
      tables().print(found);
    }
    out().flush();
    return found.batches().isEmpty() ? 1 : 0;
  }

  private int explainHour(TollgateConfig settings) throws JsonProcessingException {
    long usageHour = usageHour();
    ReconcileExplanation.OfHour found =
        PostgresOfConfig.with(
            settings,
            connection ->
                ReconcileExplanation.ofHour(
                    new ResultReader(connection), usageHour, Math.max(1, limit)));
    boolean isKnown = !found.hours().isEmpty() || !found.differences().isEmpty();
    if (!isKnown && !json) {
      return nothing();
    }
    if (json) {
      print(ReconcileJson.hour(found));
    } else {
      tables().print(found);
    }
    out().flush();
    return isKnown ? 0 : 1;
  }

  private long usageHour() {
    try {
      return UsageHours.parse(what.replaceFirst("T(\\d\\d):00Z$", "T$1Z"));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private int nothing() {
    out().println("Nothing is recorded about " + CdrRules.shown(what) + ".");
    out().flush();
    return 1;
  }

  private void print(ObjectNode node) throws JsonProcessingException {
    out().println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(node));
  }

  private ReconcileTables tables() {
    return new ReconcileTables(out(), clock.millis());
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
