package io.tollgate.ledger;

/** Another job holds the lease and is alive. */
public final class LeaseHeldException extends LedgerException {
  LeaseHeldException(String message) {
    super(message);
  }
}
