package io.tollgate.ingest.batch;

/** A file of which nothing is sent. Says what was found, what was expected and what to do. */
public final class RefusedFileException extends Exception {
  /** Creates the exception. */
  public RefusedFileException(String message) {
    super(message);
  }

  /** Returns what is wrong, for people. */
  public String detail() {
    return String.valueOf(getMessage());
  }
}
