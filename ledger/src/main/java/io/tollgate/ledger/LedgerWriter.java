package io.tollgate.ledger;

import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes charges. {@link #add} takes them in, {@link #flush} returns when the ledger has
 * acknowledged all that were added: slow if the ledger is slow, for as long as it takes, but never
 * without them.
 *
 * <p>For one thread, on which everything happens: batching, sending, counting and sending again.
 * The driver's threads only drop answers into a queue. A caller is blocked while too many requests
 * are unanswered, and that is what slows a job down to the ledger's pace; interrupting the thread
 * ends the wait.
 *
 * <p>Requests that fail are sent again with the same timestamps, so a request that was carried out
 * without our knowing is carried out again without effect. An error that repeating cannot mend ends
 * the writer: the call that meets it throws, and every later one.
 *
 * <p>Rows of one partition wait until they fill a request, and at the latest until {@link #flush}.
 */
public final class LedgerWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerWriter.class);
  private static final long STALL_NANOS = Duration.ofSeconds(30).toNanos();
  private static final int BUCKET_BITS = 16;

  private final ChargeTransport transport;
  private final WriteTimestamps timestamps;
  private final LedgerLayout layout;
  private final WriterSettings settings;
  private final WriterMetrics metrics;
  private final Backoff backoff;
  private final LongSupplier nanoTime;

  private final ChargeCodec codec = new ChargeCodec();
  private final Map<Long, RowBatch> filling = new LinkedHashMap<>();
  private final LinkedBlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final PriorityQueue<Attempt> waiting =
      new PriorityQueue<>(Comparator.comparingLong(attempt -> attempt.dueNanos));
  private int fillingRows;
  private int inFlight;
  private long lastGoodNanos;
  private boolean isStalled;
  private @Nullable LedgerException failure;

  LedgerWriter(
      ChargeTransport transport,
      WriteTimestamps timestamps,
      LedgerLayout layout,
      WriterSettings settings,
      WriterMetrics metrics,
      Backoff backoff,
      LongSupplier nanoTime) {
    this.transport = transport;
    this.timestamps = timestamps;
    this.layout = layout;
    this.settings = settings;
    this.metrics = metrics;
    this.backoff = backoff;
    this.nanoTime = nanoTime;
    this.lastGoodNanos = nanoTime.getAsLong();
  }

  /**
   * Opens a writer: takes the next writer number, so that whatever earlier writers still send
   * stands before what this one writes.
   *
   * @param session stays open until the writer is closed, and is not closed by it
   * @throws LedgerException if no number can be had
   */
  public static LedgerWriter open(
      LedgerSession session, LedgerLayout layout, WriterSettings settings, WriterMetrics metrics)
      throws InterruptedException {
    return new LedgerWriter(
        new CassandraTransport(session),
        new WriteTimestamps(new WriterNumbers(session)::take),
        layout,
        settings,
        metrics,
        new Backoff(Backoff.seedOfThisProcess()),
        System::nanoTime);
  }

  /**
   * Adds a charge. Blocks while too many requests are unanswered.
   *
   * @throws LedgerException if the ledger has refused a request
   */
  public void add(Charge charge) throws InterruptedException {
    requireUsable();
    takeAnswers();
    int usageHour = Math.toIntExact(charge.usageHour());
    String accountId = charge.cdr().accountId();
    String eventId = charge.cdr().eventId();
    int bucket = layout.at(usageHour).bucket(accountId, eventId);
    RowBatch.Row row =
        new RowBatch.Row(
            accountId, eventId, charge.revision(), codec.encode(charge), timestamps.next());
    put(usageHour, bucket, row);
  }

  /**
   * Returns when every charge added before is acknowledged.
   *
   * @throws LedgerException if the ledger has refused a request
   */
  public void flush() throws InterruptedException {
    requireUsable();
    while (!filling.isEmpty()) {
      send(takeOldest());
    }
    while (inFlight > 0) {
      awaitAnswer();
    }
  }

  /**
   * Sends what is due without blocking for room: failed requests whose wait is over. For a caller
   * that may be idle for long between charges.
   *
   * @throws LedgerException if the ledger has refused a request
   */
  public void poll() {
    requireUsable();
    takeAnswers();
  }

  /** Returns the number under which this writer writes. */
  public long writerNumber() {
    return timestamps.writerNumber();
  }

  /**
   * Forgets what is not acknowledged; without {@link #flush} it may or may not be in the ledger.
   * Whoever added it adds it again after a restart.
   */
  @Override
  public void close() {
    filling.clear();
    waiting.clear();
    fillingRows = 0;
    if (failure == null) {
      failure = new LedgerException("The ledger writer is closed");
    }
  }

  private void put(int usageHour, int bucket, RowBatch.Row row) throws InterruptedException {
    long partition = ((long) usageHour << BUCKET_BITS) | bucket;
    RowBatch batch = filling.get(partition);
    if (batch != null && batch.bytes() + row.bytes() > settings.batchBytes()) {
      send(take(partition, batch));
      batch = null;
    }
    if (batch == null) {
      batch = new RowBatch(usageHour, bucket);
      filling.put(partition, batch);
    }
    batch.add(row);
    fillingRows++;
    if (batch.rows().size() >= settings.batchRows() || batch.bytes() >= settings.batchBytes()) {
      send(take(partition, batch));
    }
    while (fillingRows > settings.bufferedRows()) {
      send(takeOldest());
    }
  }

  private RowBatch take(long partition, RowBatch batch) {
    filling.remove(partition);
    fillingRows -= batch.rows().size();
    return batch;
  }

  private RowBatch takeOldest() {
    Iterator<RowBatch> batches = filling.values().iterator();
    RowBatch oldest = batches.next();
    batches.remove();
    fillingRows -= oldest.rows().size();
    return oldest;
  }

  private void send(RowBatch batch) throws InterruptedException {
    while (inFlight >= settings.maxInFlight()) {
      awaitAnswer();
    }
    long now = nanoTime.getAsLong();
    if (inFlight == 0) {
      // Silence while nothing was asked is no stall.
      lastGoodNanos = now;
    }
    inFlight++;
    metrics.inFlight(inFlight);
    attempt(new Attempt(batch, now));
  }

  private void attempt(Attempt attempt) {
    try {
      transport
          .send(attempt.batch)
          .whenComplete((result, error) -> answers.add(new Answer(attempt, error)));
    } catch (RuntimeException e) {
      answers.add(new Answer(attempt, e));
    }
  }

  /** Waits for one answer, sending again what is due meanwhile. */
  private void awaitAnswer() throws InterruptedException {
    sendDueAgain();
    Answer answer = answers.poll(nanosUntilDue(), TimeUnit.NANOSECONDS);
    if (answer != null) {
      take(answer);
    }
    warnIfStalled();
  }

  private void takeAnswers() {
    for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
      take(answer);
    }
    sendDueAgain();
  }

  private void take(Answer answer) {
    Attempt attempt = answer.attempt;
    long now = nanoTime.getAsLong();
    Throwable error = answer.error;
    if (error == null) {
      inFlight--;
      metrics.inFlight(inFlight);
      metrics.acknowledged(attempt.batch.rows().size(), now - attempt.firstSentNanos);
      noteGood(now);
      return;
    }
    RequestFailure kind = RequestFailure.of(error);
    if (!kind.isRetried()) {
      fail(attempt.batch, RequestFailure.unwrapped(error));
      return;
    }
    metrics.retried(kind);
    attempt.failures++;
    attempt.lastFailure = RequestFailure.unwrapped(error);
    attempt.dueNanos = now + backoff.delayNanos(attempt.failures);
    waiting.add(attempt);
  }

  private void sendDueAgain() {
    if (waiting.isEmpty()) {
      return;
    }
    long now = nanoTime.getAsLong();
    while (!waiting.isEmpty() && waiting.peek().dueNanos - now <= 0) {
      attempt(waiting.remove());
    }
  }

  private long nanosUntilDue() {
    Attempt next = waiting.peek();
    if (next == null) {
      return STALL_NANOS;
    }
    return Math.max(0, next.dueNanos - nanoTime.getAsLong());
  }

  private void noteGood(long now) {
    if (isStalled) {
      LOG.info("The ledger acknowledges again.");
      isStalled = false;
    }
    lastGoodNanos = now;
  }

  private void warnIfStalled() {
    Attempt next = waiting.peek();
    if (isStalled || next == null || nanoTime.getAsLong() - lastGoodNanos < STALL_NANOS) {
      return;
    }
    isStalled = true;
    LOG.warn(
        "The ledger has acknowledged nothing for {} s; charging waits and nothing is lost. Look at"
            + " Cassandra's nodes and their logs. Last error: {}",
        TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - lastGoodNanos),
        String.valueOf(next.lastFailure));
  }

  private void fail(RowBatch batch, Throwable cause) {
    failure =
        new LedgerException(
            "The ledger refused "
                + batch.rows().size()
                + " charges of hour "
                + batch.usageHour()
                + ", bucket "
                + batch.bucket()
                + " (expected: schema and permissions as made by './tollgate up'): "
                + cause.getMessage(),
            cause);
    throw failure;
  }

  private void requireUsable() {
    if (failure != null) {
      throw new LedgerException(String.valueOf(failure.getMessage()), failure);
    }
  }

  /** A request on its way to being acknowledged. */
  private static final class Attempt {
    private final RowBatch batch;
    private final long firstSentNanos;
    private int failures;
    private long dueNanos;
    private @Nullable Throwable lastFailure;

    private Attempt(RowBatch batch, long firstSentNanos) {
      this.batch = batch;
      this.firstSentNanos = firstSentNanos;
    }
  }

  /** What came back for an attempt, on a thread of the driver. */
  private static final class Answer {
    private final Attempt attempt;
    private final @Nullable Throwable error;

    private Answer(Attempt attempt, @Nullable Throwable error) {
      this.attempt = attempt;
      this.error = error;
    }
  }
}
