package io.tollgate.domain.outcome;

/** Why a record was not rated. The name is the code that users, metrics and receipts see. */
public enum Reason {
  /** The same identity and content were rated before. */
  SAME_CONTENT(Outcome.DUPLICATE),
  /** The same identity was rated with other content, or with another start. */
  OTHER_CONTENT(Outcome.CONFLICT),
  /** No plan is assigned to the account at the start of usage. */
  NO_PLAN(Outcome.SUSPENDED),
  /** The plan has no price for this destination and usage type. */
  NO_DESTINATION(Outcome.SUSPENDED),
  /** The plan prices this destination, but not at this moment. */
  NO_PRICE_AT_START(Outcome.SUSPENDED),
  /** The CDR has no usable identity of its own: told apart by content only, and seen twice. */
  INDISTINGUISHABLE(Outcome.SUSPENDED),
  /** The bytes are not a CDR in any accepted encoding. */
  UNREADABLE(Outcome.REJECTED),
  /** The encoding names a schema that this version does not know. */
  UNKNOWN_SCHEMA(Outcome.REJECTED),
  /** The headers source, batch and batch-seq are absent or malformed. */
  BAD_HEADERS(Outcome.REJECTED),
  /** The CDR was read and breaks a rule; see {@link io.tollgate.domain.cdr.CdrRules}. */
  INVALID(Outcome.REJECTED),
  /** The line of the file could not be made into a CDR; the source's collector said why. */
  BAD_LINE(Outcome.REJECTED);

  private final Outcome outcome;

  Reason(Outcome outcome) {
    this.outcome = outcome;
  }

  /** Returns the outcome that this reason stands for. */
  public Outcome outcome() {
    return outcome;
  }
}
