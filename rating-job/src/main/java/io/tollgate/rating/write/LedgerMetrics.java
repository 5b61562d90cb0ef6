package io.tollgate.rating.write;

import io.tollgate.ledger.RequestFailure;
import io.tollgate.ledger.WriterMetrics;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/** Shows what the ledger writer does as metrics of the write operator. */
final class LedgerMetrics implements WriterMetrics {
  private static final int WINDOW = 1_000;
  private static final long NANOS_PER_MICRO = 1_000;

  private final Counter rows;
  private final Counter requests;
  private final Histogram latencyMicros;
  private final Map<RequestFailure, Counter> retries = new EnumMap<>(RequestFailure.class);
  private int inFlight;

  LedgerMetrics(MetricGroup metrics) {
    MetricGroup ledger = metrics.addGroup("ledger");
    rows = ledger.counter("rows");
    requests = ledger.counter("requests");
    latencyMicros = ledger.histogram("requestMicros", new DescriptiveStatisticsHistogram(WINDOW));
    for (RequestFailure failure : RequestFailure.retried()) {
      retries.put(failure, ledger.addGroup("failure", failure.name()).counter("retries"));
    }
    ledger.gauge("requestsInFlight", () -> inFlight);
  }

  @Override
  public void acknowledged(int rowCount, long latencyNanos) {
    rows.inc(rowCount);
    requests.inc();
    latencyMicros.update(latencyNanos / NANOS_PER_MICRO);
  }

  @Override
  public void retried(RequestFailure failure) {
    Counter counter = retries.get(failure);
    if (counter != null) {
      counter.inc();
    }
  }

  @Override
  public void inFlight(int requestCount) {
    inFlight = requestCount;
  }
}
