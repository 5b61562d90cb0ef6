package io.tollgate.reconcile.compare;

import io.tollgate.domain.ledger.Charge;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Asks the ledger for rows by key, so many at once, and never waits for an answer: whoever asks
 * comes again. For the task's thread; only the requests run elsewhere.
 *
 * @param <T> what is asked for
 */
final class LookUps<T> {
  private static final int AT_ONCE = 200;

  private final Function<T, CompletionStage<List<Charge>>> request;
  private final Queue<T> waiting = new ArrayDeque<>();
  private final Deque<Asked<T>> asked = new ArrayDeque<>();

  private record Asked<T>(T subject, CompletableFuture<List<Charge>> answer) {}

  LookUps(Function<T, CompletionStage<List<Charge>>> request) {
    this.request = request;
  }

  void add(T subject) {
    waiting.add(subject);
  }

  /**
   * Hands over the answers that have come, in the order of the questions.
   *
   * @return whether there is more to come
   * @throws java.util.concurrent.CompletionException if the ledger refuses a request
   */
  boolean isBusy(BiConsumer<T, List<Charge>> answers) {
    while (true) {
      while (asked.size() < AT_ONCE && !waiting.isEmpty()) {
        T subject = waiting.remove();
        asked.add(new Asked<>(subject, request.apply(subject).toCompletableFuture()));
      }
      Asked<T> next = asked.peek();
      if (next == null) {
        return false;
      }
      if (!next.answer.isDone()) {
        return true;
      }
      asked.remove();
      answers.accept(next.subject, next.answer.join());
    }
  }
}
