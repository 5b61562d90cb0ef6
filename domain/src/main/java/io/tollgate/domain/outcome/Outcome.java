package io.tollgate.domain.outcome;

/** What became of a record. Every record received has exactly one. */
public enum Outcome {
  /** Priced and charged: a row of the ledger. */
  RATED,
  /** The same event as a rated one, with the same content. Charged already, so not again. */
  DUPLICATE,
  /** The identity of a rated event with another content or start. Held in suspense. */
  CONFLICT,
  /** Valid, but there is no plan or price for it. Held in suspense until there is one. */
  SUSPENDED,
  /** Unreadable or invalid. Kept as a dead letter with its bytes. */
  REJECTED
}
