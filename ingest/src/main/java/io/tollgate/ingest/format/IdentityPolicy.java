package io.tollgate.ingest.format;

/** What to do with a row that carries no id of its own. */
public enum IdentityPolicy {
  /** Refuse it: it could not be told from a repeat, and a repeat must not be charged. */
  NATIVE,
  /**
   * Make the id from the content. Rows of one file that this cannot tell apart are sent to suspense
   * from the second one on: they may be two calls or one call written twice.
   */
  CONTENT
}
