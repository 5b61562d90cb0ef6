package io.tollgate.ledger.gate;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A halt as it is raised.
 *
 * @param id given by whoever raises it, 1 to 100 letters, digits, dots, dashes, underscores and
 *     colons. The same id is the same halt: make it from what was found, or random
 * @param cause for people, in one sentence
 * @param raisedBy job or person
 * @param raisedAt for people only; nothing is decided by it
 * @param differences what cannot be explained, 1 to {@value #DIFFERENCES_MAX}. Whoever finds more
 *     names the first and says in words how many there are
 */
public record Halt(
    String id, String cause, String raisedBy, Instant raisedAt, List<Difference> differences) {
  /** Most differences of one halt. The open ones are read by every poll of the gate. */
  public static final int DIFFERENCES_MAX = 200;

  public Halt {
    if (!id.matches("[A-Za-z0-9._:-]{1,100}")) {
      throw new IllegalArgumentException(
          "halt id: '"
              + id
              + "' (expected: 1 to 100 letters, digits, dots, dashes, underscores and colons)");
    }
    if (cause.isBlank()) {
      throw new IllegalArgumentException("cause of halt " + id + ": blank (expected: a sentence)");
    }
    differences = List.copyOf(differences);
    if (differences.isEmpty() || differences.size() > DIFFERENCES_MAX) {
      throw new IllegalArgumentException(
          "differences of halt "
              + id
              + ": "
              + differences.size()
              + " (expected: 1 to "
              + DIFFERENCES_MAX
              + ")");
    }
    Set<String> ids = new HashSet<>();
    for (Difference difference : differences) {
      if (!ids.add(difference.id())) {
        throw new IllegalArgumentException(
            "difference " + difference.id() + " of halt " + id + ": twice (expected: once)");
      }
    }
  }
}
