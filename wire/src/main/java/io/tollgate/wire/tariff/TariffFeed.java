package io.tollgate.wire.tariff;

import io.tollgate.domain.rating.Rater;
import java.io.Serializable;

/**
 * The published tariff history as a rating subtask reads it. Read by the subtask itself and not as
 * a broadcast stream, because no CDR may be rated before the history was read to its end, and an
 * operator with two inputs cannot hold one of them back. Used from the task's thread only.
 */
public interface TariffFeed extends AutoCloseable {

  /** Opens feeds, one for each subtask. */
  interface Factory extends Serializable {
    /**
     * Opens a feed and reads the history to its present end. Waits for as long as that takes.
     *
     * @throws InterruptedException if the task is cancelled meanwhile
     */
    TariffFeed open() throws InterruptedException;
  }

  /** Returns the rater of the history that was read. */
  Rater rater();

  /** Returns the version of the newest book that was read; 0 if none was published. */
  long version();

  /** Returns the number of the last correction that was read; 0 if there is none. */
  default long correction() {
    return 0;
  }

  /** Reads what was published since, without waiting. */
  void poll();

  @Override
  void close();
}
