package io.tollgate.config;

import org.jspecify.annotations.Nullable;

/**
 * A key of {@code tollgate.yaml} with everything that is known about it. The page {@code
 * docs/configuration.md} is made from these.
 *
 * @param path dotted name; {@code *} stands for a name that the user chooses
 * @param type what its value may be
 * @param defaultYaml the value when the key is absent, as it would stand in the file; null if there
 *     is none
 * @param required whether it must be given wherever its parent is
 * @param reason what it does, and why the default is what it is
 */
record Key<T>(
    String path, ValueType<T> type, @Nullable String defaultYaml, boolean required, String reason) {

  static <T> Key<T> withDefault(String path, ValueType<T> type, String defaultYaml, String reason) {
    return new Key<>(path, type, defaultYaml, false, reason);
  }

  static <T> Key<T> optional(String path, ValueType<T> type, String reason) {
    return new Key<>(path, type, null, false, reason);
  }

  static <T> Key<T> required(String path, ValueType<T> type, String reason) {
    return new Key<>(path, type, null, true, reason);
  }
}
