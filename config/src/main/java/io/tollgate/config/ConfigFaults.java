package io.tollgate.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Gathers the faults of one file, so that all are told at once. */
final class ConfigFaults {
  private final String file;
  private final List<ConfigFault> faults = new ArrayList<>();

  ConfigFaults(String file) {
    this.file = file;
  }

  void add(int line, String key, String problem) {
    faults.add(new ConfigFault(file, line, key, problem));
  }

  boolean isEmpty() {
    return faults.isEmpty();
  }

  ConfigException toException() {
    List<ConfigFault> ordered = new ArrayList<>(faults);
    ordered.sort(Comparator.comparingInt(ConfigFault::line));
    return new ConfigException(ordered);
  }
}
