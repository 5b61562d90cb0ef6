package io.tollgate.settlement;

/**
 * How far an hour is.
 *
 * @param waitingFor what is still to come, for people; empty if nothing
 */
record HourVerdict(HourState state, String waitingFor) {
  static final HourVerdict SETTLED = new HourVerdict(HourState.SETTLED, "");
}
