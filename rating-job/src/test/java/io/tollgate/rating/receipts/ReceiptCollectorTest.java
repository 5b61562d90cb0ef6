package io.tollgate.rating.receipts;

import static io.tollgate.rating.TestCdrs.NOON;
import static io.tollgate.rating.TestCdrs.call;
import static io.tollgate.rating.TestResults.origin;
import static io.tollgate.rating.TestResults.rated;
import static io.tollgate.rating.TestResults.unrated;
import static io.tollgate.rating.TestResults.unreadable;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.OffsetRange;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.ReceiptCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class ReceiptCollectorTest {
  /** Kafka's default for the largest message. */
  private static final int KAFKA_LIMIT_BYTES = 1_048_576;

  private final ReceiptCollector collector = new ReceiptCollector();

  @Test
  void handsOutNothingWhenNothingWasCollected() {
    assertThat(drain()).isEmpty();
  }

  @Test
  void startsAnewAfterHandingOut() {
    collector.add(rated(call("acme", "e", NOON, 1000), origin("b", 0)), 3);
    assertThat(drain()).hasSize(1);
    assertThat(drain()).isEmpty();
  }

  @Test
  void keepsTheLargestSeq() throws Exception {
    collector.add(rated(call("acme", "e", NOON, 1000), origin("b", Integer.MAX_VALUE)), 3);
    assertThat(UnitedReceipts.of(drain()).outcomes("pbx", "b"))
        .containsOnlyKeys((long) Integer.MAX_VALUE);
  }

  @Test
  void givesRecordsWithoutReadableHeadersAnEntryToo() throws Exception {
    collector.add(unreadable(new Origin("", "", -1, 3, 77, NOON), Reason.BAD_HEADERS), 3);
    collector.add(unreadable(new Origin("", "", -1, 3, 78, NOON), Reason.BAD_HEADERS), 3);
    Receipt receipt = decode(drain()).get(0);
    assertThat(receipt.entries()).extracting(Receipt.Entry::offset).containsExactly(77L, 78L);
    assertThat(receipt.entries()).extracting(Receipt.Entry::batchSeq).containsOnly(-1L);
  }

  @Test
  void keepsBatchesApartWhoseIdsJoinAlike() throws Exception {
    Cdr cdr = call("acme", "e", NOON, 1000);
    collector.add(rated(cdr, new Origin("a|b", "c", 1, 0, 1, NOON)), 3);
    collector.add(rated(cdr, new Origin("a", "b|c", 2, 0, 2, NOON)), 3);
    UnitedReceipts united = UnitedReceipts.of(drain());
    assertThat(united.outcomes("a|b", "c")).containsOnlyKeys(1L);
    assertThat(united.outcomes("a", "b|c")).containsOnlyKeys(2L);
  }

  @Test
  void namesTheOldestTariffThatHadBeenRead() throws Exception {
    collector.unite(new Receipt("pbx", "b", 9, List.of(), List.of()));
    collector.unite(receipt(4, RoaringBitmap.bitmapOf(1)));
    collector.unite(receipt(6, RoaringBitmap.bitmapOf(2)));
    assertThat(decode(drain())).extracting(Receipt::tariffVersion).containsExactly(4L);
  }

  @Test
  void splitsSetsAtTheMostSeqsOfOneMessage() throws Exception {
    int seqs = 2 * ReceiptCollector.MAX_SEQS + 5;
    collector.unite(receipt(1, RoaringBitmap.bitmapOfRange(0, seqs)));
    List<ReceiptPart> parts = drain();
    assertThat(parts.size()).isGreaterThanOrEqualTo(3);
    RoaringBitmap united = new RoaringBitmap();
    for (Receipt receipt : decode(parts)) {
      assertThat(cardinality(receipt)).isBetween(1L, (long) ReceiptCollector.MAX_SEQS);
      for (RatedSet set : receipt.rated()) {
        assertThat(RoaringBitmap.intersects(united, set.batchSeqs())).isFalse();
        assertThat(set.offsets()).containsExactly(new OffsetRange(2, 100, 200));
        united.or(set.batchSeqs());
      }
    }
    assertThat(united).isEqualTo(RoaringBitmap.bitmapOfRange(0, seqs));
  }

  @Test
  void sendsExactlyTheMostSeqsInOneMessage() {
    collector.unite(receipt(1, RoaringBitmap.bitmapOfRange(0, ReceiptCollector.MAX_SEQS)));
    assertThat(drain()).hasSize(1);
  }

  @Test
  void splitsSeveralHoursOfOneBatch() throws Exception {
    for (int hour = 0; hour < 5; hour++) {
      RoaringBitmap seqs = RoaringBitmap.bitmapOfRange(hour * 400_000L, (hour + 1) * 400_000L);
      collector.unite(
          new Receipt("pbx", "b", 1, List.of(new RatedSet(hour, 3, seqs, List.of())), List.of()));
    }
    List<ReceiptPart> parts = drain();
    assertThat(parts).hasSize(3);
    List<RatedSet> sets = new ArrayList<>();
    decode(parts).forEach(receipt -> sets.addAll(receipt.rated()));
    assertThat(sets).extracting(RatedSet::usageHour).containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(sets.get(4).batchSeqs())
        .isEqualTo(RoaringBitmap.bitmapOfRange(1_600_000, 2_000_000));
  }

  @Test
  void keepsPartitionsOfTheLedgerApart() throws Exception {
    collector.add(rated(call("acme", "e", NOON, 1), origin("b", 0)), 3);
    collector.add(rated(call("acme", "f", NOON, 1), origin("b", 1)), 4);
    collector.add(rated(call("acme", "g", NOON, 1), origin("b", 2)), 3);
    List<RatedSet> sets = decode(drain()).get(0).rated();
    assertThat(sets).extracting(RatedSet::bucket).containsExactly(3, 4);
    assertThat(sets.get(0).batchSeqs()).isEqualTo(RoaringBitmap.bitmapOf(0, 2));
    assertThat(sets.get(1).batchSeqs()).isEqualTo(RoaringBitmap.bitmapOf(1));
  }

  @ParameterizedTest(name = "{0} more than the most")
  @ValueSource(ints = {-1, 0, 1, 4_001})
  void splitsEntriesAtTheMostOfOneMessage(int more) throws Exception {
    int entries = ReceiptCollector.MAX_ENTRIES + more;
    for (int seq = 0; seq < entries; seq++) {
      collector.add(
          unrated(call("a", "e" + seq, NOON, 1), origin("b", seq), Reason.SAME_CONTENT), 3);
    }
    collector.add(rated(call("a", "r", NOON, 1), origin("b", entries)), 3);
    List<ReceiptPart> parts = drain();
    int expected = (entries + ReceiptCollector.MAX_ENTRIES - 1) / ReceiptCollector.MAX_ENTRIES;
    assertThat(parts).hasSize(expected);
    NavigableMap<Long, Outcome> outcomes = UnitedReceipts.of(parts).outcomes("pbx", "b");
    assertThat(outcomes).hasSize(entries + 1);
    assertThat(outcomes.lastEntry().getValue()).isEqualTo(Outcome.RATED);
  }

  @Test
  void staysBelowKafkasLimitWithTheLongestIds() throws Exception {
    String longest = "€".repeat(256);
    for (int seq = 0; seq < 3_000; seq++) {
      Cdr cdr = call(longest, longest, NOON, 1);
      Origin origin = new Origin(longest, longest, seq, 0, seq, NOON);
      collector.add(unrated(cdr, origin, Reason.SAME_CONTENT), 3);
    }
    List<ReceiptPart> parts = drain();
    assertThat(parts).allMatch(part -> message(part) < KAFKA_LIMIT_BYTES);
    assertThat(UnitedReceipts.of(parts).outcomes(longest, longest)).hasSize(3_000);
  }

  @Test
  void staysBelowKafkasLimitWithScatteredSeqs() throws Exception {
    Random random = new Random(1);
    RoaringBitmap scattered = new RoaringBitmap();
    for (int i = 0; i < ReceiptCollector.MAX_SEQS; i++) {
      scattered.add(random.nextInt(Integer.MAX_VALUE));
    }
    RoaringBitmap expected = scattered.clone();
    collector.unite(receipt(1, scattered));
    List<ReceiptPart> parts = drain();
    assertThat(parts).allMatch(part -> message(part) < KAFKA_LIMIT_BYTES);
    RoaringBitmap united = new RoaringBitmap();
    for (Receipt receipt : decode(parts)) {
      receipt.rated().forEach(set -> united.or(set.batchSeqs()));
    }
    assertThat(united).isEqualTo(expected);
  }

  @Test
  void staysBelowKafkasLimitWithAnHourForEachRecord() throws Exception {
    int hours = 30_000;
    for (int seq = 0; seq < hours; seq++) {
      collector.add(rated(call("a", "e", NOON + seq * 3_600_000L, 1), origin("b", seq)), 3);
    }
    List<ReceiptPart> parts = drain();
    assertThat(parts).allMatch(part -> message(part) < KAFKA_LIMIT_BYTES);
    assertThat(UnitedReceipts.of(parts).hours("pbx", "b")).hasSize(hours);
  }

  private static Receipt receipt(long tariffVersion, RoaringBitmap seqs) {
    RatedSet set = new RatedSet(1, 3, seqs, List.of(new OffsetRange(2, 100, 200)));
    return new Receipt("pbx", "b", tariffVersion, List.of(set), List.of());
  }

  private static long cardinality(Receipt receipt) {
    return receipt.rated().stream().mapToLong(set -> set.batchSeqs().getLongCardinality()).sum();
  }

  private static int message(ReceiptPart part) {
    int overhead = 100;
    return part.receipt().length + 3 * part.batchKey().length() + overhead;
  }

  private List<ReceiptPart> drain() {
    List<ReceiptPart> parts = new ArrayList<>();
    collector.drain(parts::add);
    return parts;
  }

  private static List<Receipt> decode(List<ReceiptPart> parts) throws Exception {
    List<Receipt> receipts = new ArrayList<>();
    for (ReceiptPart part : parts) {
      receipts.add(new ReceiptCodec().decode(part.receipt()));
    }
    return receipts;
  }
}
