package io.tollgate.config;

import java.io.Serializable;
import java.util.Objects;

/**
 * A text that must not be seen: a password, or a property that may hold one. Prints as {@code ***},
 * so that no log, message or dashboard shows it by accident.
 *
 * @param value the text itself, for the client that needs it and for nothing else
 */
public record Secret(String value) implements Serializable {
  private static final String MASK = "***";

  public Secret {
    Objects.requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return MASK;
  }
}
