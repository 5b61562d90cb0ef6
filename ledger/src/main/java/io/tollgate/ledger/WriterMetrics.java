package io.tollgate.ledger;

/** What a writer tells about itself. Called on the writer's own thread only. */
public interface WriterMetrics {
  /** Tells nobody. */
  WriterMetrics NONE =
      new WriterMetrics() {
        @Override
        public void acknowledged(int rows, long latencyNanos) {}

        @Override
        public void retried(RequestFailure failure) {}

        @Override
        public void inFlight(int requests) {}
      };

  /**
   * A request was acknowledged.
   *
   * @param latencyNanos from its first sending, so that retries count
   */
  void acknowledged(int rows, long latencyNanos);

  /** A request failed and will be sent again. */
  void retried(RequestFailure failure);

  /** The number of requests that are not yet acknowledged has changed. */
  void inFlight(int requests);
}
