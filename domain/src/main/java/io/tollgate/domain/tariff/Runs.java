package io.tollgate.domain.tariff;

import io.tollgate.domain.tariff.Sheet.PriceStep;
import java.util.Arrays;

/** What was billed, in order of time: stretches of equal increments at one price. */
final class Runs {
  private static final int FIRST_CAPACITY = 2;

  private PriceStep[] steps = new PriceStep[FIRST_CAPACITY];
  private long[] usages = new long[FIRST_CAPACITY];
  private long[] increments = new long[FIRST_CAPACITY];
  private int size;

  void add(PriceStep step, long usage, long increment) {
    if (size > 0 && steps[size - 1] == step && increments[size - 1] == increment) {
      usages[size - 1] += usage;
      return;
    }
    if (size == steps.length) {
      steps = Arrays.copyOf(steps, size * 2);
      usages = Arrays.copyOf(usages, size * 2);
      increments = Arrays.copyOf(increments, size * 2);
    }
    steps[size] = step;
    usages[size] = usage;
    increments[size] = increment;
    size++;
  }

  int size() {
    return size;
  }

  PriceStep step(int i) {
    return steps[i];
  }

  long usage(int i) {
    return usages[i];
  }

  long increment(int i) {
    return increments[i];
  }

  /** Returns the usage of all runs. */
  long totalUsage() {
    long total = 0;
    for (int i = 0; i < size; i++) {
      total += usages[i];
    }
    return total;
  }

  /** Keeps the first runs only, the last of them with less usage. */
  void cut(int runs, long usageOfLast) {
    size = runs;
    if (usageOfLast == 0) {
      size--;
    } else {
      usages[size - 1] = usageOfLast;
    }
  }
}
