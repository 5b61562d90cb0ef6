package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.cli.explain.Explainer;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.ingest.format.SourceProfile;
import io.tollgate.settlement.ResultReader;
import io.tollgate.wire.SeqText;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;
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
      "Show all that is known about a batch or a usage hour: what was expected, which outcomes"
          + " there are, what was read from the ledger, what is settled, and the differences; of"
          + " records that are missing or too many, where they are in the topic, among the"
          + " receipts, in the ledger, on the side topics and in their file, and the likely"
          + " reasons.",
      "Without PostgreSQL, Kafka or Cassandra it shows what the others know, and says so.",
      "Exit code 1 if nothing is known about it, 2 for wrong usage."
    })
final class ReconcileExplainCommand implements Callable<Integer> {
  private static final int MOST_RECORDS = 10_000;
  private static final Pattern LIKE_A_DAY = Pattern.compile("^\\d{4}-\\d\\d?-\\d\\d?");
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

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "20",
      description = "Records of each batch that are looked up (default: ${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--seq",
      paramLabel = "SEQS",
      defaultValue = "",
      description =
          "Look up these records of the batch whether they disagree or not, such as 3-5,17.")
  private String seqs = "";

  @Option(
      names = "--file",
      paramLabel = "PATH",
      description =
          "The batch's file or its folder, to show the lines (default: the working directory).")
  private @Nullable Path file;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "2m",
      converter = Amounts.DurationText.class,
      description = "How long is looked at most (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ZERO;

  @Override
  public Integer call() throws JsonProcessingException, InterruptedException {
    RoaringBitmap wanted = checked();
    boolean isHour = HOUR.matcher(what).matches();
    long usageHour = isHour ? usageHour() : -1;
    TollgateConfig settings = config.find().config();
    List<String> silent = new ArrayList<>();
    ReconcileExplanation.@Nullable Recorded recorded = recorded(settings, usageHour, silent);
    RecordProgress progress = RecordProgress.on(spec.commandLine().getErr());
    Explainer.Answer answer =
        new Explainer(
                settings,
                Provision.connection(settings),
                source -> profile(settings, source),
                System.nanoTime() + timeout.toNanos(),
                progress)
            .answer(
                new Explainer.Question(
                    isHour ? "" : what,
                    usageHour,
                    recorded == null ? List.of() : recorded.keys(),
                    recorded == null ? null : recorded.differences(),
                    wanted,
                    records,
                    file));
    progress.end();
    silent.addAll(answer.unavailable());
    answer = new Explainer.Answer(answer.batches(), answer.differences(), answer.places(), silent);
    boolean isKnown = isKnown(recorded, answer);
    if (json) {
      ObjectNode node = recorded == null ? JsonNodeFactory.instance.objectNode() : recorded.json();
      ExplanationJson.addTo(node, answer);
      print(node);
    } else {
      print(recorded, answer, isKnown);
    }
    out().flush();
    return isKnown ? 0 : 1;
  }

  private RoaringBitmap checked() {
    List<String> faults = new ArrayList<>();
    if (limit < 1) {
      faults.add("--limit: " + limit + " (expected: 1 or more)");
    }
    if (records < 1 || records > MOST_RECORDS) {
      faults.add("--records: " + records + " (expected: 1 to " + MOST_RECORDS + ")");
    }
    if (timeout.toSeconds() < 1 || timeout.toDays() > 1) {
      faults.add("--timeout: " + timeout + " (expected: 1s to 1d)");
    }
    if (what.isBlank()) {
      faults.add("BATCH|HOUR: blank (expected: a batch or an hour such as 2026-03-01T09Z)");
    }
    if (LIKE_A_DAY.matcher(what).find() && !HOUR.matcher(what).matches()) {
      faults.add(
          "hour: "
              + CdrRules.shown(what)
              + " (expected: a full hour in UTC such as 2026-03-01T09Z)");
    }
    RoaringBitmap wanted = new RoaringBitmap();
    try {
      wanted = SeqText.parse(seqs);
    } catch (IllegalArgumentException e) {
      faults.add("--seq: " + e.getMessage());
    }
    if (!seqs.isEmpty() && HOUR.matcher(what).matches()) {
      faults.add("--seq: " + seqs + " (expected: with a batch, not with an hour)");
    }
    if (!faults.isEmpty()) {
      throw new ParameterException(spec.commandLine(), String.join("\n", faults));
    }
    return wanted;
  }

  private ReconcileExplanation.@Nullable Recorded recorded(
      TollgateConfig settings, long usageHour, List<String> silent) {
    try {
      return PostgresOfConfig.with(
          settings,
          connection ->
              usageHour < 0
                  ? ReconcileExplanation.ofBatch(new ResultReader(connection), what, limit)
                  : ReconcileExplanation.ofHour(new ResultReader(connection), usageHour, limit));
    } catch (IllegalStateException e) {
      silent.add(
          e.getMessage()
              + " - what was recorded is not known; of the differences only those that halted");
      return null;
    }
  }

  private static Optional<SourceProfile> profile(TollgateConfig settings, String source) {
    return settings.sources().containsKey(source)
        ? Optional.of(SourceArguments.declared(settings, source))
        : Optional.empty();
  }

  private static boolean isKnown(
      ReconcileExplanation.@Nullable Recorded recorded, Explainer.Answer answer) {
    return (recorded != null && recorded.isKnown())
        || !answer.differences().isEmpty()
        || !answer.places().isEmpty()
        || answer.batches().values().stream()
            .anyMatch(batch -> !batch.said().isEmpty() || !batch.rated().isEmpty());
  }

  private void print(
      ReconcileExplanation.@Nullable Recorded recorded, Explainer.Answer answer, boolean isKnown) {
    ReconcileTables tables = new ReconcileTables(out(), clock.millis());
    ExplanationText text = new ExplanationText(out(), tables);
    if (!isKnown) {
      out().println("Nothing is recorded about " + CdrRules.shown(what) + ".");
    }
    if (recorded instanceof ReconcileExplanation.OfBatch ofBatch) {
      tables.print(ofBatch);
    } else if (recorded instanceof ReconcileExplanation.OfHour ofHour && isKnown) {
      tables.print(ofHour);
    }
    text.print(
        answer.places(),
        recorded instanceof ReconcileExplanation.OfHour ofHour ? ofHour.partitions() : List.of());
    text.print(answer);
  }

  private long usageHour() {
    try {
      return UsageHours.parse(what.replaceFirst("T(\\d\\d):00Z$", "T$1Z"));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private void print(ObjectNode node) throws JsonProcessingException {
    out().println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(node));
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
