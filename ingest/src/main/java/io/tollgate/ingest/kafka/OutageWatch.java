package io.tollgate.ingest.kafka;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Tells people when Kafka stops acknowledging while records wait, and when it goes on. */
final class OutageWatch implements AutoCloseable {
  private static final long SILENCE_SECONDS = 10;

  private final String bootstrap;
  private final long timeoutSeconds;
  private final Consumer<String> messages;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong acknowledged = new AtomicLong();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "outage-watch");
            thread.setDaemon(true);
            return thread;
          });
  private long acknowledgedBefore;
  private long silentSeconds;

  OutageWatch(String bootstrap, Duration timeout, Consumer<String> messages) {
    this.bootstrap = bootstrap;
    this.timeoutSeconds = timeout.toSeconds();
    this.messages = messages;
    var unused = clock.scheduleAtFixedRate(this::everySecond, 1, 1, TimeUnit.SECONDS);
  }

  void sent() {
    sent.incrementAndGet();
  }

  void acknowledged() {
    acknowledged.incrementAndGet();
  }

  /** Runs on this watch's own thread only. */
  void everySecond() {
    long now = acknowledged.get();
    long waiting = sent.get() - now;
    if (now > acknowledgedBefore || waiting == 0) {
      if (silentSeconds >= SILENCE_SECONDS) {
        messages.accept("Kafka at " + bootstrap + " answers again");
      }
      acknowledgedBefore = now;
      silentSeconds = 0;
      return;
    }
    silentSeconds++;
    if (silentSeconds % SILENCE_SECONDS == 0) {
      messages.accept(
          "Kafka at "
              + bootstrap
              + " has acknowledged nothing for "
              + silentSeconds
              + " s; "
              + waiting
              + " records wait; trying for "
              + timeoutSeconds
              + " s in all");
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
