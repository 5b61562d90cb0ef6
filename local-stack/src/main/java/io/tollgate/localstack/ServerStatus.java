package io.tollgate.localstack;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a server is at one moment.
 *
 * @param address where clients reach it
 * @param residentBytes memory it holds; empty if it does not run or the system does not tell
 * @param log its log file, which may not exist yet
 */
public record ServerStatus(
    String name,
    State state,
    Optional<Long> pid,
    String address,
    Optional<Long> residentBytes,
    Path log) {
  /** What a server can be doing. */
  public enum State {
    /** The process lives and answers. */
    RUNNING,
    /** The process lives and does not answer: it is starting, frozen, or overloaded. */
    SILENT,
    /** There is no process. */
    STOPPED
  }
}
