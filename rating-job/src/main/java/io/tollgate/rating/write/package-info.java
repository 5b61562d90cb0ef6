/** Charges into the ledger, acknowledged before the barrier. */
@NullMarked
package io.tollgate.rating.write;

import org.jspecify.annotations.NullMarked;
