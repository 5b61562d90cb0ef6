package io.tollgate.reconcile.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.reconcile.ReconcileResult.Cycle;
import io.tollgate.reconcile.message.CycleShare;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CycleTallyTest {
  private final CycleTally tally = new CycleTally(Set.of("rows", "batches"));

  @Test
  void completesACycleWithTheLastShare() {
    assertThat(add("rows", 0, 2, 7)).isEmpty();
    assertThat(add("batches", 0, 1, 7)).isEmpty();
    Cycle cycle = add("rows", 1, 2, 7).orElseThrow();
    assertThat(cycle.cycle()).isEqualTo(7);
    assertThat(cycle.rowsRead()).isEqualTo(30);
    assertThat(cycle.partitionsRead()).isEqualTo(3);
    assertThat(cycle.startedMillis()).isEqualTo(700);
    assertThat(cycle.finishedMillis()).isEqualTo(1_000);
  }

  @Test
  void followsTheSlowestWhenOneIsLate() {
    add("rows", 0, 2, 7);
    add("rows", 1, 2, 7);
    add("batches", 0, 1, 7);
    assertThat(add("rows", 0, 2, 8)).isEmpty();
    assertThat(add("batches", 0, 1, 9)).isEmpty();
    assertThat(add("rows", 0, 2, 9)).isEmpty();
    // It skipped a cycle while it was busy.
    assertThat(add("rows", 1, 2, 9).orElseThrow().cycle()).isEqualTo(9);
  }

  @Test
  void countsNoWorkTwice() {
    add("rows", 0, 1, 7);
    add("batches", 0, 1, 7);
    assertThat(add("rows", 0, 1, 8)).isEmpty();
    assertThat(add("batches", 0, 1, 8).orElseThrow().rowsRead()).isEqualTo(20);
  }

  @Test
  void isNotCompleteWithoutEveryStage() {
    assertThat(add("rows", 0, 1, 7)).isEmpty();
    assertThat(add("rows", 0, 1, 8)).isEmpty();
  }

  private Optional<Cycle> add(String stage, int subtask, int parallelism, long cycle) {
    return tally.add(
        new CycleShare(stage, subtask, parallelism, cycle, cycle * 100, 1, 10, 2, 0), 1_000);
  }
}
