package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.settlement.Rerates;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./tollgate rerate list}. */
@Command(name = "list", mixinStandardHelpOptions = true, description = "List the newest runs.")
final class RerateListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();
  @Mixin private ListLimit limit = new ListLimit();

  @Override
  public Integer call() {
    int most = limit.value(spec.commandLine());
    TollgateConfig settings = config.find().config();
    List<Rerates.Run> runs =
        PostgresOfConfig.with(settings, connection -> new Rerates(connection).newest(most));
    PrintWriter out = spec.commandLine().getOut();
    if (runs.isEmpty()) {
      out.println("No rerate was ever run.");
    }
    for (Rerates.Run run : runs) {
      Rerates.Order order = run.order();
      out.printf(
          Locale.ROOT,
          "%s  %s  %s to %s  correction %d%s  %s  %s: %s%n",
          order.run(),
          Instant.ofEpochMilli(order.startedMillis()),
          UsageHours.text(order.firstHour()),
          UsageHours.text(order.lastHour()),
          order.toCorrection(),
          order.dryRun() ? " (dry run)" : "",
          RerateReport.state(run),
          order.by(),
          order.reason());
    }
    out.flush();
    return 0;
  }
}
