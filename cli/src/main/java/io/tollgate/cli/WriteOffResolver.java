package io.tollgate.cli;

import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import java.util.List;
import java.util.Optional;

/** Accepts a difference as it is. The record is all there is to do. */
final class WriteOffResolver implements Resolver {

  @Override
  public Resolution resolution() {
    return Resolution.WRITE_OFF;
  }

  @Override
  public Optional<String> refusal(RecordedHalt halt, Difference difference) {
    return Optional.empty();
  }

  @Override
  public List<String> plan(RecordedHalt halt, Difference difference) {
    return List.of("record that it is accepted as it is; the ledger stays unchanged");
  }

  @Override
  public void resolve(RecordedHalt halt, Difference difference) {
    // The acknowledgement, which the caller records, is the write-off.
  }
}
