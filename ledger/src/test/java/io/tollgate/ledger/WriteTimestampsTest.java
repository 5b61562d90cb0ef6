package io.tollgate.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteTimestampsTest {
  private static final long LARGEST_NUMBER = (1L << 23) - 1;

  private final AtomicLong taken = new AtomicLong();

  @Test
  void fallWithEveryRowAndAreNegative() throws InterruptedException {
    WriteTimestamps timestamps = new WriteTimestamps(taken::incrementAndGet);

    assertThat(timestamps.next()).isEqualTo(-(1L << 40));
    assertThat(timestamps.next()).isEqualTo(-(1L << 40) - 1);
    assertThat(timestamps.next()).isEqualTo(-(1L << 40) - 2);
  }

  @Test
  void ofALaterWriterAreAllBelowThoseOfAnEarlierOne() throws InterruptedException {
    WriteTimestamps earlier = new WriteTimestamps(taken::incrementAndGet);
    WriteTimestamps later = new WriteTimestamps(taken::incrementAndGet);

    long firstOfLater = later.next();
    long lastOfEarlier = -((1L << 40) | ((1L << 40) - 1));

    assertThat(firstOfLater).isLessThan(lastOfEarlier);
    assertThat(earlier.next()).isGreaterThan(firstOfLater);
  }

  @Test
  void takeAnotherNumberWhenTheRowsAreUsedUp() throws InterruptedException {
    WriteTimestamps timestamps = new WriteTimestamps(taken::incrementAndGet, 2);

    assertThat(new long[] {timestamps.next(), timestamps.next(), timestamps.next()})
        .containsExactly(-(1L << 40), -(1L << 40) - 1, -(2L << 40));
    assertThat(timestamps.writerNumber()).isEqualTo(2);
  }

  @Test
  void neverReachTheValueThatMeansNoTimestamp() throws InterruptedException {
    WriteTimestamps timestamps = new WriteTimestamps(() -> LARGEST_NUMBER);

    long last = -((LARGEST_NUMBER << 40) | ((1L << 40) - 1));

    assertThat(timestamps.next()).isNegative();
    assertThat(last).isEqualTo(Long.MIN_VALUE + 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, LARGEST_NUMBER + 1})
  void refuseANumberThatDoesNotFit(long number) {
    assertThatThrownBy(() -> new WriteTimestamps(() -> number))
        .isInstanceOf(LedgerException.class)
        .hasMessage("writer number: " + number + " (expected: 1 to 8388607)");
  }
}
