package io.tollgate.domain.tariff;

import io.tollgate.domain.tariff.Sheet.PriceStep;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was billed, in order of time: stretches at one price, and of equal increments where a
 * maximum charge may have to cut between increments.
 */
final class Runs {
  private static final int MORE_CAPACITY = 4;
  private static final PriceStep[] NO_STEPS = {};
  private static final long[] NO_NUMBERS = {};

  // Nine calls of ten are one stretch, which needs no arrays (100 bytes less for each call).
  private @Nullable PriceStep firstStep;
  private long firstUsage;
  private long firstIncrement;
  private PriceStep[] moreSteps = NO_STEPS;
  private long[] moreUsages = NO_NUMBERS;
  private long[] moreIncrements = NO_NUMBERS;
  private int size;
  private final boolean keepsIncrements;

  /**
   * @param keepsIncrements whether stretches of other increments stay apart
   */
  Runs(boolean keepsIncrements) {
    this.keepsIncrements = keepsIncrements;
  }

  void add(PriceStep step, long usage, long increment) {
    if (size > 0
        && step(size - 1) == step
        && (!keepsIncrements || increment(size - 1) == increment)) {
      setUsage(size - 1, usage(size - 1) + usage);
      return;
    }
    if (size == 0) {
      firstStep = step;
      firstUsage = usage;
      firstIncrement = increment;
    } else {
      if (size > moreSteps.length) {
        int capacity = Math.max(MORE_CAPACITY, size * 2);
        moreSteps = Arrays.copyOf(moreSteps, capacity);
        moreUsages = Arrays.copyOf(moreUsages, capacity);
        moreIncrements = Arrays.copyOf(moreIncrements, capacity);
      }
      moreSteps[size - 1] = step;
      moreUsages[size - 1] = usage;
      moreIncrements[size - 1] = increment;
    }
    size++;
  }

  int size() {
    return size;
  }

  PriceStep step(int i) {
    return i == 0 ? Objects.requireNonNull(firstStep) : moreSteps[i - 1];
  }

  long usage(int i) {
    return i == 0 ? firstUsage : moreUsages[i - 1];
  }

  long increment(int i) {
    return i == 0 ? firstIncrement : moreIncrements[i - 1];
  }

  /** Returns the usage of all runs. */
  long totalUsage() {
    long total = 0;
    for (int i = 0; i < size; i++) {
      total += usage(i);
    }
    return total;
  }

  /** Keeps the first runs only, the last of them with less usage. */
  void cut(int runs, long usageOfLast) {
    size = runs;
    if (usageOfLast == 0) {
      size--;
    } else {
      setUsage(size - 1, usageOfLast);
    }
  }

  private void setUsage(int i, long usage) {
    if (i == 0) {
      firstUsage = usage;
    } else {
      moreUsages[i - 1] = usage;
    }
  }
}
