package io.tollgate.pricing;

import io.tollgate.pricing.Problem.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong with a tariff directory. */
public final class Problems {
  private final List<Problem> found = new ArrayList<>();
  private boolean hasErrors;

  public void add(Problem problem) {
    found.add(problem);
    hasErrors |= problem.severity() == Severity.ERROR;
  }

  public void error(String file, int line, int column, String field, String value, String rule) {
    add(new Problem(Severity.ERROR, file, line, column, field, value, "expected: " + rule));
  }

  public void warn(String file, int line, int column, String field, String value, String rule) {
    add(new Problem(Severity.WARNING, file, line, column, field, value, rule));
  }

  public boolean hasErrors() {
    return hasErrors;
  }

  /** Returns what was found, by file and place. */
  public List<Problem> sorted() {
    List<Problem> sorted = new ArrayList<>(found);
    sorted.sort(
        Comparator.comparing(Problem::file)
            .thenComparingInt(Problem::line)
            .thenComparingInt(Problem::column));
    return List.copyOf(sorted);
  }
}
