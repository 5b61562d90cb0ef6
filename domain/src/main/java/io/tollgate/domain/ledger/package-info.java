/** What the ledger keeps of a rated CDR, and where it lies. */
@NullMarked
package io.tollgate.domain.ledger;

import org.jspecify.annotations.NullMarked;
