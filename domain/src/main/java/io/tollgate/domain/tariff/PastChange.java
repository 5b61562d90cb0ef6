package io.tollgate.domain.tariff;

import java.time.Instant;

/**
 * A price of the past that a new book would change.
 *
 * @param plan name of the plan; empty if it is about which plan an account has
 * @param subject what it is about, for people: {@code VOICE +49}, an account, or a setting
 * @param fromMillis first moment whose price would change
 * @param toMillis first moment after them
 * @param change what was and what would be, for people
 * @param isRemoval whether it would leave no price at all
 */
public record PastChange(
    String plan, String subject, long fromMillis, long toMillis, String change, boolean isRemoval) {
  @Override
  public String toString() {
    return (plan.isEmpty() ? "" : "plan " + plan + ", ")
        + subject
        + ", from "
        + (fromMillis == Long.MIN_VALUE ? "ever" : Instant.ofEpochMilli(fromMillis).toString())
        + " to "
        + Instant.ofEpochMilli(toMillis)
        + ": "
        + change;
  }
}
