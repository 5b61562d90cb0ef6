/** What became of a record: exactly one outcome each. */
@NullMarked
package io.tollgate.domain.outcome;

import org.jspecify.annotations.NullMarked;
