package io.tollgate.rerate;

import java.math.BigDecimal;

/**
 * What the corrections of a run change.
 *
 * @param account who pays
 * @param destination name of the destination
 * @param currency ISO 4217 code
 * @param charges for how many charges
 * @param before what was owed for these
 * @param after what is owed for them now
 */
public record Change(
    String account,
    String destination,
    String currency,
    long charges,
    BigDecimal before,
    BigDecimal after) {
  /** Returns what is added up together. */
  String key() {
    return account + "\n" + destination + "\n" + currency;
  }

  Change plus(Change other) {
    return new Change(
        account,
        destination,
        currency,
        charges + other.charges,
        before.add(other.before),
        after.add(other.after));
  }
}
