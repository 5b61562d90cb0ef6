/** Findings on their way to PostgreSQL. */
@NullMarked
package io.tollgate.reconcile.record;

import org.jspecify.annotations.NullMarked;
