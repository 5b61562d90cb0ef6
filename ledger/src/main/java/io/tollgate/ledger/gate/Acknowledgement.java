package io.tollgate.ledger.gate;

import java.time.Instant;

/**
 * A person's answer to one difference of a halt. The first one of a difference stands.
 *
 * @param differenceId which difference
 * @param resolution what is done about it
 * @param reason why, for whoever asks a year later
 * @param who who decided
 * @param at for people only; nothing is decided by it
 */
public record Acknowledgement(
    String differenceId, Resolution resolution, String reason, String who, Instant at) {

  public Acknowledgement {
    if (reason.isBlank()) {
      throw new IllegalArgumentException(
          "reason of the resolution of " + differenceId + ": blank (expected: a sentence)");
    }
    if (who.isBlank()) {
      throw new IllegalArgumentException(
          "who resolved " + differenceId + ": blank (expected: a name)");
    }
  }
}
