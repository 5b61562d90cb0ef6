package io.tollgate.cli;

import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lets charging go on so that what never came, or never got an outcome, can be sent again by its
 * source. The difference ends when it has come; until then it does not halt again.
 */
final class ReplayResolver implements Resolver {
  private static final Set<DifferenceKind> FITTING =
      Set.of(
          DifferenceKind.MISSING_OUTCOME,
          DifferenceKind.MISSING_EVIDENCE,
          DifferenceKind.OVERDUE_TOTAL,
          DifferenceKind.MISSING_FILE,
          DifferenceKind.SILENT_SOURCE);

  @Override
  public Resolution resolution() {
    return Resolution.REPLAY;
  }

  @Override
  public Optional<String> refusal(RecordedHalt halt, Difference difference) {
    return FITTING.stream().anyMatch(kind -> kind.name().equals(difference.kind()))
        ? Optional.empty()
        : Optional.of(
            difference.kind() + " (expected for replay: one of " + names() + "; see repair)");
  }

  private static String names() {
    return String.join(", ", FITTING.stream().map(DifferenceKind::name).sorted().toList());
  }

  @Override
  public List<String> plan(RecordedHalt halt, Difference difference) {
    io.tollgate.domain.reconcile.Difference found =
        io.tollgate.domain.reconcile.Difference.ofPlace(difference.items());
    return List.of(
        "let charging go on; then send what is missing of source "
            + found.source()
            + (found.batch().isEmpty() ? "" : ", batch " + found.batch())
            + " again: ./tollgate ingest --resend --source "
            + found.source()
            + " FILE");
  }

  @Override
  public void resolve(RecordedHalt halt, Difference difference) {
    // The acknowledgement opens the gate; sending again is the source's part.
  }
}
