package io.tollgate.ledger;

/** No node of the ledger's cluster answered. */
public final class LedgerUnreachableException extends LedgerException {

  LedgerUnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
