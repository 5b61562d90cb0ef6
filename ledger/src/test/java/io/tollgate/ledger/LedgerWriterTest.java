package io.tollgate.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerWriterTest {
  private static final LedgerLayout LAYOUT = LedgerLayout.always(new Placement(4, Set.of()));
  private static final LedgerLayout ONE_BUCKET = LedgerLayout.always(new Placement(1, Set.of()));

  private final AtomicLong numbers = new AtomicLong();
  private final CountingMetrics metrics = new CountingMetrics();

  @Test
  void flushedChargesAreInTheLedger() throws InterruptedException {
    FaultyLedger ledger = new FaultyLedger(1);
    List<Charge> charges = new ChargeGenerator(1).take(1000);

    write(ledger, charges);

    assertThat(ledger.charges()).containsExactlyInAnyOrderElementsOf(charges);
    assertThat(metrics.rows).isEqualTo(1000);
    assertThat(metrics.inFlight).isZero();
  }

  @Test
  void firstFailuresAreRepeatedUntilAllIsAcknowledged() throws InterruptedException {
    FaultyLedger ledger =
        new FaultyLedger(1)
            .failNext(
                FaultyLedger.writeTimeout(),
                new NoNodeAvailableException(),
                FaultyLedger.writeTimeout(),
                new OverloadedException(null));
    List<Charge> charges = new ChargeGenerator(1).take(200);

    write(ledger, charges);

    assertThat(ledger.charges()).containsExactlyInAnyOrderElementsOf(charges);
    assertThat(metrics.retries)
        .isEqualTo(
            Map.of(
                RequestFailure.TIMED_OUT, 2,
                RequestFailure.NO_NODE, 1,
                RequestFailure.OVERLOADED, 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void firstWritesStandUnderAnyFailures(long seed) throws InterruptedException {
    FaultyLedger ledger = new FaultyLedger(seed).failAtRandom(40);
    List<Charge> charges = new ChargeGenerator(seed).take(500);

    write(ledger, charges);
    // A second writer rates everything again, and wrongly.
    write(ledger, otherAmounts(charges));
    ledger.deliverLate();

    assertThat(ledger.charges()).containsExactlyInAnyOrderElementsOf(charges);
  }

  @Test
  void zombieThatWritesOnWithItsOldNumberStillCameFirst() throws InterruptedException {
    FaultyLedger ledger = new FaultyLedger(1);
    List<Charge> charges = new ChargeGenerator(1).take(100);
    LedgerWriter zombie = writer(ledger, WriterSettings.of(4, 10), LAYOUT);
    LedgerWriter successor = writer(ledger, WriterSettings.of(4, 10), LAYOUT);

    addAll(zombie, charges.subList(0, 50));
    zombie.flush();
    addAll(successor, otherAmounts(charges));
    successor.flush();
    addAll(zombie, charges);
    zombie.flush();

    // What the zombie had acknowledged stands, and so does what it writes late: it opened first.
    assertThat(ledger.charges()).containsExactlyInAnyOrderElementsOf(charges);
  }

  @Test
  void callerIsBlockedWhileTooManyRequestsAreUnanswered() throws Exception {
    FaultyLedger ledger = new FaultyLedger(1).holdAnswers();
    LedgerWriter writer = writer(ledger, WriterSettings.of(3, 1), LAYOUT);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    List<Charge> charges = new ChargeGenerator(1).take(10);
    Thread caller = start(() -> addAll(writer, charges), thrown);

    Awaitility.await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
    assertThat(ledger.heldRequests()).isEqualTo(3);

    ledger.answerHeld();
    caller.join();
    writer.flush();
    assertThat(thrown.get()).isNull();
    assertThat(ledger.charges()).hasSize(10);
  }

  @Test
  void flushReturnsOnlyAfterTheLastAnswer() throws Exception {
    FaultyLedger ledger = new FaultyLedger(1).holdAnswers();
    LedgerWriter writer = writer(ledger, WriterSettings.of(8, 100), LAYOUT);
    addAll(writer, new ChargeGenerator(1).take(5));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread caller = start(writer::flush, thrown);

    Awaitility.await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
    assertThat(ledger.heldRequests()).isPositive();
    assertThat(caller.isAlive()).isTrue();

    ledger.answerHeld();
    caller.join();
    assertThat(thrown.get()).isNull();
    assertThat(metrics.rows).isEqualTo(5);
  }

  @Test
  void waitEndsWhenTheTaskIsCancelled() throws Exception {
    FaultyLedger ledger = new FaultyLedger(1).holdAnswers();
    LedgerWriter writer = writer(ledger, WriterSettings.of(1, 1), LAYOUT);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread caller = start(() -> addAll(writer, new ChargeGenerator(1).take(2)), thrown);

    Awaitility.await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
    caller.interrupt();
    caller.join();

    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void refusalEndsTheWriterForGood() throws InterruptedException {
    FaultyLedger ledger =
        new FaultyLedger(1).failNext(new InvalidQueryException(null, "unconfigured table charges"));
    LedgerWriter writer = writer(ledger, WriterSettings.of(4, 10), LAYOUT);
    Charge charge = new ChargeGenerator(1).next();
    writer.add(charge);

    assertThatThrownBy(writer::flush)
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining("unconfigured table charges")
        .hasMessageContaining("expected:");
    assertThatThrownBy(() -> writer.add(charge)).isInstanceOf(LedgerException.class);
    assertThatThrownBy(writer::flush).isInstanceOf(LedgerException.class);
    assertThatThrownBy(writer::poll).isInstanceOf(LedgerException.class);
  }

  @Test
  void closedWriterTakesNothing() throws InterruptedException {
    LedgerWriter writer = writer(new FaultyLedger(1), WriterSettings.of(4, 10), LAYOUT);

    writer.close();

    assertThatThrownBy(() -> writer.add(new ChargeGenerator(1).next()))
        .hasMessageContaining("closed");
  }

  @Test
  void requestsAreFullWhereRowsShareTheirPartition() throws InterruptedException {
    FaultyLedger ledger = new FaultyLedger(1);
    LedgerWriter writer = writer(ledger, WriterSettings.of(4, 20), ONE_BUCKET);

    addAll(writer, new ChargeGenerator(1, Duration.ofMinutes(59)).take(90));
    writer.flush();

    assertThat(ledger.requestRows()).containsExactly(20, 20, 20, 20, 10);
  }

  @Test
  void requestsKeepTheBoundOfBytes() throws InterruptedException {
    FaultyLedger ledger = new FaultyLedger(1);
    WriterSettings settings = new WriterSettings(4, 100, 1024, 1000);
    LedgerWriter writer = writer(ledger, settings, ONE_BUCKET);

    addAll(writer, new ChargeGenerator(1, Duration.ofMinutes(59)).take(100));
    writer.flush();

    assertThat(ledger.requestRows()).allMatch(rows -> rows <= 3);
    assertThat(ledger.charges()).hasSize(100);
  }

  @Test
  void rowsWaitingOverManyHoursAreBounded() throws InterruptedException {
    FaultyLedger ledger = new FaultyLedger(1);
    WriterSettings settings = new WriterSettings(4, 50, 32_768, 10);
    LedgerWriter writer = writer(ledger, settings, LAYOUT);

    addAll(writer, new ChargeGenerator(1, Duration.ofDays(30)).take(100));

    assertThat(ledger.charges().size()).isBetween(90, 100);
    writer.flush();
    assertThat(ledger.charges()).hasSize(100);
  }

  private void write(FaultyLedger ledger, List<Charge> charges) throws InterruptedException {
    LedgerWriter writer = writer(ledger, WriterSettings.of(4, 10), LAYOUT);
    addAll(writer, charges);
    writer.flush();
    writer.close();
  }

  private LedgerWriter writer(FaultyLedger ledger, WriterSettings settings, LedgerLayout layout)
      throws InterruptedException {
    return new LedgerWriter(
        ledger,
        new WriteTimestamps(numbers::incrementAndGet),
        layout,
        settings,
        metrics,
        new Backoff(1, Duration.ofNanos(1000), Duration.ofMillis(1)),
        System::nanoTime);
  }

  private static void addAll(LedgerWriter writer, List<Charge> charges)
      throws InterruptedException {
    for (Charge charge : charges) {
      writer.add(charge);
    }
  }

  private static List<Charge> otherAmounts(List<Charge> charges) {
    List<Charge> others = new ArrayList<>();
    for (Charge charge : charges) {
      others.add(ChargeGenerator.withAmount(charge, "999.99"));
    }
    return others;
  }

  private static Thread start(Step step, AtomicReference<Throwable> thrown) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
              }
            });
    thread.start();
    return thread;
  }

  /** What a caller does on its own thread. */
  private interface Step {
    void run() throws InterruptedException;
  }

  /** Counts what a writer tells. */
  private static final class CountingMetrics implements WriterMetrics {
    private final Map<RequestFailure, Integer> retries = new EnumMap<>(RequestFailure.class);
    private int rows;
    private int inFlight;

    @Override
    public void acknowledged(int acknowledgedRows, long latencyNanos) {
      rows += acknowledgedRows;
    }

    @Override
    public void retried(RequestFailure failure) {
      retries.merge(failure, 1, Integer::sum);
    }

    @Override
    public void inFlight(int requests) {
      inFlight = requests;
    }
  }
}
