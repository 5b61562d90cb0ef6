/**
 * The tariff book: rate plans, bands, calendars and assignments, effective-dated, and how a CDR is
 * priced by them. {@link io.tollgate.domain.tariff.TariffBook} is the way in.
 */
@NullMarked
package io.tollgate.domain.tariff;

import org.jspecify.annotations.NullMarked;
