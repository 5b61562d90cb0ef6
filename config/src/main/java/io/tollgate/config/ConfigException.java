package io.tollgate.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used. The message names every fault, one a line. */
public final class ConfigException extends RuntimeException {
  private final List<ConfigFault> faults;

  ConfigException(List<ConfigFault> faults) {
    super(faults.stream().map(ConfigFault::toString).collect(Collectors.joining("\n")));
    this.faults = List.copyOf(faults);
  }

  /** Returns all faults, in order of their lines. */
  public List<ConfigFault> faults() {
    return faults;
  }
}
