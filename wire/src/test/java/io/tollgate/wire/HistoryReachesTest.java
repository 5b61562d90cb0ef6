package io.tollgate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.wire.Receipt.HistoryReach;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryReachesTest {
  private static final Pattern REPORT = Pattern.compile("(\\d+)/(\\d+):(\\d+)");

  private final HistoryReaches reaches = new HistoryReaches();

  /** Reports are subtask/parallelism:correction. */
  @ParameterizedTest
  @CsvSource({
    "'', 0",
    "0/1:3, 3",
    "0/2:3, 0",
    "0/2:3 1/2:2, 2",
    "1/2:2 0/2:3 1/2:3, 3",
    "0/2:3 1/2:3 0/2:1, 3",
    "0/2:3 0/3:3 1/3:3, 0",
    "0/2:1 1/2:1 0/1:4, 4",
    "0/2:4 1/2:4 0/3:5 1/3:4, 4",
  })
  void shouldKnowWhatEverySubtaskHasReported(String reports, long expected) {
    for (MatchResult report : REPORT.matcher(reports).results().toList()) {
      reaches.add(
          new HistoryReach(
              Integer.parseInt(report.group(1)),
              Integer.parseInt(report.group(2)),
              Long.parseLong(report.group(3))));
    }
    assertThat(reaches.everySubtask()).isEqualTo(expected);
  }

  @Test
  void shouldRefuseASubtaskThatCannotBe() {
    assertThatThrownBy(() -> reaches.add(new HistoryReach(2, 2, 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldTravelInAReceiptThatIsOfNoBatch() throws Exception {
    Receipt receipt = Receipt.ofReaches(List.of(new HistoryReach(0, 1, 7)));
    ReceiptCodec codec = new ReceiptCodec();
    assertThat(codec.decode(codec.encode(receipt))).isEqualTo(receipt);
    ReceiptTally tally = new ReceiptTally();
    tally.add(receipt);
    assertThat(tally.batches()).isEmpty();
    assertThat(tally.reaches().everySubtask()).isEqualTo(7);
  }
}
