package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.Acknowledgement;
import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code ./tollgate halt acknowledge}. */
@Command(
    name = "acknowledge",
    mixinStandardHelpOptions = true,
    description = {
      "Resolve the differences of a halt: all that have no resolution yet, or one of them. Charging"
          + " goes on when the last difference of the last halt is resolved.",
      "Safe to repeat. The first resolution of a difference stands."
    })
final class HaltAcknowledgeCommand implements Callable<Integer> {
  private static final String ALL = "all";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();
  @Mixin private Person person = new Person();

  @Parameters(
      paramLabel = "ID",
      description = "The halt, as './tollgate halt status' names it; all for every open one")
  private String haltId = "";

  @Option(names = "--difference", paramLabel = "D", description = "Only this difference")
  private @Nullable String differenceId;

  @Option(
      names = "--resolve",
      paramLabel = "HOW",
      required = true,
      converter = Words.class,
      description = "repair, replay, rerate, void or write-off")
  private Resolution resolution = Resolution.WRITE_OFF;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      converter = Amounts.Words.class,
      description = "Why, for others")
  private String reason = "";

  @Option(names = "--dry-run", description = "Only show what would be done")
  private boolean dryRun;

  @Override
  public Integer call() throws InterruptedException {
    TollgateConfig found = config.find().config();
    try (LedgerSession session = LedgerSession.open(Provision.connection(found))) {
      LedgerSchema.verify(session);
      HaltLog log = new HaltLog(session);
      Resolver resolver = resolver(found);
      List<RecordedHalt> halts = halts(log);
      for (RecordedHalt halt : halts) {
        requireFit(resolver, halt, chosen(halt));
      }
      for (RecordedHalt halt : halts) {
        for (Difference difference : chosen(halt)) {
          if (dryRun) {
            say(halt, difference, "would " + String.join("; ", resolver.plan(halt, difference)));
          } else {
            resolve(log, resolver, halt, difference);
          }
        }
      }
      if (!dryRun) {
        sayWhatIsLeft(log);
      }
    }
    return 0;
  }

  private List<RecordedHalt> halts(HaltLog log) throws InterruptedException {
    if (haltId.equals(ALL)) {
      return log.open();
    }
    return List.of(
        log.find(haltId)
            .orElseThrow(
                () -> usage("halt: " + haltId + " (expected: one of './tollgate halt status')")));
  }

  private void resolve(HaltLog log, Resolver resolver, RecordedHalt halt, Difference difference)
      throws InterruptedException {
    resolver.resolve(halt, difference);
    Acknowledgement wanted =
        new Acknowledgement(difference.id(), resolution, reason, person.name(), Instant.now());
    Acknowledgement standing = log.acknowledge(halt.halt().id(), wanted);
    say(
        halt,
        difference,
        HaltListing.word(standing.resolution())
            + (standing.resolution() == resolution ? "" : ", decided before by " + standing.who()));
  }

  private List<Resolver> resolvers(TollgateConfig config) {
    return List.of(
        new WriteOffResolver(),
        new ReplayResolver(),
        new RepairResolver(config, () -> TariffPublication.topic(config).read().history()),
        new CorrectionResolver(config, Resolution.RERATE, reason),
        new CorrectionResolver(config, Resolution.VOID, reason));
  }

  private Resolver resolver(TollgateConfig config) {
    List<Resolver> resolvers = resolvers(config);
    return resolvers.stream()
        .filter(each -> each.resolution() == resolution)
        .findFirst()
        .orElseThrow(
            () ->
                usage(
                    "--resolve: "
                        + HaltListing.word(resolution)
                        + " (expected: one of "
                        + resolvers.stream()
                            .map(each -> HaltListing.word(each.resolution()))
                            .toList()
                        + ", which this version can do)"));
  }

  private List<Difference> chosen(RecordedHalt halt) {
    if (differenceId == null) {
      return halt.unresolved();
    }
    List<Difference> chosen =
        halt.halt().differences().stream()
            .filter(difference -> difference.id().equals(differenceId))
            .toList();
    if (chosen.isEmpty()) {
      throw usage(
          "--difference: "
              + differenceId
              + " (expected: one of "
              + halt.halt().differences().stream().map(Difference::id).toList()
              + ")");
    }
    return chosen;
  }

  /** Refuses before the first deed, and names every difference that does not fit. */
  private void requireFit(Resolver resolver, RecordedHalt halt, List<Difference> chosen) {
    List<String> refusals = new ArrayList<>();
    for (Difference difference : chosen) {
      resolver
          .refusal(halt, difference)
          .ifPresent(refusal -> refusals.add(difference.id() + ": " + refusal));
    }
    if (!refusals.isEmpty()) {
      throw usage(String.join("\n", refusals));
    }
  }

  private void sayWhatIsLeft(HaltLog log) throws InterruptedException {
    List<RecordedHalt> open = log.open();
    PrintWriter out = spec.commandLine().getOut();
    if (open.isEmpty()) {
      out.println("No halt is open. A running job goes on within a second; a job that was stopped");
      out.println("is started from its savepoint, see ./tollgate halt status.");
    } else {
      open.forEach(
          halt ->
              out.println(
                  "Still halted by "
                      + halt.halt().id()
                      + ": "
                      + halt.unresolved().size()
                      + " differences without a resolution"));
    }
    out.flush();
  }

  private void say(RecordedHalt halt, Difference difference, String what) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(halt.halt().id() + ", difference " + difference.id() + ": " + what);
    out.flush();
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Resolutions as they are written: write-off for WRITE_OFF. */
  static final class Words implements ITypeConverter<Resolution> {
    @Override
    public Resolution convert(String word) {
      for (Resolution resolution : Resolution.values()) {
        if (HaltListing.word(resolution).equals(word.toLowerCase(Locale.ROOT))) {
          return resolution;
        }
      }
      throw new TypeConversionException(
          "'" + word + "' (expected: repair, replay, rerate, void or write-off)");
    }
  }
}
