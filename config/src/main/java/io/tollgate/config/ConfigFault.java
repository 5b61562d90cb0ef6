package io.tollgate.config;

import java.io.Serializable;

/**
 * One thing that is wrong in a configuration file.
 *
 * @param file the file as it was named
 * @param line line in the file, from 1; 0 if the fault belongs to the file as a whole
 * @param key full name of the key, empty if the fault belongs to the file as a whole
 * @param problem the value and the rule it breaks; never the value of a secret
 */
public record ConfigFault(String file, int line, String key, String problem)
    implements Serializable {

  @Override
  public String toString() {
    String place = line > 0 ? file + ":" + line : file;
    return key.isEmpty() ? place + ": " + problem : place + ": " + key + ": " + problem;
  }
}
