package io.tollgate.wire;

import io.tollgate.domain.outcome.Reason;

/**
 * Bytes that are not what they should be. Thrown for data, never for a fault of the program, so it
 * carries no stack trace: a flood of bad records must not cost more than a flood of good ones.
 */
public final class UnreadableException extends Exception {
  private final Reason reason;

  /**
   * Creates the exception.
   *
   * @param reason a REJECTED reason
   * @param detail what was found, where, and what was expected
   */
  public UnreadableException(Reason reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
  }

  /** Returns the reason to record. */
  public Reason reason() {
    return reason;
  }

  /** Returns what was found, where, and what was expected. */
  public String detail() {
    return String.valueOf(getMessage());
  }
}
