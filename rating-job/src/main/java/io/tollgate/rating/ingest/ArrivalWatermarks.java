package io.tollgate.rating.ingest;

import io.tollgate.domain.cdr.Cdr;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/**
 * Event time: the start of usage. The watermark follows the largest start seen per partition, less
 * the bounded out-of-orderness; refused records, among them those with a start far in the future,
 * do not move it. Charging never waits for it: it marks late records and moves the horizon of the
 * deduplication.
 */
public final class ArrivalWatermarks implements WatermarkGenerator<Arrival> {
  private final long maxOutOfOrdernessMillis;
  private long largestStartMillis = Long.MIN_VALUE;

  private ArrivalWatermarks(long maxOutOfOrdernessMillis) {
    this.maxOutOfOrdernessMillis = maxOutOfOrdernessMillis;
  }

  /**
   * Returns the strategy of the job.
   *
   * @param maxOutOfOrderness how much older than the largest start seen a CDR may be without being
   *     late
   * @param idleAfter after how much silence a partition no longer holds back the others
   */
  public static WatermarkStrategy<Arrival> strategy(
      Duration maxOutOfOrderness, Duration idleAfter) {
    long millis = maxOutOfOrderness.toMillis();
    return WatermarkStrategy.<Arrival>forGenerator(context -> new ArrivalWatermarks(millis))
        .withTimestampAssigner((arrival, kafkaMillis) -> eventMillis(arrival, kafkaMillis))
        .withIdleness(idleAfter);
  }

  private static long eventMillis(Arrival arrival, long appendMillis) {
    Cdr cdr = arrival.cdr();
    return cdr == null ? appendMillis : cdr.startMillis();
  }

  @Override
  public void onEvent(Arrival arrival, long eventMillis, WatermarkOutput output) {
    if (arrival.cdr() != null && arrival.refusal() == null && eventMillis > largestStartMillis) {
      largestStartMillis = eventMillis;
    }
  }

  @Override
  public void onPeriodicEmit(WatermarkOutput output) {
    if (largestStartMillis != Long.MIN_VALUE) {
      output.emitWatermark(new Watermark(largestStartMillis - maxOutOfOrdernessMillis - 1));
    }
  }
}
