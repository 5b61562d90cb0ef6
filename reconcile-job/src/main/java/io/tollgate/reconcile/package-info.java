/**
 * The job that proves, record by record, that what the sources sent, what the rating job says it
 * did and what the ledger holds are the same, and halts charging when they are not.
 */
@NullMarked
package io.tollgate.reconcile;

import org.jspecify.annotations.NullMarked;
