package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.cli.Provision;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.localstack.LocalStack;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Clean load while things fail, one after the other and chosen by a seed: at the end the ledger
 * equals the rating in memory, everything balances, and nothing was ever halted.
 *
 * <p>{@code -Dtollgate.soak.minutes=30 -Dtollgate.soak.seed=7} lets it run longer, or again.
 */
class SoakITCase {
  private static final long MINUTES = Long.getLong("tollgate.soak.minutes", 1);
  private static final long SEED = Long.getLong("tollgate.soak.seed", 1);
  private static final int BATCH = 250;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private LocalStack stack;
  private final List<String> done = new ArrayList<>();
  private Installation installation;
  private String rating;
  private String reconcile;
  private String savepoint;
  private volatile boolean loading = true;

  /** Something that fails, or that operations do. */
  private enum Fault {
    TASK_MANAGER_KILLED,
    RECONCILE_JOB_WITHOUT_STATE,
    RATING_JOB_DOWN,
    OLDER_SAVEPOINT,
    NO_STATE,
    POSTGRES_DOWN,
  }

  @AfterEach
  void cancelJobs() throws Exception {
    loading = false;
    threads.shutdown();
    if (installation != null) {
      installation.cancelAll();
    }
  }

  @Test
  void haltsForNothingWhileThingsFail() throws Exception {
    stack = STACK.stack();
    installation = new Installation(stack, STACK.folder(), "soak", Reconciliation.SETTINGS);
    rating = installation.submit(List.of(), "--fresh");
    reconcile = installation.submitReconcile(List.of());
    Future<List<ControlTotal>> load = threads.submit(this::load);

    SplittableRandom random = new SplittableRandom(SEED);
    long endNanos = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
    while (System.nanoTime() < endNanos) {
      Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
      done.add(fault.name());
      System.out.println("Soak of seed " + SEED + ": " + fault);
      happen(fault, random);
      installation.awaitState(rating, "RUNNING");
      // The time is part of the load: how far things come between two faults.
      Thread.sleep(random.nextInt(5_000, 15_000));
    }
    loading = false;
    List<ControlTotal> totals = load.get();

    assertThat(
            installation
                .verdict(totals, installation.awaitOutcomes(totals, PATIENCE))
                .differences())
        .as("seed " + SEED + ", " + done)
        .isEmpty();
    new Reconciliation(installation, stack).awaitBalanced(totals.size());
    try (LedgerSession session = LedgerSession.open(Provision.connection(installation.config()))) {
      assertThat(new HaltLog(session).halts()).as("seed " + SEED + ", " + done).isEmpty();
    }
  }

  private void happen(Fault fault, SplittableRandom random) throws Exception {
    switch (fault) {
      case TASK_MANAGER_KILLED -> {
        int number = random.nextInt(1, 3);
        stack.taskManager(number).kill();
        stack.taskManager(number).start();
      }
      case RECONCILE_JOB_WITHOUT_STATE -> {
        installation.cancel(reconcile);
        reconcile = installation.submitReconcile(List.of());
      }
      case RATING_JOB_DOWN -> {
        installation.awaitCheckpoints(rating, 1);
        savepoint = installation.stop(rating);
        Thread.sleep(random.nextInt(3_000, 10_000));
        rating = installation.submit(List.of("-s", savepoint));
      }
      case OLDER_SAVEPOINT -> {
        installation.cancel(rating);
        rating =
            savepoint == null
                ? installation.submit(List.of(), "--fresh")
                : installation.submit(List.of("-s", savepoint));
      }
      case NO_STATE -> {
        installation.cancel(rating);
        rating = installation.submit(List.of(), "--fresh");
      }
      case POSTGRES_DOWN -> {
        stack.postgres().stop();
        Thread.sleep(random.nextInt(3_000, 10_000));
        stack.postgres().start();
      }
    }
  }

  /** Some hundred records a second, with duplicates, conflicts, late and bad ones among them. */
  private List<ControlTotal> load() throws Exception {
    try (WatchedOutbox outbox = installation.outbox()) {
      for (long seed = SEED * 1_000_000; loading; seed++) {
        CdrGenerator generator =
            new CdrGenerator(
                GeneratorSettings.clean(BATCH, 100, seed)
                    .withShares(50_000, 5_000, 25_000, 10_000, 5_000));
        new OutboxLoad(generator, "load-" + seed, BATCH).send(outbox, Progress.NONE);
        Thread.sleep(500);
      }
      return outbox.totals();
    }
  }
}
