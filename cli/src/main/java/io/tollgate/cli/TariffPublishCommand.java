package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.tariff.Publication;
import io.tollgate.domain.tariff.TariffBook;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate tariff publish}: makes the files count. */
@Command(
    name = "publish",
    mixinStandardHelpOptions = true,
    description = {
      "Checks the tariff files and publishes them as the next version, for running jobs too.",
      "Refused if a file has an error, or if a price of the past, or of the lead time from now"
          + " (tariffs.lead_time), would change. A price where there was none changes nothing.",
      "Publishing the same files again does nothing.",
      "With --correction the past may change: the entry is appended to the correction history, CDRs"
          + " of its interval get their new total beside the charge from then on, and the hours"
          + " that it touches wait for a rerate of what was charged before."
    })
final class TariffPublishCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      defaultValue = "tariffs",
      description = "Directory of the files (default: ./tariffs).")
  private Path directory = Path.of("tariffs");

  @Option(names = "--dry-run", description = "Only check the files and their errors.")
  private boolean dryRun;

  @Option(names = "--correction", description = "Change prices of the past. Needs --reason.")
  private boolean correction;

  @Option(
      names = "--reason",
      paramLabel = "WHY",
      description = "Why the past is corrected; kept in the history.")
  private Optional<String> reason = Optional.empty();

  @Override
  public Integer call() throws InterruptedException {
    if (correction != reason.filter(why -> !why.isBlank()).isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--correction and --reason WHY (expected: both or neither)");
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try {
      TariffBook files = TariffPublication.read(directory);
      if (dryRun) {
        out.println("Good, not published: digest " + files.digest());
        return 0;
      }
      TollgateConfig settings = config.find().config();
      Publication publication =
          TariffPublication.publish(settings, files, reason, Clock.systemUTC());
      TariffBook book = publication.book();
      out.println(
          publication.isNew()
              ? "Published as version " + book.version() + ", digest " + book.digest()
              : "Nothing new: version " + book.version() + " says the same");
      publication
          .correction()
          .ifPresent(
              entry -> {
                out.println("Correction " + entry.number() + ": " + entry);
                entry.changes().forEach(change -> out.println("  " + change));
                out.println(
                    "What was charged before waits for a rerate, in the hours "
                        + CorrectionText.hours(entry));
              });
      return 0;
    } catch (TariffPublication.RefusedException e) {
      err.println(e.getMessage());
      return 1;
    } finally {
      out.flush();
      err.flush();
    }
  }
}
