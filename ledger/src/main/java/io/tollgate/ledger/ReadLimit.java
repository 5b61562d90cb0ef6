package io.tollgate.ledger;

import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * For how long a read is tried again.
 *
 * @param giveUpAfter after this the last error is given back; null for never
 */
public record ReadLimit(@Nullable Duration giveUpAfter) implements Serializable {
  /** Tries until the ledger answers: for jobs, which can only wait. */
  public static final ReadLimit NEVER_GIVE_UP = new ReadLimit(null);

  /** Gives up after this time: for commands, behind which a person waits. */
  public static ReadLimit of(Duration giveUpAfter) {
    return new ReadLimit(giveUpAfter);
  }

  boolean isReached(long elapsedNanos) {
    return giveUpAfter != null && elapsedNanos >= giveUpAfter.toNanos();
  }
}
