package io.tollgate.rating.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReaderGateTest {
  // System.nanoTime() may overflow while a process runs.
  private long nowNanos = Long.MAX_VALUE - 100;
  private final ReaderGate gate = new ReaderGate(() -> nowNanos);

  @Test
  void isClosedUntilALeaseArrives() {
    CompletableFuture<Void> opens = gate.whenOpen();
    assertThat(gate.isOpen()).isFalse();
    assertThat(opens).isNotDone();

    gate.hear(new GateLease(1_000));

    assertThat(gate.isOpen()).isTrue();
    assertThat(opens).isDone();
  }

  @Test
  void closesWhenTheLeaseEndsAndOpensWithTheNext() {
    gate.hear(new GateLease(1_000));
    pass(999);
    assertThat(gate.isOpen()).isTrue();
    pass(1);
    assertThat(gate.isOpen()).isFalse();
    CompletableFuture<Void> opens = gate.whenOpen();
    assertThat(opens).isNotDone();

    gate.hear(new GateLease(1_000));

    assertThat(opens).isDone();
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void leasesProlongButDoNotAddUp() {
    gate.hear(new GateLease(1_000));
    pass(200);
    gate.hear(new GateLease(1_000));
    pass(999);
    assertThat(gate.isOpen()).isTrue();
    pass(1);
    assertThat(gate.isOpen()).isFalse();
  }

  @Test
  void olderLeaseDoesNotShorten() {
    gate.hear(new GateLease(1_000));
    gate.hear(new GateLease(10));
    pass(999);
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void leaseIsTakenBackAtOnce() {
    gate.hear(new GateLease(1_000));
    gate.hear(new GateLease(0));
    assertThat(gate.isOpen()).isFalse();
    assertThat(gate.whenOpen()).isNotDone();
  }

  @Test
  void countsTheTimeItIsClosed() {
    pass(5_000);
    assertThat(gate.closedMillis()).isEqualTo(5_000);
    gate.hear(new GateLease(1_000));
    pass(800);
    assertThat(gate.closedMillis()).isEqualTo(5_000);
    pass(700);
    assertThat(gate.isOpen()).isFalse();
    assertThat(gate.closedMillis()).isEqualTo(5_500);
    gate.hear(new GateLease(1_000));
    gate.hear(new GateLease(0));
    pass(100);
    assertThat(gate.closedMillis()).isEqualTo(5_600);
  }

  private void pass(long millis) {
    nowNanos += Duration.ofMillis(millis).toNanos();
  }
}
