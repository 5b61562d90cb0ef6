package io.tollgate.localstack;

/**
 * How a command ended.
 *
 * @param output what it printed, errors among the rest
 */
public record CommandResult(int exitCode, String output) {
  public boolean succeeded() {
    return exitCode == 0;
  }
}
