package io.tollgate.ledger.gate;

import com.datastax.oss.driver.api.core.DriverException;
import io.tollgate.ledger.Backoff;
import io.tollgate.ledger.LedgerException;
import io.tollgate.ledger.RequestFailure;
import java.time.Duration;
import java.util.function.Supplier;

/** Sends a request until it is answered. For requests that may be carried out twice. */
final class PatientRequest {
  private static final Duration GIVE_UP_AFTER = Duration.ofMinutes(2);

  private PatientRequest() {}

  /**
   * Runs a request.
   *
   * @param what for the message, such as "The halt cannot be recorded"
   * @throws LedgerException if the ledger refuses, or does not answer for two minutes
   */
  static <T> T run(String what, Supplier<T> request) throws InterruptedException {
    Backoff backoff = Backoff.ofThisProcess();
    long giveUpNanos = System.nanoTime() + GIVE_UP_AFTER.toNanos();
    for (int attempt = 1; ; attempt++) {
      try {
        return request.get();
      } catch (DriverException e) {
        if (!RequestFailure.of(e).isRetried() || System.nanoTime() - giveUpNanos > 0) {
          throw new LedgerException(what + ": " + e.getMessage(), e);
        }
      }
      Thread.sleep(Duration.ofNanos(backoff.delayNanos(attempt)).toMillis());
    }
  }
}
