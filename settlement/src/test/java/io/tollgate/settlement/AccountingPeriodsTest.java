package io.tollgate.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.YearMonth;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccountingPeriodsTest {
  @Test
  void shouldBeTheMonthOfUsageWhileThatIsOpen() {
    AccountingPeriods periods = new AccountingPeriods(Set.of());

    assertThat(periods.of(hour("2026-01-31T23:00:00Z"))).isEqualTo(YearMonth.of(2026, 1));
    assertThat(periods.of(hour("2026-02-01T00:00:00Z"))).isEqualTo(YearMonth.of(2026, 2));
  }

  @Test
  void shouldBeTheNextOpenMonthOnceThatIsClosed() {
    AccountingPeriods periods =
        new AccountingPeriods(Set.of(YearMonth.of(2025, 12), YearMonth.of(2026, 1)));

    assertThat(periods.of(hour("2025-12-05T00:00:00Z"))).isEqualTo(YearMonth.of(2026, 2));
    assertThat(periods.of(hour("2025-11-05T00:00:00Z"))).isEqualTo(YearMonth.of(2025, 11));
  }

  private static long hour(String instant) {
    return Instant.parse(instant).getEpochSecond() / 3_600;
  }
}
