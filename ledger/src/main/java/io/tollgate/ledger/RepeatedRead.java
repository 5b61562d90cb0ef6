package io.tollgate.ledger;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sends a read until it is answered, with a growing wait between, on the JDK's own timer and the
 * driver's threads: a reader has no thread of its own.
 */
final class RepeatedRead {
  private final ReadLimit limit;
  private final Consumer<RequestFailure> onRetry;
  private final Backoff backoff;

  RepeatedRead(ReadLimit limit, Consumer<RequestFailure> onRetry, Backoff backoff) {
    this.limit = limit;
    this.onRetry = onRetry;
    this.backoff = backoff;
  }

  <T> CompletionStage<T> run(Supplier<? extends CompletionStage<? extends T>> read) {
    CompletableFuture<T> result = new CompletableFuture<>();
    attempt(read, result, 1, System.nanoTime());
    return result;
  }

  private <T> void attempt(
      Supplier<? extends CompletionStage<? extends T>> read,
      CompletableFuture<T> result,
      int attempt,
      long firstNanos) {
    if (result.isDone()) {
      return;
    }
    read.get()
        .whenComplete(
            (value, error) -> {
              if (error == null) {
                result.complete(value);
                return;
              }
              Throwable cause = RequestFailure.unwrapped(error);
              RequestFailure kind = RequestFailure.of(cause);
              if (!kind.isRetried() || limit.isReached(System.nanoTime() - firstNanos)) {
                result.completeExceptionally(
                    new LedgerException("The ledger cannot be read: " + cause.getMessage(), cause));
                return;
              }
              onRetry.accept(kind);
              CompletableFuture.delayedExecutor(
                      delayNanos(attempt), TimeUnit.NANOSECONDS, Runnable::run)
                  .execute(() -> attempt(read, result, attempt + 1, firstNanos));
            });
  }

  private long delayNanos(int attempt) {
    // Answers come on several threads of the driver.
    synchronized (backoff) {
      return backoff.delayNanos(attempt);
    }
  }
}
