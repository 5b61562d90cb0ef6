package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import io.tollgate.domain.ledger.Charge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A ledger in memory that merges rows as Cassandra does (the greater timestamp stands; of equal
 * ones the greater value) and answers as a test wants: with failures, after carrying a write out or
 * without doing so, late, or not until told.
 */
final class FaultyLedger implements ChargeTransport {
  private final Map<String, RowBatch.Row> rows = new TreeMap<>();
  private final Deque<Throwable> failuresAhead = new ArrayDeque<>();
  private final List<RowBatch> late = new ArrayList<>();
  private final List<CompletableFuture<Void>> held = new ArrayList<>();
  private final List<Integer> requestRows = new ArrayList<>();
  private final Random random;
  private int failurePercent;
  private boolean isHolding;

  FaultyLedger(long seed) {
    random = new Random(seed);
  }

  /** Lets the next requests fail with these errors, without carrying them out. */
  FaultyLedger failNext(Throwable... errors) {
    failuresAhead.addAll(List.of(errors));
    return this;
  }

  /** Lets this share of requests fail, in all the ways that are possible. */
  FaultyLedger failAtRandom(int percent) {
    failurePercent = percent;
    return this;
  }

  /** Answers nothing until {@link #answerHeld}. */
  FaultyLedger holdAnswers() {
    isHolding = true;
    return this;
  }

  synchronized void answerHeld() {
    isHolding = false;
    held.forEach(answer -> answer.complete(null));
    held.clear();
  }

  /** Carries out what was on its way although its sender gave it up. */
  synchronized void deliverLate() {
    late.forEach(this::apply);
    late.clear();
  }

  synchronized int heldRequests() {
    return held.size();
  }

  synchronized List<Integer> requestRows() {
    return List.copyOf(requestRows);
  }

  @Override
  public synchronized CompletionStage<?> send(RowBatch batch) {
    requestRows.add(batch.rows().size());
    if (!failuresAhead.isEmpty()) {
      return CompletableFuture.failedFuture(failuresAhead.remove());
    }
    if (random.nextInt(100) < failurePercent) {
      return failSomehow(batch);
    }
    apply(batch);
    if (isHolding) {
      CompletableFuture<Void> answer = new CompletableFuture<>();
      held.add(answer);
      return answer;
    }
    return random.nextBoolean()
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.runAsync(() -> {});
  }

  /** Returns the charges that are in the ledger, by key. */
  synchronized List<Charge> charges() {
    return rows.values().stream()
        .map(
            row ->
                ChargeCodec.decode(
                    row.accountId(), row.eventId(), row.revision(), row.cell().duplicate()))
        .toList();
  }

  private CompletionStage<?> failSomehow(RowBatch batch) {
    switch (random.nextInt(6)) {
      case 0 -> {
        apply(batch);
        return CompletableFuture.failedFuture(new DriverTimeoutException("carried out, unheard"));
      }
      case 1 -> {
        late.add(batch);
        return CompletableFuture.failedFuture(writeTimeout());
      }
      case 2 -> {
        return CompletableFuture.failedFuture(
            new UnavailableException(null, DefaultConsistencyLevel.LOCAL_QUORUM, 2, 1));
      }
      case 3 -> {
        return CompletableFuture.failedFuture(new OverloadedException(null));
      }
      case 4 -> throw new NoNodeAvailableException();
      default -> {
        deliverLate();
        return CompletableFuture.supplyAsync(
            () -> {
              throw new DriverTimeoutException("lost");
            });
      }
    }
  }

  private void apply(RowBatch batch) {
    for (RowBatch.Row row : batch.rows()) {
      String key =
          String.join(
              "|",
              Integer.toString(batch.usageHour()),
              Integer.toString(batch.bucket()),
              row.accountId(),
              row.eventId(),
              Long.toString(row.revision()));
      rows.merge(key, row, FaultyLedger::merged);
    }
  }

  private static RowBatch.Row merged(RowBatch.Row old, RowBatch.Row other) {
    if (old.timestamp() != other.timestamp()) {
      return old.timestamp() > other.timestamp() ? old : other;
    }
    return old.cell().compareTo(other.cell()) >= 0 ? old : other;
  }

  static WriteTimeoutException writeTimeout() {
    return new WriteTimeoutException(
        null, DefaultConsistencyLevel.LOCAL_QUORUM, 0, 1, WriteType.UNLOGGED_BATCH);
  }
}
