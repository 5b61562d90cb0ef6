package io.tollgate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.Receipt.Entry;
import io.tollgate.wire.Receipt.RatedSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class ReceiptTallyTest {
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void unitesReceiptsInAnyOrderAndAnyNumberOfTimes(long seed) {
    Random random = new Random(seed);
    List<Receipt> receipts = new ArrayList<>();
    receipts.add(rated(0, 1, 2));
    receipts.add(rated(5));
    receipts.add(entry(3, Outcome.SUSPENDED, Reason.NO_PLAN));
    receipts.add(entry(4, Outcome.RATED, null));
    // Suspended at first, rated after a redrive; and repeated by a restart.
    receipts.add(entry(5, Outcome.SUSPENDED, Reason.NO_PLAN));
    receipts.add(entry(2, Outcome.DUPLICATE, Reason.SAME_CONTENT));
    receipts.addAll(receipts.subList(0, random.nextInt(receipts.size())).stream().toList());
    Collections.shuffle(receipts, random);

    ReceiptTally tally = new ReceiptTally();
    receipts.forEach(tally::add);

    ReceiptTally.OfBatch batch = tally.batch("pbx", "b");
    assertThat(batch.rated().toArray()).containsExactly(0, 1, 2, 4, 5);
    assertThat(batch.byOutcome()).isEqualTo(Map.of(Outcome.RATED, 5L, Outcome.SUSPENDED, 1L));
    assertThat(batch.byReason()).isEqualTo(Map.of(Reason.NO_PLAN, 1L));
    assertThat(batch.covers(6)).isTrue();
    assertThat(batch.covers(5)).as("a surplus record").isFalse();
    assertThat(batch.covers(7)).as("a missing record").isFalse();
  }

  private static Receipt rated(int... seqs) {
    return new Receipt(
        "pbx",
        "b",
        1,
        List.of(new RatedSet(1, 3, RoaringBitmap.bitmapOf(seqs), List.of())),
        List.of());
  }

  private static Receipt entry(long seq, Outcome outcome, Reason reason) {
    return new Receipt(
        "pbx",
        "b",
        1,
        List.of(),
        List.of(new Entry(seq, 0, seq, outcome, reason, false, "a", "e", 1, UsageType.SMS, 0, 1)));
  }
}
