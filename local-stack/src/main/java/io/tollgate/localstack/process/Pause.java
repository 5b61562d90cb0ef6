package io.tollgate.localstack.process;

import java.time.Duration;

/** Waiting between two looks at something that another process does. */
public final class Pause {
  private Pause() {}

  /**
   * Waits.
   *
   * @throws StoppedWaitingException if this thread is interrupted
   */
  public static void of(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoppedWaitingException(e);
    }
  }

  /** The thread was interrupted while it waited for another process. */
  public static final class StoppedWaitingException extends RuntimeException {
    public StoppedWaitingException(InterruptedException cause) {
      super("interrupted while waiting for another process", cause);
    }
  }
}
