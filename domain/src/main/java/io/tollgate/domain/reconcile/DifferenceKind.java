package io.tollgate.domain.reconcile;

/** In which way sources, receipts and ledger disagree. The name is the code that users see. */
public enum DifferenceKind {
  /**
   * The source sent these records, the rating job has read past them, and no receipt names them.
   */
  MISSING_OUTCOME,
  /** Receipts name records that the source's control total does not hold. */
  SURPLUS_OUTCOME,
  /** Two control totals of one batch disagree on its records or usage. */
  CONTRADICTING_TOTALS,
  /** The usage of the batch's records does not add up to its control total. */
  USAGE_MISMATCH,
  /** A receipt says that these records were charged, and the ledger has no row for them. */
  MISSING_ROW,
  /** The ledger has rows that no receipt names. */
  SURPLUS_ROW,
  /** The row's amount is not what its content costs. */
  CHANGED_AMOUNT,
  /** The row's content is not what its fingerprint says. */
  CHANGED_CONTENT,
  /** One record of a batch has two rows. */
  DOUBLE_CHARGE,
  /** One call has charges in two usage hours that a wrong time zone could have made of it. */
  REPEATED_IDENTITY,
  /** Records called duplicates, and no row has their identity and content. */
  DUPLICATE_WITHOUT_ROW,
  /** Records that were suspended or rejected, and are not on the topic that keeps those. */
  MISSING_EVIDENCE,
  /** The batch's records came, and no control total within the source's deadline. */
  OVERDUE_TOTAL,
  /** A message of the topic of control totals cannot be read. Told, and never a reason to halt. */
  UNREADABLE_CONTROL,
  /** A file is missing in the source's sequence. */
  MISSING_FILE,
  /** The source has sent nothing for longer than its declared cadence. */
  SILENT_SOURCE,
  /** Fewer rows than settlement lines say, and nothing that explains it. */
  SETTLED_VANISHED,
  /** Rows are not what they were when they were found right, or not what was settled. */
  SETTLED_CHANGED
}
