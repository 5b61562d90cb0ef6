package io.tollgate.reconcile.compare;

import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was declared of the sources.
 *
 * @param declared rules by id of the source
 * @param byDefault rules of sources that were not declared
 */
public record SourceRules(Map<String, Rules> declared, Rules byDefault) implements Serializable {
  /**
   * What was declared of a source.
   *
   * @param market market that its charges are settled for; empty for the id of the source
   * @param totalDeadline how long after the first record of a batch its control total may come
   * @param haltsWhenMissing whether what never comes halts charging, or is only told
   * @param cadence how often a file is expected; absent if that is not known
   * @param sequence pattern of file names, with one group for the number; absent if files are not
   *     numbered
   */
  public record Rules(
      String market,
      Duration totalDeadline,
      boolean haltsWhenMissing,
      @Nullable Duration cadence,
      @Nullable String sequence)
      implements Serializable {}

  /** Returns the rules of a source. */
  public Rules of(String source) {
    return declared.getOrDefault(source, byDefault);
  }

  /** Returns whether a source was declared. */
  public boolean knows(String source) {
    return declared.containsKey(source);
  }
}
