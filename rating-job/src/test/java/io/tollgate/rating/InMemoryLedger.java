package io.tollgate.rating;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.rating.dedup.EventLookup;
import io.tollgate.rating.write.ChargeWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.flink.metrics.MetricGroup;

/**
 * A ledger in memory where the first write of a key stands, with the key of the real one: an event
 * lies at the hour of its start. Every second charge is written at once and the others only by a
 * flush, so that a failure leaves some of what was not acknowledged.
 */
public final class InMemoryLedger implements LedgerAccess {
  private static final int WRONG_ZONE_HOURS = 26;
  private static final int MAX_PENDING = 2_000;

  private final Shared<InMemoryLedger> shared = Shared.of(this);
  private final transient Map<String, Charge> rows = new ConcurrentHashMap<>();
  private final transient AtomicInteger lookups = new AtomicInteger();
  private final transient AtomicInteger adds = new AtomicInteger();
  private transient int failingAdd = -1;

  /** Rows by usage hour, account and event. */
  public Map<String, Charge> rows() {
    return rows;
  }

  public int lookups() {
    return lookups.get();
  }

  public int adds() {
    return adds.get();
  }

  /** Makes the writer fail once, when it takes this charge, counted from 1 over all subtasks. */
  public void failAtAdd(int add) {
    failingAdd = add;
  }

  /** Adds a row as an earlier job would have left it. */
  public void put(Charge charge) {
    rows.putIfAbsent(rowKey(charge.cdr(), charge.usageHour()), charge);
  }

  @Override
  public ChargeWriter openWriter(MetricGroup metrics) {
    return new Writer(shared.get());
  }

  @Override
  public EventLookup openLookup(MetricGroup metrics) {
    return new Lookup(shared.get());
  }

  /** Identity of an event. */
  public static String key(Cdr cdr) {
    return cdr.accountId() + ":" + cdr.eventId();
  }

  /** Key of a row. */
  public static String rowKey(Cdr cdr, long usageHour) {
    return usageHour + ":" + key(cdr);
  }

  private record Writer(InMemoryLedger ledger, List<Charge> pending) implements ChargeWriter {
    Writer(InMemoryLedger ledger) {
      this(ledger, new ArrayList<>());
    }

    @Override
    public void add(Charge charge) {
      int number = ledger.adds.incrementAndGet();
      if (number == ledger.failingAdd) {
        throw new IllegalStateException("failure injected at charge " + number);
      }
      if (number % 2 == 0) {
        ledger.put(charge);
        return;
      }
      pending.add(charge);
      if (pending.size() >= MAX_PENDING) {
        flush();
      }
    }

    @Override
    public void flush() {
      pending.forEach(ledger::put);
      pending.clear();
    }

    @Override
    public void close() {
      pending.clear();
    }
  }

  private record Lookup(InMemoryLedger ledger) implements EventLookup {
    @Override
    public CompletionStage<Optional<StoredEvent>> find(Cdr cdr) {
      ledger.lookups.incrementAndGet();
      long hour = Placement.usageHour(cdr.startMillis());
      return CompletableFuture.completedFuture(
          LongStream.rangeClosed(hour - WRONG_ZONE_HOURS, hour + WRONG_ZONE_HOURS)
              .mapToObj(near -> ledger.rows.get(rowKey(cdr, near)))
              .filter(row -> row != null)
              .findFirst()
              .map(Lookup::stored));
    }

    private static StoredEvent stored(Charge row) {
      return new StoredEvent(
          row.fingerprint(),
          row.cdr().startMillis(),
          row.origin().source(),
          row.origin().batch(),
          row.origin().batchSeq());
    }

    @Override
    public void close() {}
  }
}
