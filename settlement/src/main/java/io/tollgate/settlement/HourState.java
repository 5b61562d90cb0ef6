package io.tollgate.settlement;

/** How far a usage hour of a source is. */
public enum HourState {
  /** Something is still to come. */
  OPEN,
  /** Everything is there and agrees; not settled yet. */
  BALANCED,
  /** A confirmed difference concerns it. */
  MISMATCH,
  /** All that is owed stands in settlement lines. */
  SETTLED
}
