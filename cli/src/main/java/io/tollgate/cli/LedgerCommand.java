package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tollgate ledger}. */
@Command(
    name = "ledger",
    description =
        "Shows what an account owes: its charges of a month in order of their start, and their sums"
            + " by currency. Of a charge that was corrected the newest revision counts and is"
            + " shown.",
    mixinStandardHelpOptions = true)
final class LedgerCommand implements Callable<Integer> {
  private static final Duration LONGEST_READ = Duration.ofSeconds(20);

  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Parameters(paramLabel = "ACCOUNT", description = "id of the account, as in the CDRs")
  private String account = "";

  @Option(
      names = "--month",
      paramLabel = "YYYY-MM",
      description = "month of the start of usage, in UTC (default: the current one)")
  private @Nullable YearMonth month;

  @Option(names = "--json", description = "one JSON object a line, with all that explains it")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    YearMonth wanted = wantedMonth();
    TollgateConfig settings = config.find().config();
    try (LedgerSession session = LedgerSession.open(Provision.connection(settings))) {
      LedgerReader ledger =
          new LedgerReader(session, LedgerSchema.verify(session), ReadLimit.of(LONGEST_READ));
      OwedCharges charges =
          new OwedCharges(
              ledger.account(account, firstHour(wanted), firstHour(wanted.plusMonths(1))));
      LedgerListing listing = new LedgerListing(spec.commandLine().getOut());
      if (json) {
        listing.printJson(charges);
      } else {
        listing.print(account, wanted, charges);
      }
    }
    return 0;
  }

  private YearMonth wantedMonth() {
    return month == null ? YearMonth.from(clock.instant().atZone(ZoneOffset.UTC)) : month;
  }

  private static long firstHour(YearMonth month) {
    return Placement.usageHour(
        month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli());
  }
}
