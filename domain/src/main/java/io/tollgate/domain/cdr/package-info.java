/** The canonical call detail record, its identity and its content. */
@NullMarked
package io.tollgate.domain.cdr;

import org.jspecify.annotations.NullMarked;
