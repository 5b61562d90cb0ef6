package io.tollgate.cli.explain;

import io.tollgate.cli.explain.RecordClues.Identity;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.ledger.LedgerConnection;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import io.tollgate.settlement.ResultReader.DifferenceRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** What the ledger says: rows, and the halts that lie beside them. */
final class LedgerEvidence implements AutoCloseable {
  private static final Duration LONGEST_READ = Duration.ofSeconds(20);

  private final LedgerSession session;
  private final LedgerReader reader;
  private final LedgerLayout layout;
  private final long giveUpNanos;
  private boolean isCutShort;

  private LedgerEvidence(LedgerSession session, long giveUpNanos) {
    this.session = session;
    this.giveUpNanos = giveUpNanos;
    this.layout = LedgerSchema.verify(session);
    this.reader = new LedgerReader(session, layout, ReadLimit.of(LONGEST_READ));
  }

  /**
   * Connects.
   *
   * @param giveUpNanos when time is over, by {@link System#nanoTime}
   * @throws io.tollgate.ledger.LedgerException if the ledger does not answer or is none
   */
  static LedgerEvidence open(LedgerConnection connection, long giveUpNanos) {
    LedgerSession session = LedgerSession.open(connection);
    try {
      return new LedgerEvidence(session, giveUpNanos);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /** Returns the differences for which charging was ever halted, in the form of results. */
  List<DifferenceRow> halted(Predicate<Difference> wanted) throws InterruptedException {
    List<DifferenceRow> found = new ArrayList<>();
    for (RecordedHalt halt : new HaltLog(session).halts()) {
      for (io.tollgate.ledger.gate.Difference each : halt.halt().differences()) {
        if (each.items().isEmpty()) {
          continue; // raised by hand: about no record
        }
        Difference difference = Difference.ofPlace(each.items());
        if (wanted.test(difference)) {
          found.add(row(halt, each, difference));
        }
      }
    }
    return found;
  }

  private static DifferenceRow row(
      RecordedHalt halt, io.tollgate.ledger.gate.Difference each, Difference difference) {
    long atMillis = halt.halt().raisedAt().toEpochMilli();
    Status status =
        halt.acknowledgementOf(each.id())
            .map(
                answer ->
                    answer.resolution() == Resolution.WRITE_OFF
                        ? Status.WRITTEN_OFF
                        : Status.RESOLVING)
            .orElse(Status.CONFIRMED);
    return new DifferenceRow(
        each.id(),
        each.kind(),
        difference.source(),
        difference.batch(),
        difference.usageHour(),
        difference.bucket(),
        difference.items(),
        -1,
        "",
        each.description(),
        status,
        halt.halt().id(),
        "",
        atMillis,
        atMillis);
  }

  /** Returns the bucket of an event. */
  int bucket(Identity identity) {
    return layout
        .at(io.tollgate.domain.ledger.Placement.usageHour(identity.startMillis()))
        .bucket(identity.accountId(), identity.eventId());
  }

  /** Returns how many partitions an hour has. */
  int buckets(long usageHour) {
    return layout.at(usageHour).buckets();
  }

  /** Hands on the rows of a partition, all revisions, with their bucket. */
  void partition(long usageHour, int bucket, BiConsumer<Charge, Integer> each) {
    Iterator<Charge> rows = reader.partition(usageHour, bucket);
    while (hasNext(rows)) {
      each.accept(rows.next(), bucket);
    }
  }

  /** Hands on all revisions of an identity, wherever a wrong time zone could have put them. */
  void identity(Identity identity, BiConsumer<Charge, Integer> each) {
    List<Charge> charges =
        reader
            .findByIdentity(identity.accountId(), identity.eventId(), identity.startMillis())
            .toCompletableFuture()
            .join();
    for (Charge charge : charges) {
      int bucket =
          layout.at(charge.usageHour()).bucket(charge.cdr().accountId(), charge.cdr().eventId());
      each.accept(charge, bucket);
      Iterator<Charge> rows =
          reader.account(identity.accountId(), charge.usageHour(), charge.usageHour() + 1);
      while (hasNext(rows)) {
        Charge row = rows.next();
        if (row.cdr().eventId().equals(identity.eventId()) && row.revision() > 0) {
          each.accept(row, bucket);
        }
      }
    }
  }

  /** Counts the rows (revision 0) of a partition by source. */
  Map<String, Long> rowsBySource(long usageHour, int bucket) {
    Map<String, Long> rows = new TreeMap<>();
    partition(
        usageHour,
        bucket,
        (charge, at) -> {
          if (charge.revision() == 0) {
            rows.merge(charge.origin().source(), 1L, Long::sum);
          }
        });
    return rows;
  }

  /** Returns whether time was over before everything was read. */
  boolean isCutShort() {
    return isCutShort;
  }

  private boolean hasNext(Iterator<Charge> rows) {
    if (System.nanoTime() - giveUpNanos >= 0) {
      isCutShort |= rows.hasNext();
      return false;
    }
    return rows.hasNext();
  }

  @Override
  public void close() {
    session.close();
  }
}
