/** The tariff history that CDRs are priced by. */
@NullMarked
package io.tollgate.rating.rate;

import org.jspecify.annotations.NullMarked;
