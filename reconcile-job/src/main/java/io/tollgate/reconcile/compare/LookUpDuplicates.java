package io.tollgate.reconcile.compare;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.DuplicateClaim;
import io.tollgate.reconcile.message.Evidence;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;
import org.jspecify.annotations.Nullable;

/** Looks for the row that a duplicate repeats: same identity, same content. */
public final class LookUpDuplicates extends RichAsyncFunction<DuplicateClaim, BatchFact> {
  /** Uid of the operator. Part of every savepoint: never changes. */
  public static final String UID = "look-up-duplicates";

  private final LedgerView.Factory ledgers;
  private transient @Nullable LedgerView ledger;

  /** Creates the function. */
  public LookUpDuplicates(LedgerView.Factory ledgers) {
    this.ledgers = ledgers;
  }

  @Override
  public void open(OpenContext context) {
    ledger = ledgers.open();
  }

  @Override
  public void asyncInvoke(DuplicateClaim claim, ResultFuture<BatchFact> result) {
    LedgerView opened = ledger;
    if (opened == null) {
      throw new IllegalStateException("not opened");
    }
    opened
        .findByIdentityLater(claim.accountId(), claim.eventId(), claim.startMillis())
        .whenComplete(
            (rows, failure) -> {
              if (failure == null) {
                result.complete(Collections.singleton(fact(claim, rows)));
              } else {
                result.completeExceptionally(failure);
              }
            });
  }

  static BatchFact fact(DuplicateClaim claim, List<Charge> rows) {
    boolean found = rows.stream().anyMatch(row -> row.fingerprint() == claim.fingerprint());
    Map<UsageType, Long> usage =
        claim.usageType().isEmpty()
            ? Map.of()
            : Map.of(UsageType.valueOf(claim.usageType()), claim.usage());
    return new BatchFact(
        claim.source(),
        claim.batch(),
        BatchFact.Kind.EVIDENCE,
        new Evidence(claim.partition(), claim.offset(), found, usage).encode());
  }

  @Override
  public void close() {
    LedgerView opened = ledger;
    if (opened != null) {
      opened.close();
    }
  }
}
