package io.tollgate.rating.ingest;

import static io.tollgate.rating.TestCdrs.DAY;
import static io.tollgate.rating.TestCdrs.NOON;
import static io.tollgate.rating.TestCdrs.arrival;
import static io.tollgate.rating.TestCdrs.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.outcome.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkOutputMultiplexer;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.clock.ManualClock;
import org.apache.flink.util.clock.RelativeClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The strategy as a source runs it: one generator per partition, the smallest one counts. */
class ArrivalWatermarksTest {
  private static final long HOUR = 3_600_000;
  private static final Duration IDLE_AFTER = Duration.ofSeconds(30);

  private final WatermarkStrategy<Arrival> strategy =
      ArrivalWatermarks.strategy(Duration.ofHours(1), IDLE_AFTER);
  private final ManualClock clock = new ManualClock();
  private final Emitted emitted = new Emitted();
  private final WatermarkOutputMultiplexer source = new WatermarkOutputMultiplexer(emitted);

  @Test
  void saysNothingBeforeTheFirstCdr() {
    Partition partition = partition("0");
    tick(partition);
    assertThat(emitted.watermarks).isEmpty();
  }

  @Test
  void followsTheLargestStartLessTheBound() {
    Partition partition = partition("0");
    partition.read(arrival(call("acme", "1", NOON, 1), 0));
    tick(partition);
    assertThat(emitted.last()).isEqualTo(NOON - HOUR - 1);
    partition.read(arrival(call("acme", "2", NOON - 7 * DAY, 1), 1));
    tick(partition);
    assertThat(emitted.last()).as("an old one does not move it back").isEqualTo(NOON - HOUR - 1);
    partition.read(arrival(call("acme", "3", NOON + 5, 1), 2));
    tick(partition);
    assertThat(emitted.last()).isEqualTo(NOON + 5 - HOUR - 1);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void passesNoStartThatIsOutOfOrderWithinTheBound(long seed) {
    Random random = new Random(seed);
    Partition partition = partition("0");
    long largest = Long.MIN_VALUE;
    for (int i = 0; i < 2_000; i++) {
      long start = NOON + i * 1000L - random.nextInt((int) HOUR);
      assertThat(emitted.last()).as("no record is late").isLessThan(start);
      partition.read(arrival(call("acme", "e" + i, start, 1), i));
      largest = Math.max(largest, start);
      tick(partition);
    }
    assertThat(emitted.watermarks).isSorted();
    assertThat(emitted.last()).isEqualTo(largest - HOUR - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"unreadable", "invalid", "indistinguishable"})
  void isNotMovedByRefusedRecords(String kind) {
    Partition partition = partition("0");
    partition.read(arrival(call("acme", "1", NOON, 1), 0));
    tick(partition);
    Origin appendedLater = new Origin("pbx", "b", 1, 0, 1, NOON + 365 * DAY);
    Cdr yearAhead = call("acme", "2", NOON + 365 * DAY, 1);
    partition.read(
        switch (kind) {
          case "unreadable" -> refused(appendedLater, null, Reason.UNREADABLE);
          case "invalid" -> refused(appendedLater, null, Reason.INVALID);
          default -> refused(appendedLater, yearAhead, Reason.INDISTINGUISHABLE);
        });
    tick(partition);
    assertThat(emitted.last()).isEqualTo(NOON - HOUR - 1);
  }

  @Test
  void waitsForTheSlowestPartition() {
    Partition fast = partition("0");
    Partition slow = partition("1");
    fast.read(arrival(call("acme", "1", NOON + DAY, 1), 0));
    tick(fast, slow);
    assertThat(emitted.watermarks).as("nothing is known of the other one").isEmpty();
    slow.read(arrival(call("acme", "2", NOON, 1), 1));
    tick(fast, slow);
    assertThat(emitted.last()).isEqualTo(NOON - HOUR - 1);
  }

  @Test
  void isNotStalledByAnIdlePartition() {
    Partition active = partition("0");
    Partition silent = partition("1");
    silent.read(arrival(call("acme", "0", NOON, 1), 0));
    active.read(arrival(call("acme", "1", NOON + DAY, 1), 1));
    tick(active, silent);
    assertThat(emitted.last()).isEqualTo(NOON - HOUR - 1);

    for (int second = 0; second <= IDLE_AFTER.toSeconds() + 1; second++) {
      clock.advanceTime(Duration.ofSeconds(1));
      active.read(arrival(call("acme", "1" + second, NOON + DAY + second, 1), 2));
      tick(active, silent);
    }
    assertThat(emitted.last()).isGreaterThan(NOON + DAY - HOUR - 1);

    long before = emitted.last();
    silent.read(arrival(call("acme", "2", NOON + 1, 1), 3));
    tick(active, silent);
    assertThat(emitted.last()).as("it comes back and is late, but moves nothing").isEqualTo(before);
  }

  @Test
  void isNotStalledByAPartitionThatNeverHadARecord() {
    Partition active = partition("0");
    Partition empty = partition("1");
    for (int second = 0; second <= IDLE_AFTER.toSeconds() + 1; second++) {
      clock.advanceTime(Duration.ofSeconds(1));
      active.read(arrival(call("acme", "1" + second, NOON, 1), second));
      tick(active, empty);
    }
    assertThat(emitted.last()).isEqualTo(NOON - HOUR - 1);
  }

  @Test
  void countsRefusedRecordsAsASignOfLife() {
    Partition partition = partition("0");
    for (int second = 0; second <= 2 * IDLE_AFTER.toSeconds(); second++) {
      clock.advanceTime(Duration.ofSeconds(1));
      partition.read(refused(new Origin("pbx", "b", 1, 0, 1, NOON), null, Reason.UNREADABLE));
      tick(partition);
    }
    assertThat(emitted.idle).isFalse();
  }

  private static Arrival refused(Origin origin, Cdr cdr, Reason reason) {
    return new Arrival(origin, cdr, reason, "", null, new byte[0], Map.of());
  }

  private Partition partition(String id) {
    source.registerNewOutput(id, new NobodyAsks());
    return new Partition(
        strategy.createWatermarkGenerator(new GeneratorContext()),
        strategy.createTimestampAssigner(new AssignerContext()),
        source.getImmediateOutput(id),
        source.getDeferredOutput(id));
  }

  private void tick(Partition... partitions) {
    Arrays.stream(partitions).forEach(Partition::tick);
    source.onPeriodicEmit();
  }

  /** A partition of the topic, as SourceReader's outputs see it. */
  private record Partition(
      WatermarkGenerator<Arrival> generator,
      TimestampAssigner<Arrival> assigner,
      WatermarkOutput immediate,
      WatermarkOutput deferred) {
    void read(Arrival arrival) {
      long time = assigner.extractTimestamp(arrival, arrival.origin().appendMillis());
      generator.onEvent(arrival, time, immediate);
    }

    void tick() {
      generator.onPeriodicEmit(deferred);
    }
  }

  private static final class Emitted implements WatermarkOutput {
    private final List<Long> watermarks = new ArrayList<>();
    private boolean idle;

    long last() {
      return watermarks.isEmpty() ? Long.MIN_VALUE : watermarks.get(watermarks.size() - 1);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
      watermarks.add(watermark.getTimestamp());
    }

    @Override
    public void markIdle() {
      idle = true;
    }

    @Override
    public void markActive() {
      idle = false;
    }
  }

  /** Hears of single partitions; only the whole source is of interest. */
  private static final class NobodyAsks
      implements WatermarkOutputMultiplexer.WatermarkUpdateListener {
    @Override
    public void onIdleUpdate(boolean idle) {}

    @Override
    public void onWatermarkUpdate(long watermark) {}
  }

  private final class GeneratorContext implements WatermarkGeneratorSupplier.Context {
    @Override
    public MetricGroup getMetricGroup() {
      return new UnregisteredMetricsGroup();
    }

    @Override
    public RelativeClock getInputActivityClock() {
      return clock;
    }
  }

  private static final class AssignerContext implements TimestampAssignerSupplier.Context {
    @Override
    public MetricGroup getMetricGroup() {
      return new UnregisteredMetricsGroup();
    }
  }
}
