package io.tollgate.rating.gate;

import io.tollgate.ledger.gate.GateDecision;
import io.tollgate.ledger.gate.GateDecision.Pause;
import io.tollgate.ledger.gate.GateReading;
import io.tollgate.ledger.gate.GateWatch;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.metrics.MetricGroup;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The enumerator's side of the gate: asks the ledger some times a second and, as long as it is
 * open, grants each reader a lease. A verdict that closes the gate takes the leases back; where
 * that message does not arrive, they end by themselves.
 *
 * <p>Questions overlap, so that one slow answer does not let the leases lapse. They are not asked
 * by the worker thread of {@code callAsync}: that one is shared with the discovery of Kafka's
 * partitions, where a broker that does not answer would pause charging on all others. The clock
 * between them is the JDK's own timer; all state belongs to the coordinator's thread.
 */
public final class GateKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(GateKeeper.class);

  private final SplitEnumeratorContext<?> context;
  private final GateLedger ledger;
  private final GateSettings settings;
  private final LongSupplier nanoClock;
  private final Executor timer;
  private final GateWatch watch;
  private volatile GateLedger.@Nullable Connection connection;
  private final Set<Pause> warned = EnumSet.noneOf(Pause.class);
  private boolean failing;
  private volatile GateDecision decision;
  private volatile boolean closed;

  /** Creates a keeper that has asked nothing yet, so that the gate is closed. */
  public GateKeeper(SplitEnumeratorContext<?> context, GateLedger ledger, GateSettings settings) {
    this(
        context,
        ledger,
        settings,
        System::nanoTime,
        CompletableFuture.delayedExecutor(
            settings.poll().toNanos(), TimeUnit.NANOSECONDS, Runnable::run));
  }

  /**
   * Creates a keeper with a clock and a timer.
   *
   * @param timer runs what it is given after the time between two polls
   */
  GateKeeper(
      SplitEnumeratorContext<?> context,
      GateLedger ledger,
      GateSettings settings,
      LongSupplier nanoClock,
      Executor timer) {
    this.context = context;
    this.ledger = ledger;
    this.settings = settings;
    this.nanoClock = nanoClock;
    this.timer = timer;
    this.watch = new GateWatch(settings.rules());
    this.decision = watch.decide(nanoClock.getAsLong());
  }

  /** Connects, and begins to ask. */
  public void start() {
    MetricGroup metrics = context.metricGroup().addGroup("gate");
    metrics.gauge("state", () -> decision.state().code());
    metrics.gauge("pause", () -> decision.pause().map(GateDecision.Pause::code).orElse(0));
    metrics.gauge("reconcileRequired", () -> settings.rules().reconcileRequired() ? 1 : 0);
    LOG.info("The gate: {}", decision.explanation());
    context.callAsync(this::open, this::connected);
  }

  /** Grants a lease to a reader that is new, if the gate is open. */
  public void addReader(int subtask) {
    if (decision.isOpen()) {
      grant(subtask, nanoClock.getAsLong());
    }
  }

  /** Asks no more. Leases that were granted end by themselves. */
  public void close() {
    GateLedger.Connection open;
    synchronized (this) {
      closed = true;
      open = connection;
      connection = null;
    }
    if (open != null) {
      open.close();
    }
  }

  /** In a thread of its own. What is opened after closing is closed at once. */
  private boolean open() throws InterruptedException {
    GateLedger.Connection opened = ledger.open(() -> closed);
    synchronized (this) {
      if (!closed) {
        connection = opened;
        return true;
      }
    }
    opened.close();
    return false;
  }

  private void connected(@Nullable Boolean connected, @Nullable Throwable failure) {
    if (closed) {
      return;
    }
    if (connected == null) {
      throw new IllegalStateException("the gate could not be read", failure);
    }
    ask();
  }

  private void ask() {
    GateLedger.Connection open = connection;
    if (open == null) {
      return;
    }
    long askedNanos = nanoClock.getAsLong();
    open.read()
        .whenComplete(
            (reading, failure) -> inCoordinator(() -> heard(reading, failure, askedNanos)));
    timer.execute(() -> inCoordinator(this::ask));
  }

  private void heard(@Nullable GateReading reading, @Nullable Throwable failure, long askedNanos) {
    if (closed) {
      return;
    }
    if (reading == null) {
      sayOnceThatItFails(failure);
    } else {
      failing = false;
      watch.saw(reading, askedNanos);
    }
    decide();
    if (reading != null && decision.isOpen()) {
      long nowNanos = nanoClock.getAsLong();
      context.registeredReaders().keySet().forEach(subtask -> grant(subtask, nowNanos));
    }
  }

  private void decide() {
    GateDecision now = watch.decide(nanoClock.getAsLong());
    GateDecision before = decision;
    decision = now;
    if (!now.equals(before)) {
      say(now);
    }
    if (before.isOpen() && !now.isOpen()) {
      context
          .registeredReaders()
          .keySet()
          .forEach(subtask -> context.sendEventToSourceReader(subtask, new GateLease(0)));
    }
  }

  /** A lease runs from the question, however long its answer took. */
  private void grant(int subtask, long nowNanos) {
    Duration left = settings.lease().minusNanos(watch.answerAgeNanos(nowNanos));
    if (left.toMillis() > 0) {
      context.sendEventToSourceReader(subtask, new GateLease(left.toMillis()));
    }
  }

  private void sayOnceThatItFails(@Nullable Throwable failure) {
    if (!failing) {
      failing = true;
      LOG.info("The gate could not be read, trying again", failure);
    }
  }

  /** Warns of each reason once until the gate has been open again. */
  private void say(GateDecision now) {
    if (now.isOpen()) {
      warned.clear();
      LOG.info("The gate opens: {}", now.explanation());
    } else if (now.pause().isEmpty() || warned.add(now.pause().get())) {
      LOG.warn("The gate is closed: {}", now.explanation());
    } else {
      LOG.info("The gate is closed: {}", now.explanation());
    }
  }

  private void inCoordinator(Runnable step) {
    if (closed) {
      return;
    }
    try {
      context.runInCoordinatorThread(step);
    } catch (RejectedExecutionException e) {
      LOG.debug("The enumerator was closed meanwhile", e);
    }
  }
}
