/** Rating: from a CDR and the tariff history to an amount, with its explanation. */
@NullMarked
package io.tollgate.domain.rating;

import org.jspecify.annotations.NullMarked;
