/**
 * The gate in front of charging: halts, their acknowledgements, and the heartbeat of
 * reconciliation.
 *
 * <p>A halt is closed by one row and ends by one row for each of its differences. No clock decides
 * anything: halts have ids, heartbeats have numbers, and whoever reads them ages them by a
 * monotonic clock of its own.
 */
@NullMarked
package io.tollgate.ledger.gate;

import org.jspecify.annotations.NullMarked;
