/** What proves that everything up to a point has been read. */
@NullMarked
package io.tollgate.reconcile.progress;

import org.jspecify.annotations.NullMarked;
