package io.tollgate.ledger;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * How long to wait before trying again: 50 ms at first, doubled each time up to 5 s, and then a
 * random half taken off, so that many writers do not come back at the same moment.
 */
public final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final int MAX_DOUBLINGS = 10;

  private final RandomGenerator random;
  private final long firstNanos;
  private final long longestNanos;

  Backoff(long seed) {
    this(seed, FIRST, LONGEST);
  }

  Backoff(long seed, Duration first, Duration longest) {
    random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    firstNanos = first.toNanos();
    longestNanos = longest.toNanos();
  }

  /** Creates waits that differ from those of other processes. */
  public static Backoff ofThisProcess() {
    return new Backoff(seedOfThisProcess());
  }

  /** Returns a seed that differs between processes, so that their waits differ. */
  static long seedOfThisProcess() {
    return ThreadLocalRandom.current().nextLong();
  }

  /**
   * Returns the wait after a failed attempt.
   *
   * @param failedAttempts attempts that failed so far, at least 1
   */
  public long delayNanos(int failedAttempts) {
    int doublings = Math.min(failedAttempts - 1, MAX_DOUBLINGS);
    long full = Math.min(firstNanos << doublings, longestNanos);
    return full / 2 + random.nextLong(full / 2 + 1);
  }
}
