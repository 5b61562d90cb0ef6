package io.tollgate.localstack;

import java.util.List;
import java.util.Map;

/** A command and what is added to its environment. */
record Launch(List<String> command, Map<String, String> environment) {
  Launch {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }
}
