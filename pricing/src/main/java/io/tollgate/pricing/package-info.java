/** The pricing team's side: tariff files read, validated, compared and tried out. */
@NullMarked
package io.tollgate.pricing;

import org.jspecify.annotations.NullMarked;
