package io.tollgate.settlement;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult.Batch;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Owed;
import io.tollgate.domain.reconcile.ReconcileResult.Partition;
import io.tollgate.domain.reconcile.ReconcileResult.Source;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import java.math.BigDecimal;
import java.util.Map;

/** Findings as reconciliation would hand them over. */
final class Findings {
  static final long HOUR = 495_000;
  static final long HOUR_END_MILLIS = (HOUR + 1) * 3_600_000;

  private Findings() {}

  static Source source(String source, State state, long atMillis) {
    return new Source(source, "north", "cdr_1.csv", atMillis, "", state, atMillis);
  }

  static Batch batch(
      String source, String batch, State state, Map<Long, Long> hours, long atMillis) {
    long rated = hours.values().stream().mapToLong(Long::longValue).sum();
    return new Batch(
        source,
        batch,
        "cdr_1.csv",
        state,
        state == State.BALANCED ? "" : "outcomes",
        rated + 1,
        Map.of(Outcome.RATED, rated, Outcome.DUPLICATE, 1L),
        Map.of(UsageType.VOICE, 61_000L),
        hours,
        atMillis);
  }

  /** Corrections change what is owed, and not the charges: their digest follows their number. */
  static Partition partition(
      long hour, int bucket, String source, State state, Map<String, Owed> owed, long atMillis) {
    long charges = owed.values().stream().mapToLong(Owed::charges).sum();
    return partition(hour, bucket, source, state, owed, charges * 1_000, atMillis);
  }

  static Partition partition(
      long hour,
      int bucket,
      String source,
      State state,
      Map<String, Owed> owed,
      long digest,
      long atMillis) {
    return new Partition(
        hour,
        bucket,
        source,
        state,
        owed.values().stream().mapToLong(Owed::charges).sum(),
        owed,
        digest,
        0,
        atMillis);
  }

  static Owed owed(long charges, String amount, long digest) {
    return new Owed(charges, new BigDecimal(amount), digest);
  }

  static Found found(
      DifferenceKind kind,
      String source,
      String batch,
      long hour,
      Found.Status status,
      long atMillis) {
    return new Found(
        new Difference(kind, source, batch, hour, hour < 0 ? -1 : 0, "3", 1, "1 row", "none"),
        status,
        status == Found.Status.CONFIRMED ? "halt-1" : "",
        "acme:pbx-1:1",
        atMillis);
  }
}
