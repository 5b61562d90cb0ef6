/**
 * The ledger in Cassandra: its schema, its writer and its readers.
 *
 * <p>Every charge is one cell, written blindly; of two writes of one charge the earlier stands. So
 * a write may be repeated by anyone at any time and changes nothing, which is what makes retries,
 * replays and writers that should be dead harmless.
 */
@NullMarked
package io.tollgate.ledger;

import org.jspecify.annotations.NullMarked;
