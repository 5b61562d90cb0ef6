package io.tollgate.wire.tariff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.tariff.Correction;
import io.tollgate.domain.tariff.Correction.ChargeKey;
import io.tollgate.domain.tariff.Correction.VoidCharge;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.TariffHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RerateGoalTest {
  private static final long HOUR = 495_000;

  @Test
  void isTheLastCorrectionUnlessAnotherIsAskedFor() {
    TariffTopic.Contents contents = contents(2);
    assertThat(goal(contents, HOUR, OptionalLong.empty())).isEqualTo(new RerateGoal(2, 1_002));
    assertThat(goal(contents, HOUR, OptionalLong.of(1))).isEqualTo(new RerateGoal(1, 1_001));
  }

  @Test
  void refusesWhatIsNotThere() {
    assertThatThrownBy(() -> goal(contents(0), HOUR, OptionalLong.empty()))
        .hasMessageContaining("There is no correction");
    assertThatThrownBy(() -> goal(contents(2), HOUR, OptionalLong.of(3)))
        .hasMessage("correction: 3 (expected: 1 to 2, the last one)");
    assertThatThrownBy(() -> goal(contents(2), HOUR, OptionalLong.of(0)))
        .hasMessage("correction: 0 (expected: 1 to 2, the last one)");
    assertThatThrownBy(() -> goal(contents(2), HOUR + 1, OptionalLong.empty()))
        .hasMessageContaining("expected: hours that a correction up to 2 concerns");
  }

  private static RerateGoal goal(TariffTopic.Contents contents, long hour, OptionalLong wanted) {
    return RerateGoal.of(contents, hour, hour, wanted);
  }

  private static TariffTopic.Contents contents(int corrections) {
    TariffHistory history = TariffHistory.EMPTY.with(TariffBook.builder(1).build());
    List<TariffTopic.Entry> entries = new ArrayList<>();
    entries.add(new TariffTopic.Entry(1_000, 1, history.newest(), Optional.empty()));
    for (int number = 1; number <= corrections; number++) {
      Correction correction =
          new VoidCharge(number, "a test", new ChargeKey("acme", "e" + number, HOUR));
      history = history.with(correction);
      entries.add(
          new TariffTopic.Entry(1_000 + number, 1, Optional.empty(), Optional.of(correction)));
    }
    return new TariffTopic.Contents(history, entries, List.of());
  }
}
