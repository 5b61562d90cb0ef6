package io.tollgate.ingest.batch;

/**
 * Records could not be delivered. What was acknowledged is safe, the batch stays open, and the same
 * command sends it again under the same ids.
 */
public final class OutboxException extends RuntimeException {
  /** Creates the exception. */
  public OutboxException(String message) {
    super(message);
  }

  /** Creates the exception. */
  public OutboxException(String message, Throwable cause) {
    super(message, cause);
  }
}
