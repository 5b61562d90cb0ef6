package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.LoadSummary;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.localstack.CommandResult;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Back to a savepoint by command: what is missing is charged, and nothing else changes. */
class ReplayITCase {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int RECORDS = 3_000;

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private Installation installation;

  @AfterEach
  void cancelJobs() throws Exception {
    if (installation != null) {
      installation.cancelAll();
    }
  }

  @Test
  void fillsWhatIsMissingAndChangesNothingElse() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "replays");
    assertThat(installation.tollgate("savepoint", "list")).contains("No savepoint was taken");
    assertThat(failure("savepoint", "take", "--reason", "a test"))
        .contains("tollgate-rating of this installation does not run");
    String job = installation.submit(List.of(), "--fresh");
    installation.awaitState(job, "RUNNING");
    send(1);
    String savepoint =
        installation.tollgate("savepoint", "take", "--reason", "before the flood").strip();
    assertThat(installation.tollgate("savepoint", "list")).contains(savepoint, "before the flood");
    assertThat(installation.tollgate("savepoint", "inspect", savepoint))
        .contains("CANONICAL", "deduplicate-and-rate", "The topic reaches back; 0 records");

    LoadSummary second = send(2);
    Set<Charge> all = charges();
    try (Sabotage sabotage = new Sabotage(installation, STACK.stack())) {
      sabotage.loseEverything();
    }
    assertThat(installation.ledger()).isEmpty();

    long rated = second.expected(Outcome.RATED);
    long unrated = second.expected(Outcome.SUSPENDED);
    assertThat(installation.tollgate(replay(savepoint, "--dry-run")))
        .contains(
            String.format("%,d records are read again", RECORDS), "0 events have their charge")
        .contains("would be stopped");
    assertThat(installation.jobs().state(job)).isEqualTo("RUNNING");

    assertThat(installation.tollgate(replay(savepoint)))
        .contains(
            "0 events had their charge, unchanged; "
                + String.format("%,d", rated)
                + " had none and are charged now; "
                + unrated
                + " have none for a reason");
    assertThat(installation.jobs().state(job)).isEqualTo("FINISHED");
    Set<Charge> filled = charges();
    assertThat(filled).hasSize((int) rated);
    assertThat(all.containsAll(filled)).as("the same charges").isTrue();

    // Once more: everything is there.
    assertThat(installation.tollgate(replay(savepoint)))
        .contains(String.format("%,d", rated) + " events had their charge, unchanged; 0 had none");
    assertThat(charges().equals(filled)).as("unchanged").isTrue();
    assertThat(installation.tollgate("replay", "list")).contains("0 of " + unrated, "a test");
    assertThat(installation.tollgate("savepoint", "list")).contains("before replay");

    refusesWhatDoesNotFit(savepoint);
  }

  private void refusesWhatDoesNotFit(String savepoint) throws Exception {
    assertThat(failure("replay", "--reason", "a test")).contains("--from: missing");
    assertThat(failure("replay", "--from", savepoint)).contains("--reason: missing");
    assertThat(failure(replay("/no/such/savepoint")))
        .contains("/no/such/savepoint: no savepoint that can be read from here");
    installation.truncateCdrs();
    assertThat(failure(replay(savepoint)))
        .contains("The topic no longer reaches back to this savepoint", "partition 0: begins at");
    CommandResult inspected = installation.tryTollgate("savepoint", "inspect", savepoint);
    assertThat(inspected.exitCode()).as(inspected.output()).isEqualTo(3);

    Path folder = Path.of(savepoint.replaceFirst("^file:", ""));
    assertThat(folder).exists();
    installation.tollgate("savepoint", "drop", savepoint);
    assertThat(Files.exists(folder)).isFalse();
    assertThat(installation.tollgate("savepoint", "list")).doesNotContain("before the flood");
  }

  /** Whether a record came late is known only to the job that saw it come. */
  private Set<Charge> charges() {
    return installation.ledger().stream()
        .map(
            row ->
                new Charge(
                    row.cdr(),
                    row.fingerprint(),
                    row.origin(),
                    false,
                    row.rating(),
                    row.revision()))
        .collect(Collectors.toSet());
  }

  private static String[] replay(String savepoint, String... more) {
    List<String> line =
        new ArrayList<>(List.of("replay", "--from", savepoint, "--reason", "a test"));
    line.addAll(List.of(more));
    return line.toArray(String[]::new);
  }

  private String failure(String... arguments) {
    CommandResult result = installation.tryTollgate(arguments);
    assertThat(result.exitCode()).as(result.output()).isNotZero();
    return result.output();
  }

  /** Sends records of events that no other load has, and waits until all are done. */
  private LoadSummary send(long seed) throws Exception {
    LoadSummary summary;
    List<ControlTotal> totals;
    try (WatchedOutbox outbox = installation.outbox()) {
      summary =
          new OutboxLoad(
                  new CdrGenerator(
                      GeneratorSettings.clean(RECORDS, 100, seed).withShares(0, 0, 20_000, 0, 0)),
                  "load-" + seed,
                  500)
              .send(outbox, Progress.NONE);
      totals = outbox.totals();
    }
    installation.awaitOutcomes(totals, PATIENCE);
    installation.awaitCommitted();
    return summary;
  }
}
