/**
 * What reconciliation found and what is settled, in PostgreSQL: schema, writing, settling, reading.
 */
@NullMarked
package io.tollgate.settlement;

import org.jspecify.annotations.NullMarked;
