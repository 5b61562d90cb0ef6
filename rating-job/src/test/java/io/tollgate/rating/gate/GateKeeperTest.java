package io.tollgate.rating.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.ledger.gate.GateReading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class GateKeeperTest {
  private static final GateLease WHOLE = new GateLease(1_000);
  private static final GateLease TAKEN_BACK = new GateLease(0);

  private final Readers readers = new Readers();
  private final Answers ledger = new Answers();
  private final List<Runnable> timer = new ArrayList<>();
  private long nowNanos;

  @Test
  void grantsNothingBeforeTheHeartbeatAdvances() {
    GateKeeper keeper = keeper(true);
    readers.register(0);
    keeper.start();
    answer(7);
    keeper.addReader(0);
    tick();
    answer(7);
    assertThat(readers.take(0)).isEmpty();

    tick();
    answer(8);
    assertThat(readers.take(0)).containsExactly(WHOLE);
  }

  @Test
  void grantsAllReadersALeaseWithEachAnswerAndNewOnesAtOnce() {
    GateKeeper keeper = keeper(false);
    readers.register(0);
    readers.register(1);
    keeper.start();
    answer(1);
    assertThat(readers.take(0)).containsExactly(WHOLE);
    assertThat(readers.take(1)).containsExactly(WHOLE);

    pass(150);
    readers.register(2);
    keeper.addReader(2);
    assertThat(readers.take(2)).containsExactly(new GateLease(850));

    pass(50);
    tick();
    answer(1);
    for (int subtask = 0; subtask < 3; subtask++) {
      assertThat(readers.take(subtask)).containsExactly(WHOLE);
    }
  }

  @Test
  void newReaderGetsNoLeaseOnceTheLastAnswerIsOld() {
    GateKeeper keeper = keeper(false);
    keeper.start();
    answer(1);
    pass(1_000);
    readers.register(0);
    keeper.addReader(0);
    assertThat(readers.take(0)).isEmpty();
  }

  @Test
  void leaseRunsFromTheQuestionHoweverLongItsAnswerTook() {
    readers.register(0);
    GateKeeper keeper = keeper(false);
    keeper.start();
    pass(700);
    answer(1);
    assertThat(readers.take(0)).containsExactly(new GateLease(300));
  }

  @Test
  void slowAnswerDoesNotHoldBackTheNextQuestion() {
    readers.register(0);
    keeper(false).start();
    tick();
    tick();
    assertThat(ledger.open).hasSize(3);
  }

  @Test
  void takesLeasesBackWhenAHaltIsSeenAndGrantsNoneUntilItIsResolved() {
    readers.register(0);
    GateKeeper keeper = keeper(false);
    keeper.start();
    answer(1);
    readers.take(0);

    tick();
    ledger.answer(new GateReading(List.of("h-1"), OptionalLong.of(1)));
    readers.run();
    assertThat(readers.take(0)).containsExactly(TAKEN_BACK);

    readers.register(1);
    keeper.addReader(1);
    tick();
    ledger.answer(new GateReading(List.of("h-1"), OptionalLong.of(2)));
    readers.run();
    assertThat(readers.take(0)).isEmpty();
    assertThat(readers.take(1)).isEmpty();

    tick();
    answer(3);
    assertThat(readers.take(0)).containsExactly(WHOLE);
    assertThat(readers.take(1)).containsExactly(WHOLE);
  }

  @Test
  void startsClosedWhileAHaltIsOpenEvenIfReconciliationIsNotRequired() {
    readers.register(0);
    keeper(false).start();
    ledger.answer(new GateReading(List.of("h-1"), OptionalLong.empty()));
    readers.run();
    assertThat(readers.take(0)).isEmpty();
  }

  @Test
  void pausesWhenTheLedgerIsSilentForALeaseAndOpensByItself() {
    readers.register(0);
    keeper(false).start();
    answer(1);
    readers.take(0);

    for (int i = 0; i < 5; i++) {
      pass(200);
      tick();
      ledger.fail();
      readers.run();
    }
    assertThat(readers.take(0)).isEmpty();
    pass(200);
    tick();
    ledger.fail();
    readers.run();
    assertThat(readers.take(0)).containsExactly(TAKEN_BACK);

    pass(200);
    tick();
    answer(1);
    assertThat(readers.take(0)).containsExactly(WHOLE);
  }

  @Test
  void pausesWhenTheHeartbeatStandsStillAndOpensByItself() {
    readers.register(0);
    keeper(true).start();
    answer(1);
    tick();
    answer(2);
    assertThat(readers.take(0)).containsExactly(WHOLE);

    pass(180_001);
    tick();
    answer(2);
    assertThat(readers.take(0)).containsExactly(TAKEN_BACK);
    tick();
    answer(3);
    assertThat(readers.take(0)).containsExactly(WHOLE);
  }

  @Test
  void closedKeeperAsksNoMoreAndClosesItsConnection() {
    readers.register(0);
    GateKeeper keeper = keeper(false);
    keeper.start();
    keeper.close();
    answer(1);
    tick();
    assertThat(ledger.open).isEmpty();
    assertThat(ledger.isClosed).isTrue();
    assertThat(readers.take(0)).isEmpty();
  }

  @Test
  void refusalOfTheLedgerFailsTheJobInsteadOfWaitingForEver() {
    ledger.refusal = new IllegalStateException("no such user");
    assertThatThrownBy(() -> keeper(false).start()).hasRootCauseMessage("no such user");
  }

  @Test
  void connectionThatComesAfterClosingIsClosedAndNeverAsked() {
    GateKeeper keeper = keeper(false);
    ledger.meanwhile = keeper::close;
    keeper.start();
    assertThat(ledger.isClosed).isTrue();
    assertThat(ledger.open).isEmpty();
  }

  private GateKeeper keeper(boolean required) {
    GateSettings settings =
        GateSettings.of(
            required, Duration.ofSeconds(180), Duration.ofMillis(200), Duration.ofSeconds(1));
    return new GateKeeper(readers, ledger, settings, () -> nowNanos, timer::add);
  }

  private void answer(long heartbeat) {
    ledger.answer(new GateReading(List.of(), OptionalLong.of(heartbeat)));
    readers.run();
  }

  /** Lets the time between two polls pass for the timer. */
  private void tick() {
    List<Runnable> due = List.copyOf(timer);
    timer.clear();
    due.forEach(Runnable::run);
    readers.run();
  }

  private void pass(long millis) {
    nowNanos += Duration.ofMillis(millis).toNanos();
  }

  /** A ledger that answers when it is told to, the oldest question first. */
  @SuppressWarnings("serial") // never serialized
  private static final class Answers implements GateLedger, GateLedger.Connection {
    private final List<CompletableFuture<GateReading>> open = new ArrayList<>();
    private boolean isClosed;
    private RuntimeException refusal;
    private Runnable meanwhile = () -> {};

    @Override
    public Connection open(BooleanSupplier cancelled) {
      if (refusal != null) {
        throw refusal;
      }
      meanwhile.run();
      return this;
    }

    @Override
    public CompletionStage<GateReading> read() {
      CompletableFuture<GateReading> answer = new CompletableFuture<>();
      open.add(answer);
      return answer;
    }

    @Override
    public void close() {
      isClosed = true;
    }

    private void answer(GateReading reading) {
      open.remove(0).complete(reading);
    }

    private void fail() {
      open.remove(0).completeExceptionally(new IllegalStateException("no answer"));
    }
  }

  /** The enumerator's context: remembers what is sent, and runs steps when it is told to. */
  private static final class Readers implements SplitEnumeratorContext<SourceSplit> {
    private final Map<Integer, ReaderInfo> registered = new HashMap<>();
    private final Map<Integer, List<SourceEvent>> sent = new HashMap<>();
    private final List<Runnable> steps = new ArrayList<>();

    private void register(int subtask) {
      registered.put(subtask, new ReaderInfo(subtask, "here"));
    }

    private List<SourceEvent> take(int subtask) {
      List<SourceEvent> events = sent.remove(subtask);
      return events == null ? List.of() : events;
    }

    private void run() {
      List<Runnable> due = List.copyOf(steps);
      steps.clear();
      due.forEach(Runnable::run);
    }

    @Override
    public SplitEnumeratorMetricGroup metricGroup() {
      return UnregisteredMetricsGroup.createSplitEnumeratorMetricGroup();
    }

    @Override
    public void sendEventToSourceReader(int subtask, SourceEvent event) {
      assertThat(registered).containsKey(subtask);
      sent.computeIfAbsent(subtask, key -> new ArrayList<>()).add(event);
    }

    @Override
    public int currentParallelism() {
      return 3;
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
      return registered;
    }

    @Override
    public void assignSplits(SplitsAssignment<SourceSplit> assignment) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void signalNoMoreSplits(int subtask) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
      T value;
      try {
        value = callable.call();
      } catch (Exception e) {
        handler.accept(null, e);
        return;
      }
      handler.accept(value, null);
    }

    @Override
    public <T> void callAsync(
        Callable<T> callable, BiConsumer<T, Throwable> handler, long delay, long period) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void runInCoordinatorThread(Runnable step) {
      steps.add(step);
    }
  }
}
