package io.tollgate.cli;

import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import java.util.List;
import java.util.Optional;

/**
 * What a resolution does to a difference, before it is recorded as acknowledged. All of it may be
 * repeated: a command that died between the deed and its record is run again.
 */
interface Resolver {

  /** Returns which resolution this is. */
  Resolution resolution();

  /** Returns why it does not fit a difference, with the resolutions that do; empty if it fits. */
  Optional<String> refusal(RecordedHalt halt, Difference difference);

  /** Returns what {@link #resolve} would do, line by line, without doing it. */
  List<String> plan(RecordedHalt halt, Difference difference) throws InterruptedException;

  /** Does it. The caller records the resolution once this has returned. */
  void resolve(RecordedHalt halt, Difference difference) throws InterruptedException;
}
