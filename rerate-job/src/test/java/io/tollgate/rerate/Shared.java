package io.tollgate.rerate;

import java.io.Serializable;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Hands an object of a test to operators in the same JVM, past their serialization. */
final class Shared<T> implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Map<UUID, Object> OBJECTS = new ConcurrentHashMap<>();

  private final UUID id = UUID.randomUUID();

  static <T> Shared<T> of(T object) {
    Shared<T> shared = new Shared<>();
    OBJECTS.put(shared.id, object);
    return shared;
  }

  @SuppressWarnings("unchecked")
  T get() {
    return (T) OBJECTS.get(id);
  }
}
