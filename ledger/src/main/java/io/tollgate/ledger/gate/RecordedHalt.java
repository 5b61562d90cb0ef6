package io.tollgate.ledger.gate;

import java.util.List;
import java.util.Optional;

/**
 * A halt with all that is recorded about it.
 *
 * @param halt as it was raised
 * @param acknowledgements at most one for each difference
 * @param savepoints of the jobs that were stopped because of it
 */
public record RecordedHalt(
    Halt halt, List<Acknowledgement> acknowledgements, List<HaltSavepoint> savepoints) {

  public RecordedHalt {
    acknowledgements = List.copyOf(acknowledgements);
    savepoints = List.copyOf(savepoints);
  }

  /** Returns the answer to a difference, if there is one. */
  public Optional<Acknowledgement> acknowledgementOf(String differenceId) {
    return acknowledgements.stream()
        .filter(acknowledgement -> acknowledgement.differenceId().equals(differenceId))
        .findFirst();
  }

  /** Returns the differences that have no resolution yet. */
  public List<Difference> unresolved() {
    return halt.differences().stream()
        .filter(difference -> acknowledgementOf(difference.id()).isEmpty())
        .toList();
  }

  /** Returns whether it still keeps the gate closed. */
  public boolean isOpen() {
    return !unresolved().isEmpty();
  }
}
