package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.settlement.Operations;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./tollgate replay list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "List the newest replays and what came of them.")
final class ReplayListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();
  @Mixin private ListLimit limit = new ListLimit();

  @Override
  public Integer call() {
    int most = limit.value(spec.commandLine());
    TollgateConfig settings = config.find().config();
    List<Operations.Replay> replays =
        PostgresOfConfig.with(settings, connection -> new Operations(connection).replays(most));
    PrintWriter out = spec.commandLine().getOut();
    if (replays.isEmpty()) {
      out.println("Nothing was ever replayed by command.");
    }
    for (Operations.Replay replay : replays) {
      out.printf(
          Locale.ROOT,
          "%s  %s  from %s  %,d records, %,d charges there, %s  %s: %s%n",
          Instant.ofEpochMilli(replay.startedMillis()),
          replay.id(),
          replay.from(),
          replay.records(),
          replay.there(),
          replay.finishedMillis() < 0
              ? "not seen to catch up"
              : replay.filled() + " of " + replay.missing() + " missing filled",
          replay.by(),
          replay.reason());
    }
    out.flush();
    return 0;
  }
}
