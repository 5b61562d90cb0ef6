/** From confirmed differences to a closed gate. */
@NullMarked
package io.tollgate.reconcile.halt;

import org.jspecify.annotations.NullMarked;
