package io.tollgate.pricing.cgrates;

import java.time.ZoneId;
import java.util.Optional;

/**
 * What CGRateS files do not say and tariff files must.
 *
 * @param currency ISO 4217 code of all amounts
 * @param zone whose clock decides which band applies
 * @param isInternational whether prefixes of plain digits are country codes first, without {@code
 *     +}; otherwise they are compared as they stand
 * @param tenant whose profiles are imported; absent for those of the first one
 */
public record ImportSettings(
    String currency, ZoneId zone, boolean isInternational, Optional<String> tenant) {}
