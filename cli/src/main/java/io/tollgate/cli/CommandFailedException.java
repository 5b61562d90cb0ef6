package io.tollgate.cli;

/** A command could not do its work; the message tells a user what is wrong and what to do. */
public final class CommandFailedException extends RuntimeException {
  /** Creates the exception. */
  public CommandFailedException(String message) {
    super(message);
  }

  /** Creates the exception with what led to it. */
  public CommandFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
