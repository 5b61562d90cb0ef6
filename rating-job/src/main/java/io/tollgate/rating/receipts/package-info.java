/** What was done with each record of a batch. */
@NullMarked
package io.tollgate.rating.receipts;

import org.jspecify.annotations.NullMarked;
