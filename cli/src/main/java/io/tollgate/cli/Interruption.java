package io.tollgate.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets Ctrl-C (or TERM) interrupt a thread that then clears up, and holds the program's end back
 * until that is done, two minutes at most.
 */
final class Interruption {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Thread worker;
  private final Thread hook = new Thread(this::interruptAndWait, "interruption");
  private final CountDownLatch done = new CountDownLatch(1);

  private Interruption(Thread worker) {
    this.worker = worker;
  }

  static Interruption reaches(Thread worker) {
    Interruption interruption = new Interruption(worker);
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /** To be called when the thread needs no more time. */
  void end() {
    done.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending, by the very hook that waited for this.
      return;
    }
  }

  private void interruptAndWait() {
    worker.interrupt();
    try {
      if (!done.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println("Gave up waiting after " + PATIENCE.toMinutes() + " min.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
