package io.tollgate.pricing.cgrates;

import io.tollgate.pricing.cgrates.Finding.Kind;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects findings, each once: several plans may meet the same row. */
final class Findings {
  private final Set<Finding> found = new LinkedHashSet<>();
  private boolean hasFaults;

  void add(Finding finding) {
    found.add(finding);
    hasFaults |= finding.kind() == Kind.FAULT;
  }

  boolean hasFaults() {
    return hasFaults;
  }

  /** Returns what was found, by file and place. */
  List<Finding> sorted() {
    return found.stream()
        .sorted(
            Comparator.comparing(Finding::file)
                .thenComparingInt(Finding::line)
                .thenComparingInt(Finding::column))
        .toList();
  }
}
