/**
 * The gate in front of the source: readers emit only while they hold a lease, which the enumerator
 * grants as long as the ledger says that charging may go on.
 */
@NullMarked
package io.tollgate.rating.gate;

import org.jspecify.annotations.NullMarked;
