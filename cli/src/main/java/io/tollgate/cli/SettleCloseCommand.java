package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.settlement.AccountingPeriods;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate settle close}. */
@Command(
    name = "close",
    mixinStandardHelpOptions = true,
    description =
        "Close an accounting month for ever: lines that are made later for its hours belong to the"
            + " next open month.")
final class SettleCloseCommand implements Callable<Integer> {
  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Option(
      names = "--month",
      paramLabel = "YYYY-MM",
      required = true,
      description = "accounting month, in UTC; over")
  private YearMonth month = YearMonth.of(2000, 1);

  @Option(
      names = "--by",
      converter = Amounts.Words.class,
      paramLabel = "NAME",
      required = true,
      description = "who closes it, for the record")
  private String person = "";

  @Override
  public Integer call() {
    if (!month.isBefore(YearMonth.from(clock.instant().atZone(ZoneOffset.UTC)))) {
      throw new ParameterException(
          spec.commandLine(), "--month: " + month + " (expected: a month that is over)");
    }
    TollgateConfig settings = config.find().config();
    boolean wasOpen =
        PostgresOfConfig.with(
            settings,
            connection -> AccountingPeriods.close(connection, month, person, clock.millis()));
    PrintWriter out = spec.commandLine().getOut();
    out.println(month + (wasOpen ? " is closed." : " had been closed before."));
    out.flush();
    return 0;
  }
}
