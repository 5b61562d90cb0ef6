/** Tariff plan files of CGRateS, read and turned into tariff files of our own. */
@NullMarked
package io.tollgate.pricing.cgrates;

import org.jspecify.annotations.NullMarked;
