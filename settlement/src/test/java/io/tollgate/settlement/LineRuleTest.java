package io.tollgate.settlement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tollgate.domain.reconcile.ReconcileResult.Owed;
import io.tollgate.settlement.LineRule.Addition;
import io.tollgate.settlement.LineRule.Settled;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table in the javadoc of {@link LineRule}. */
class LineRuleTest {
  static Stream<Arguments> table() {
    return Stream.of(
        arguments(Settled.NOTHING, Owed.NOTHING, null),
        arguments(
            Settled.NOTHING, owed(2, "3.10", 7), new Addition(0, 2, new BigDecimal("3.10"), 7)),
        arguments(new Settled(1, owed(2, "3.1", 7)), owed(2, "3.10", 7), null),
        arguments(
            new Settled(1, owed(2, "3.10", 7)),
            owed(3, "4.00", 8),
            new Addition(1, 1, new BigDecimal("0.90"), 8)),
        arguments(
            new Settled(2, owed(2, "3.10", 7)),
            owed(2, "2.00", 9),
            new Addition(2, 0, new BigDecimal("-1.10"), 9)),
        // Two changes that cancel each other out are told all the same.
        arguments(
            new Settled(1, owed(2, "3.10", 7)),
            owed(2, "3.10", 6),
            new Addition(1, 0, new BigDecimal("0.00"), 6)),
        arguments(
            new Settled(3, owed(2, "3.10", 7)),
            Owed.NOTHING,
            new Addition(3, -2, new BigDecimal("-3.10"), 0)));
  }

  @ParameterizedTest
  @MethodSource("table")
  void shouldFollowTheTable(Settled settled, Owed owed, Addition addition) {
    assertThat(LineRule.next(settled, owed)).isEqualTo(Optional.ofNullable(addition));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13})
  void shouldAddUpToWhatIsOwedAfterAnyHistory(long seed) {
    Random random = new Random(seed);
    Settled settled = Settled.NOTHING;
    for (int i = 0; i < 500; i++) {
      Owed owed =
          random.nextInt(10) == 0
              ? Owed.NOTHING
              : owed(
                  random.nextInt(5),
                  BigDecimal.valueOf(random.nextInt(2_000) - 1_000, random.nextInt(6)).toString(),
                  random.nextInt(3));
      Optional<Addition> addition = LineRule.next(settled, owed);
      if (addition.isPresent()) {
        assertThat(addition.get().number()).isEqualTo(settled.lines());
        settled = plus(settled, addition.get());
      }
      assertThat(settled.sum().isSame(owed)).as(settled + " " + owed).isTrue();
    }
  }

  @Test
  void shouldStartWithNumberZero() {
    assertThat(LineRule.next(Settled.NOTHING, owed(1, "1", 1)).orElseThrow().number()).isZero();
  }

  private static Settled plus(Settled settled, Addition addition) {
    return new Settled(
        settled.lines() + 1,
        new Owed(
            settled.sum().charges() + addition.charges(),
            settled.sum().amount().add(addition.amount()),
            addition.digest()));
  }

  private static Owed owed(long charges, String amount, long digest) {
    return new Owed(charges, new BigDecimal(amount), digest);
  }
}
