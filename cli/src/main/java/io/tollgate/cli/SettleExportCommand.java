package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.settlement.ResultReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.YearMonth;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgate settle export}. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = {
      "Write the settled charges of a month of usage as CSV, a row for each charge with its"
          + " account.",
      "Charges that are not covered by a settlement line are left out, and the sums are compared"
          + " with the lines: exit code 1 and no file if they differ."
    })
final class SettleExportCommand implements Callable<Integer> {
  private static final Duration LONGEST_READ = Duration.ofSeconds(30);

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Option(
      names = "--month",
      paramLabel = "YYYY-MM",
      required = true,
      description = "month of the start of usage, in UTC")
  private YearMonth month = YearMonth.of(2000, 1);

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "the file; replaced if it exists (default: settled-YYYY-MM.csv)")
  private @Nullable Path file;

  @Override
  public Integer call() {
    TollgateConfig settings = config.find().config();
    Path target = (file == null ? Path.of("settled-" + month + ".csv") : file).toAbsolutePath();
    Path folder = target.getParent();
    if (Files.isDirectory(target) || folder == null || !Files.isDirectory(folder)) {
      throw new ParameterException(
          spec.commandLine(), "--out: " + target + " (expected: a file in a folder that exists)");
    }
    try (LedgerSession session = LedgerSession.open(Provision.connection(settings))) {
      LedgerReader ledger =
          new LedgerReader(session, LedgerSchema.verify(session), ReadLimit.of(LONGEST_READ));
      SettledExport.Summary summary =
          PostgresOfConfig.with(
              settings,
              connection -> {
                ResultReader reader = new ResultReader(connection);
                try {
                  return new SettledExport(ledger::partition, SettledExport.Lines.of(reader))
                      .write(month, target);
                } catch (IOException e) {
                  throw new UncheckedIOException(target + ": cannot be written: " + e, e);
                }
              });
      print(summary, target);
    }
    return 0;
  }

  private void print(SettledExport.Summary summary, Path target) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%s: %,d settled charges of %s%n", target, summary.charges(), month);
    summary
        .sums()
        .forEach((currency, sum) -> out.println("  " + sum.toPlainString() + " " + currency));
    if (summary.leftOut() > 0) {
      out.printf("  %,d charges are not settled yet and not in the file%n", summary.leftOut());
    }
    out.flush();
  }
}
