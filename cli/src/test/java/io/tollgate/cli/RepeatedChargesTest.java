package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rating;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RepeatedChargesTest {
  private final Charge second = charge(10, 2_000, 0);
  private final Charge first = charge(12, 1_000, 5);
  private final Charge third = charge(13, 2_000, 1);

  @Test
  void shouldLeaveTheChargeWhoseRecordCameFirst() {
    assertThat(RepeatedCharges.afterTheFirst(List.of(second, first, third)))
        .containsExactly(second, third);
  }

  @Test
  void shouldTakeACorrectedChargeForOwedAndAVoidedOneNot() {
    Charge voided = second.withRevision(1, priced("0.00"));
    Charge corrected = third.withRevision(2, priced("0.10"));
    assertThat(RepeatedCharges.afterTheFirst(List.of(second, voided, first, third, corrected)))
        .containsExactly(third);
  }

  @Test
  void shouldFindNothingWhereOneIsLeft() {
    assertThat(
            RepeatedCharges.afterTheFirst(
                List.of(second, second.withRevision(1, priced("0.00")), first)))
        .isEmpty();
  }

  private static Charge charge(long hour, long appendMillis, long offset) {
    Cdr cdr =
        new Cdr(
            "call",
            "acme",
            UsageType.VOICE,
            "+491",
            "+492",
            hour * 3_600_000,
            0,
            60_000,
            "",
            Map.of(),
            "",
            "");
    return new Charge(
        cdr,
        ContentFingerprint.of(cdr),
        new Origin("pbx", "b", offset, 0, offset, appendMillis),
        false,
        priced("0.60"),
        0);
  }

  private static Rating.Priced priced(String text) {
    BigDecimal amount = new BigDecimal(text);
    return new Rating.Priced("p", 1, "", "", 60_000, List.of(), amount, amount, "EUR");
  }
}
