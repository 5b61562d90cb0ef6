package io.tollgate.pricing.cgrates;

import io.tollgate.pricing.cgrates.Finding.Kind;
import java.util.List;

/**
 * What an import gave.
 *
 * @param findings everything worth knowing, by file and place
 * @param plans how many plans were written; 0 if nothing was
 * @param rates how many lines of rates.csv
 * @param assignments how many lines of assignments.csv
 */
public record ImportReport(List<Finding> findings, int plans, int rates, int assignments) {
  /** Returns whether something could not be read; then nothing was written. */
  public boolean isUnreadable() {
    return count(Kind.FAULT) > 0;
  }

  /** Returns whether everything is in the files that were written. */
  public boolean isComplete() {
    return count(Kind.FAULT) == 0 && count(Kind.NOT_EXPRESSED) == 0;
  }

  /** Returns how many findings there are of a kind. */
  public long count(Kind kind) {
    return findings.stream().filter(finding -> finding.kind() == kind).count();
  }
}
