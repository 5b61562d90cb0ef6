package io.tollgate.domain.rating;

import io.tollgate.domain.outcome.Reason;
import java.math.BigDecimal;
import java.util.List;

/** The answer of a {@link Rater}. */
public sealed interface Rating {

  /**
   * A price, with all that explains it.
   *
   * @param plan the rate plan assigned to the account at the start of usage
   * @param tariffVersion version of the book that introduced the matched rate; not the newest book
   * @param prefix the destination prefix that matched, empty for the catch-all
   * @param destination name of the destination, for people
   * @param chargedUsage usage that was billed, in the unit of the usage type (milliseconds, bytes
   *     or units), after increments, free usage and caps
   * @param steps what was billed where, in order of time; adds up to the amount before rounding
   * @param unroundedAmount exact sum of the steps and fees
   * @param amount what is owed: {@code unroundedAmount} rounded once, in the plan's mode, with
   *     exactly the plan's decimals as its scale
   * @param currency ISO 4217 code
   */
  record Priced(
      String plan,
      long tariffVersion,
      String prefix,
      String destination,
      long chargedUsage,
      List<Step> steps,
      BigDecimal unroundedAmount,
      BigDecimal amount,
      String currency)
      implements Rating {}

  /**
   * No price.
   *
   * @param reason one of the SUSPENDED reasons
   * @param detail for people: what was looked for, in which plan and version
   */
  record Unpriced(Reason reason, String detail) implements Rating {}

  /**
   * A stretch of usage billed at one rate, or a fee.
   *
   * @param what for people: name of the band and step, {@code connection fee}, {@code minimum
   *     charge} and so on
   * @param usage usage billed here in the unit of the usage type; 0 for a fee
   * @param rate price of one {@code per}; for a fee the fee
   * @param per usage that {@code rate} pays for, in the unit of the usage type; 0 for a fee
   * @param amount exact cost of this step; may be negative where a cap takes something back
   */
  record Step(String what, long usage, BigDecimal rate, long per, BigDecimal amount) {}
}
