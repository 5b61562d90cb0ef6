/** The comparisons, free of Flink, and the operators around them. */
@NullMarked
package io.tollgate.reconcile.compare;

import org.jspecify.annotations.NullMarked;
