package io.tollgate.cli;

import io.tollgate.cli.SideTopic.Waiting;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tollgate redrive}. */
@Command(
    name = "redrive",
    description = {
      "Sends suspended or rejected records to the rating job again, with the source, batch and"
          + " batch-seq they had. Safe to repeat: what was charged meanwhile becomes a duplicate.",
      "Records in conflict are left where they are unless --reason OTHER_CONTENT names them."
    },
    mixinStandardHelpOptions = true)
final class RedriveCommand implements Callable<Integer> {
  /** What can be redriven. */
  enum What {
    SUSPENDED,
    REJECTED
  }

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Parameters(paramLabel = "suspended|rejected", description = "which records")
  private What what = What.SUSPENDED;

  @Option(names = "--reason", paramLabel = "REASON", description = "only those with this reason")
  private @Nullable Reason reason;

  @Option(names = "--source", paramLabel = "ID", description = "only those of this source")
  private @Nullable String source;

  @Option(names = "--account", paramLabel = "ID", description = "only those of this account")
  private @Nullable String account;

  @Option(names = "--dry-run", description = "only says what would be sent")
  private boolean dryRun;

  @Override
  public Integer call() throws InterruptedException {
    TollgateConfig settings = config.find().config();
    SideTopic topic =
        what == What.SUSPENDED ? SideTopic.suspended(settings) : SideTopic.rejected(settings);
    List<Waiting> chosen = topic.read().stream().filter(this::isChosen).toList();
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.isEmpty()) {
      out.println("Nothing to send again.");
      return 0;
    }
    Map<Reason, Long> counts =
        chosen.stream()
            .collect(Collectors.groupingBy(Waiting::reason, TreeMap::new, Collectors.counting()));
    if (dryRun) {
      out.println("Would send again: " + counts);
      return 0;
    }
    Redrive redrive = new Redrive(settings, topic.topic());
    Redrive.Report report = redrive.send(chosen);
    out.println("Sent again: " + report.sent() + " of " + chosen.size() + " " + counts);
    report.left().forEach(left -> out.println("Left where it is: " + left));
    return report.left().isEmpty() ? 0 : CommandLine.ExitCode.SOFTWARE;
  }

  private boolean isChosen(Waiting waiting) {
    boolean reasonFits =
        reason == null
            ? waiting.reason().outcome() != Outcome.CONFLICT
            : waiting.reason() == reason;
    Cdr cdr = waiting.cdr();
    return reasonFits
        && (source == null || waiting.record().origin().source().equals(source))
        && (account == null || (cdr != null && cdr.accountId().equals(account)));
  }
}
