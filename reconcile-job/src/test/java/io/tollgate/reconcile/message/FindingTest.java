package io.tollgate.reconcile.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Owed;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FindingTest {
  static Stream<ReconcileResult> results() {
    return Stream.of(
        new ReconcileResult.Cycle(1, 2, 3, 4, 5, 6, 7),
        new ReconcileResult.Batch(
            "s",
            "b",
            "f",
            State.OPEN,
            "w",
            9,
            Map.of(Outcome.RATED, 8L),
            Map.of(UsageType.DATA, 7L),
            Map.of(496_000L, 8L),
            1),
        new ReconcileResult.Partition(
            1,
            2,
            "s",
            State.BALANCED,
            3,
            Map.of("EUR", new Owed(3, new BigDecimal("12345678901234567890.000100"), -5)),
            -5,
            0,
            9),
        new Found(
            new Difference(DifferenceKind.MISSING_ROW, "s", "b", 1, 2, "3-5", 3, "x", "y"),
            Found.Status.CONFIRMED,
            "h",
            "e",
            4),
        new ReconcileResult.Source("s", "m", "f", 1, "w", State.MISMATCH, 3),
        new ReconcileResult.Halt("h", 1, "r", List.of("d")),
        new ReconcileResult.Acknowledgement(
            "h", "p", "r", Map.of("d", ReconcileResult.Acknowledgement.Resolution.WRITE_OFF), 1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("results")
  void comesBackAsItWas(ReconcileResult result) {
    assertThat(Finding.of(result).result()).isEqualTo(result);
  }
}
