package io.tollgate.rating;

import java.io.Serializable;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A serializable handle to one object of this JVM, for operators that Flink copies. */
public final class Shared<T> implements Serializable {
  private static final Map<String, Object> BY_NAME = new ConcurrentHashMap<>();

  private final String name = UUID.randomUUID().toString();

  private Shared() {}

  public static <T> Shared<T> of(T object) {
    Shared<T> shared = new Shared<>();
    BY_NAME.put(shared.name, object);
    return shared;
  }

  @SuppressWarnings("unchecked")
  public T get() {
    return (T) BY_NAME.get(name);
  }
}
