package io.tollgate.config;

/** Tells that a value breaks the rule of its key; caught where the place is known. */
final class BadValue extends Exception {

  BadValue(String problem) {
    super(problem);
  }

  static BadValue of(String value, String rule) {
    return new BadValue("'" + value + "' (expected: " + rule + ")");
  }
}
