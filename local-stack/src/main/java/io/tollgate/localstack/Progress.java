package io.tollgate.localstack;

import java.time.Duration;

/** Is told what happens while a stack starts or stops. Called from several threads. */
public interface Progress {
  default void starting(String server) {}

  /** Tells that a server answers. */
  default void ready(String server, String address, Duration took) {}

  default void failed(String server) {}

  default void stopping(String server) {}

  default void stopped(String server) {}

  /** Returns one that says nothing. */
  static Progress silent() {
    return new Progress() {};
  }
}
