package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.ledger.gate.Resolution;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate void}. */
@Command(
    name = "void",
    mixinStandardHelpOptions = true,
    description = {
      "Make a charge count for nothing, for good: an entry of the correction history, and a"
          + " revision of zero beside the row, which stays as it is.",
      "Voiding it again changes nothing. Exit code 1 if there is no such charge."
    })
final class VoidCommand implements Callable<Integer> {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final long MILLIS_PER_HOUR = 3_600_000;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Parameters(index = "0", paramLabel = "ACCOUNT", description = "Account of the charge.")
  private String account = "";

  @Parameters(index = "1", paramLabel = "EVENT", description = "Event id of the charge.")
  private String event = "";

  @Option(
      names = "--hour",
      paramLabel = "HOUR",
      required = true,
      converter = UsageHourText.class,
      description = "Usage hour of the charge in UTC, as 2026-10-05T13Z.")
  private long hour;

  @Option(
      names = "--reason",
      paramLabel = "WHY",
      required = true,
      converter = Amounts.Words.class,
      description = "Why; kept in the correction history.")
  private String reason = "";

  @Option(names = "--dry-run", description = "Only show what would be voided.")
  private boolean dryRun;

  @Override
  public Integer call() throws InterruptedException {
    TollgateConfig settings = config.find().config();
    PrintWriter out = spec.commandLine().getOut();
    try (LedgerSession session = LedgerSession.open(Provision.connection(settings))) {
      List<Charge> rows = rows(session);
      if (rows.isEmpty()) {
        out.println(
            "No charge of account "
                + account
                + ", event "
                + event
                + " in hour "
                + UsageHours.text(hour)
                + " (expected: one; './tollgate ledger "
                + account
                + "' lists them)");
        out.flush();
        return 1;
      }
      Charge base = rows.get(0);
      Charge newest = rows.get(rows.size() - 1);
      String what =
          ChargeCorrection.key(base)
              + ", owed "
              + newest.rating().amount().toPlainString()
              + " "
              + newest.rating().currency();
      if (dryRun) {
        out.println("Would be voided: " + what);
      } else {
        long number =
            new ChargeCorrection(settings, Resolution.VOID, reason)
                .apply(session, base, base.cdr())
                .number();
        out.println("Voided by correction " + number + ": " + what);
      }
    }
    out.flush();
    return 0;
  }

  private List<Charge> rows(LedgerSession session) throws InterruptedException {
    return new LedgerReader(session, LedgerSchema.verify(session), ReadLimit.of(LONGEST))
        .findAround(account, event, hour * MILLIS_PER_HOUR).toCompletableFuture().join().stream()
            .filter(row -> row.usageHour() == hour)
            .sorted(Comparator.comparingLong(Charge::revision))
            .toList();
  }
}
