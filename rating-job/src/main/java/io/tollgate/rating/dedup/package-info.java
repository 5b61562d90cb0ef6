/** One outcome for each event: remembered events, conflicts, the ledger's word. */
@NullMarked
package io.tollgate.rating.dedup;

import org.jspecify.annotations.NullMarked;
