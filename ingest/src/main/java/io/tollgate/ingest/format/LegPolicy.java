package io.tollgate.ingest.format;

/** Which legs of a call are charged, where a switch writes each leg as a row of its own. */
public enum LegPolicy {
  /** The leg that placed the call. The usual choice, and the default. */
  A,
  /** The leg that the switch placed towards the called party. */
  B,
  /** Every row. */
  BOTH
}
