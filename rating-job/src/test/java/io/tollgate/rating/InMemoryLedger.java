package io.tollgate.rating;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.rating.dedup.EventLookup;
import io.tollgate.rating.write.ChargeWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.metrics.MetricGroup;

/** A ledger in memory where the first write stands; found by name from every subtask. */
public final class InMemoryLedger implements LedgerAccess {
  private static final Map<String, InMemoryLedger> BY_NAME = new ConcurrentHashMap<>();

  private final String name = UUID.randomUUID().toString();
  private final transient Map<String, Charge> rows = new ConcurrentHashMap<>();
  private final transient AtomicInteger lookups = new AtomicInteger();

  public InMemoryLedger() {
    BY_NAME.put(name, this);
  }

  public Map<String, Charge> rows() {
    return rows;
  }

  public int lookups() {
    return lookups.get();
  }

  /** Adds a row as an earlier job would have left it. */
  public void put(Charge charge) {
    rows.putIfAbsent(key(charge.cdr()), charge);
  }

  @Override
  public ChargeWriter openWriter(MetricGroup metrics) {
    InMemoryLedger ledger = BY_NAME.get(name);
    List<Charge> pending = new ArrayList<>();
    return new ChargeWriter() {
      @Override
      public void add(Charge charge) {
        pending.add(charge);
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
    };
  }

  @Override
  public EventLookup openLookup(MetricGroup metrics) {
    InMemoryLedger ledger = BY_NAME.get(name);
    return new EventLookup() {
      @Override
      public CompletionStage<Optional<StoredEvent>> find(Cdr cdr) {
        ledger.lookups.incrementAndGet();
        return CompletableFuture.completedFuture(
            Optional.ofNullable(ledger.rows.get(key(cdr)))
                .map(
                    row ->
                        new StoredEvent(
                            row.fingerprint(),
                            row.cdr().startMillis(),
                            row.origin().source(),
                            row.origin().batch(),
                            row.origin().batchSeq())));
      }

      @Override
      public void close() {}
    };
  }

  public static String key(Cdr cdr) {
    return cdr.accountId() + ":" + cdr.eventId();
  }
}
