package io.tollgate.rating;

import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** The metric {@code records} by outcome and reason. Counts what was done, also after a restart. */
public final class OutcomeCounters {
  private final Counter rated;
  private final Map<Reason, Counter> byReason = new EnumMap<>(Reason.class);

  /** Registers a counter for each reason. */
  public OutcomeCounters(MetricGroup metrics) {
    rated = counter(metrics, Outcome.RATED, "NONE");
    for (Reason reason : Reason.values()) {
      byReason.put(reason, counter(metrics, reason.outcome(), reason.name()));
    }
  }

  /** Counts a rated record. */
  public void rated() {
    rated.inc();
  }

  /** Counts a record that was not rated. */
  public void unrated(Reason reason) {
    Counter counter = byReason.get(reason);
    if (counter != null) {
      counter.inc();
    }
  }

  private static Counter counter(MetricGroup metrics, Outcome outcome, String reason) {
    return metrics
        .addGroup("outcome", outcome.name())
        .addGroup("reason", reason)
        .counter("records");
  }
}
