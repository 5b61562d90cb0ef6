package io.tollgate.ingest.format;

/** A file that is not written in the format it should be. Says what was found and expected. */
public final class WrongFormatException extends Exception {
  /** Creates the exception. */
  public WrongFormatException(String message) {
    super(message);
  }

  /** Returns what was found and what was expected. */
  public String detail() {
    return String.valueOf(getMessage());
  }
}
