package io.tollgate.domain.tariff;

import java.util.Objects;

/**
 * Numbers that cost nothing, such as emergency and toll-free ones. Holds for VOICE, SMS and MMS and
 * comes before the rates of the same prefix; a longer prefix with a rate still wins over a free
 * prefix, never over an exact number.
 *
 * @param number the number, or the beginning of numbers
 * @param exact whether only this number is free
 * @param name for people
 * @param validity when
 * @param version version of the book that introduced it
 */
public record FreeDestination(
    String number, boolean exact, String name, Validity validity, long version) {
  public FreeDestination {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(validity, "validity");
    if (number.isEmpty()) {
      throw new IllegalArgumentException("free number: '' (expected: not empty)");
    }
  }

  /** Returns this declaration as introduced by another version. */
  public FreeDestination withVersion(long newVersion) {
    return new FreeDestination(number, exact, name, validity, newVersion);
  }
}
