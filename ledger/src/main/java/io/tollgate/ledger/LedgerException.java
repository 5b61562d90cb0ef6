package io.tollgate.ledger;

/** The ledger refused, or cannot be used as it is. Trying the same again does not help. */
public class LedgerException extends RuntimeException {

  /** What is wrong, and what to do about it. */
  public LedgerException(String message) {
    super(message);
  }

  /** What is wrong, what to do about it, and what the driver said. */
  public LedgerException(String message, Throwable cause) {
    super(message, cause);
  }
}
