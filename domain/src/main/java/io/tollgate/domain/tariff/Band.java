package io.tollgate.domain.tariff;

import java.util.List;

/**
 * A named stretch of the week, such as peak or off-peak: any of its rules makes it apply.
 *
 * @param name the word that rates use; not empty ({@code ""} stands for {@link #ANY})
 * @param rules one or more
 */
public record Band(String name, List<When> rules) {
  /**
   * The band of rates that name none: applies at every moment, and every declared band that applies
   * wins over it.
   */
  public static final Band ANY = new Band("", List.of(When.ALWAYS.withPriority(Integer.MIN_VALUE)));

  public Band {
    rules = List.copyOf(rules);
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("band " + name + ": no rule (expected: one or more)");
    }
  }

  /** Returns the name for people: {@code any time} for {@link #ANY}. */
  public String shownName() {
    return name.isEmpty() ? "any time" : name;
  }
}
