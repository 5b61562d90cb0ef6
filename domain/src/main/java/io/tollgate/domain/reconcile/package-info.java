/**
 * What reconciliation knows and decides: differences, and the results of comparing what sources
 * sent, what the rating job did and what the ledger holds.
 */
@NullMarked
package io.tollgate.domain.reconcile;

import org.jspecify.annotations.NullMarked;
