/** What travels between the operators. */
@NullMarked
package io.tollgate.reconcile.message;

import org.jspecify.annotations.NullMarked;
