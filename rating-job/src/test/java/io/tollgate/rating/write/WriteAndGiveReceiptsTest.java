package io.tollgate.rating.write;

import static io.tollgate.rating.TestCdrs.NOON;
import static io.tollgate.rating.TestCdrs.call;
import static io.tollgate.rating.TestResults.origin;
import static io.tollgate.rating.TestResults.rated;
import static io.tollgate.rating.TestResults.unrated;
import static io.tollgate.rating.TestResults.unreadable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.rating.LedgerAccess;
import io.tollgate.rating.Result;
import io.tollgate.rating.Shared;
import io.tollgate.rating.dedup.EventLookup;
import io.tollgate.rating.receipts.ReceiptPart;
import io.tollgate.rating.receipts.UnitedReceipts;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.Entry;
import io.tollgate.wire.Receipt.HistoryReach;
import io.tollgate.wire.Receipt.OffsetRange;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.ReceiptCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WriteAndGiveReceiptsTest {
  private static final long HOUR = 3_600_000;
  private static final LedgerLayout LAYOUT = LedgerLayout.always(new Placement(16, Set.of()));

  private final JournalingWriter writer = new JournalingWriter();
  private OneInputStreamOperatorTestHarness<Result, ReceiptPart> harness;

  @BeforeEach
  void open() throws Exception {
    harness =
        new OneInputStreamOperatorTestHarness<>(
            new WriteAndGiveReceipts(new JournaledLedger(Shared.of(writer)), LAYOUT));
    harness.open();
    writer.emitted = () -> harness.extractOutputValues().size();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void givesNoReceiptBeforeABarrier() throws Exception {
    for (int seq = 0; seq < 1_000; seq++) {
      process(rated(call("acme", "e" + seq, NOON, 1000), origin("b", seq)));
    }
    harness.processWatermark(NOON + 1);
    assertThat(harness.extractOutputValues()).isEmpty();
    assertThat(writer.journal).hasSize(1_000).allMatch(line -> line.startsWith("add "));
  }

  @Test
  void givesReceiptsAheadOfTheBarrierAndOnlyAfterTheAcknowledgement() throws Exception {
    process(rated(call("acme", "e0", NOON, 1000), origin("b", 0)));
    process(rated(call("acme", "e1", NOON, 1000), origin("b", 1)));
    harness.prepareSnapshotPreBarrier(1);
    assertThat(writer.journal)
        .containsExactly("add e0", "add e1", "flush with 0 receipts emitted", "acknowledged");
    assertThat(outcomes())
        .containsExactly(Map.entry(0L, Outcome.RATED), Map.entry(1L, Outcome.RATED));
  }

  @Test
  void givesEachReceiptOnce() throws Exception {
    process(rated(call("acme", "e0", NOON, 1000), origin("b", 0)));
    harness.prepareSnapshotPreBarrier(1);
    harness.prepareSnapshotPreBarrier(2);
    assertThat(harness.extractOutputValues()).hasSize(1);
    process(rated(call("acme", "e1", NOON, 1000), origin("b", 1)));
    harness.prepareSnapshotPreBarrier(3);
    assertThat(receipts()).hasSize(2);
    assertThat(receipts().get(1).rated().get(0).batchSeqs().toArray()).containsExactly(1);
  }

  @Test
  void givesNoReceiptWhenTheLedgerDidNotAcknowledge() throws Exception {
    process(rated(call("acme", "e0", NOON, 1000), origin("b", 0)));
    process(unrated(call("acme", "e0", NOON, 1000), origin("b", 1), Reason.SAME_CONTENT));
    writer.failures = 1;
    assertThatThrownBy(() -> harness.prepareSnapshotPreBarrier(1)).hasMessage("no answer");
    assertThat(harness.extractOutputValues()).isEmpty();
  }

  @Test
  void acknowledgesAndGivesReceiptsAtTheEndOfInput() throws Exception {
    process(rated(call("acme", "e0", NOON, 1000), origin("b", 0)));
    harness.endInput();
    assertThat(writer.journal).endsWith("flush with 0 receipts emitted", "acknowledged");
    assertThat(outcomes()).containsExactly(Map.entry(0L, Outcome.RATED));
  }

  @Test
  void closesTheWriter() throws Exception {
    harness.close();
    assertThat(writer.journal).containsExactly("close");
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void sendsEachUnratedRecordWhereItBelongs(Reason reason) throws Exception {
    Result result =
        reason.outcome() == Outcome.REJECTED
            ? unreadable(origin("b", 5), reason)
            : unrated(call("acme", "e", NOON, 1000), origin("b", 5), reason);
    process(result);
    assertThat(side(WriteAndGiveReceipts.REJECTED))
        .hasSize(reason.outcome() == Outcome.REJECTED ? 1 : 0);
    assertThat(side(WriteAndGiveReceipts.SUSPENDED))
        .hasSize(
            reason.outcome() == Outcome.SUSPENDED || reason.outcome() == Outcome.CONFLICT ? 1 : 0);
    harness.prepareSnapshotPreBarrier(1);
    assertThat(writer.journal).noneMatch(line -> line.startsWith("add"));
    Entry entry = receipts().get(0).entries().get(0);
    assertThat(entry.outcome()).isEqualTo(reason.outcome());
    assertThat(entry.reason()).isEqualTo(reason);
    assertThat(entry.batchSeq()).isEqualTo(5);
    assertThat(entry.offset()).isEqualTo(1005);
    assertThat(receipts().get(0).rated()).isEmpty();
  }

  @Test
  void describesUnratedRecordsSoThatUsageAddsUp() throws Exception {
    Cdr cdr = call("acme", "e", NOON, 61_000);
    process(unrated(cdr, origin("b", 5), Reason.OTHER_CONTENT));
    process(unreadable(origin("b", 6), Reason.UNREADABLE));
    harness.prepareSnapshotPreBarrier(1);
    List<Entry> entries = receipts().get(0).entries();
    assertThat(entries.get(0))
        .returns("acme", Entry::accountId)
        .returns("e", Entry::eventId)
        .returns(cdr.usageType(), Entry::usageType)
        .returns(NOON, Entry::startMillis)
        .returns(61_000L, Entry::usage);
    assertThat(entries.get(0).fingerprint()).isNotZero();
    assertThat(entries.get(1))
        .returns("", Entry::accountId)
        .returns("", Entry::eventId)
        .returns(null, Entry::usageType)
        .returns(0L, Entry::usage)
        .returns(0L, Entry::fingerprint);
  }

  @Test
  void givesLateRatedRecordsAsEntries() throws Exception {
    process(rated(call("acme", "e0", NOON, 1000), origin("b", 0), true));
    process(rated(call("acme", "e1", NOON, 1000), origin("b", 1), false));
    harness.prepareSnapshotPreBarrier(1);
    Receipt receipt = receipts().get(0);
    assertThat(receipt.rated()).hasSize(1);
    assertThat(receipt.rated().get(0).batchSeqs().toArray()).containsExactly(1);
    assertThat(receipt.entries()).hasSize(1);
    assertThat(receipt.entries().get(0))
        .returns(0L, Entry::batchSeq)
        .returns(Outcome.RATED, Entry::outcome)
        .returns(null, Entry::reason)
        .returns(true, Entry::late);
    assertThat(writer.journal).as("late ones are charged like others").contains("add e0");
  }

  @Test
  void givesABitmapForEachUsageHourWithTheOffsetsItSpans() throws Exception {
    process(rated(call("acme", "e0", NOON, 1000), at("b", 0, 0, 50)));
    process(rated(call("acme", "e1", NOON + HOUR - 1, 1000), at("b", 1, 0, 10)));
    process(rated(call("acme", "e2", NOON + HOUR, 1000), at("b", 2, 0, 70)));
    process(rated(call("acme", "e3", NOON, 1000), at("b", 3, 1, 5)));
    harness.prepareSnapshotPreBarrier(1);
    List<RatedSet> sets = receipts().get(0).rated();
    long hour = Placement.usageHour(NOON);
    assertThat(sets).extracting(RatedSet::usageHour).containsExactly(hour, hour + 1);
    assertThat(sets.get(0).batchSeqs().toArray()).containsExactly(0, 1, 3);
    assertThat(sets.get(0).offsets())
        .containsExactly(new OffsetRange(0, 10, 50), new OffsetRange(1, 5, 5));
    assertThat(sets.get(1).batchSeqs().toArray()).containsExactly(2);
    assertThat(sets.get(1).offsets()).containsExactly(new OffsetRange(0, 70, 70));
  }

  @Test
  void givesAReceiptForEachBatchKeyedByIt() throws Exception {
    process(rated(call("acme", "e0", NOON, 1000), origin("b1", 0)));
    process(rated(call("acme", "e1", NOON, 1000), origin("b2", 0)));
    harness.prepareSnapshotPreBarrier(1);
    assertThat(harness.extractOutputValues())
        .extracting(ReceiptPart::batchKey)
        .containsExactly("pbx|b1", "pbx|b2");
    assertThat(receipts()).extracting(Receipt::tariffVersion).containsOnly(7L);
  }

  @Test
  void refusesAResultThatIsNeitherChargeNorReason() {
    Result neither =
        new Result(null, origin("b", 0), null, 0, false, null, "", null, null, Map.of(), 1, 0);
    assertThatThrownBy(() -> process(neither)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void writesARevisionAndGivesNoReceiptOfIt() throws Exception {
    Result charge = rated(call("acme", "e0", NOON, 1000), origin("b", 0));
    process(charge);
    process(
        new Result(
            charge.charge().withRevision(1, charge.charge().rating()),
            charge.origin(),
            charge.cdr(),
            charge.fingerprint(),
            true, // a receipt of it would be an entry of its own
            null,
            "",
            null,
            null,
            Map.of(),
            1,
            1));
    harness.prepareSnapshotPreBarrier(1);
    assertThat(writer.journal).startsWith("add e0", "add e0");
    assertThat(receipts()).singleElement().satisfies(r -> assertThat(r.entries()).isEmpty());
  }

  @Test
  void reportsHowFarTheHistoryWentAfterTheAcknowledgement() throws Exception {
    process(rated(call("acme", "e0", NOON, 1000), origin("b", 0)));
    process(Result.ofReach(4, 2));
    assertThat(harness.extractOutputValues()).isEmpty();
    harness.prepareSnapshotPreBarrier(1);
    assertThat(writer.journal).contains("flush with 0 receipts emitted", "acknowledged");
    assertThat(receipts()).hasSize(2);
    assertThat(receipts().get(1).reaches()).containsExactly(new HistoryReach(0, 1, 2));
    assertThat(receipts().get(0).reaches()).isEmpty();
  }

  private static Origin at(String batch, long seq, int partition, long offset) {
    return new Origin("pbx", batch, seq, partition, offset, NOON);
  }

  private void process(Result result) throws Exception {
    harness.processElement(new StreamRecord<>(result));
  }

  private List<Receipt> receipts() throws Exception {
    List<Receipt> receipts = new ArrayList<>();
    for (ReceiptPart part : harness.extractOutputValues()) {
      receipts.add(new ReceiptCodec().decode(part.receipt()));
    }
    return receipts;
  }

  private NavigableMap<Long, Outcome> outcomes() throws Exception {
    return UnitedReceipts.of(harness.extractOutputValues()).outcomes("pbx", "b");
  }

  private List<Result> side(OutputTag<Result> tag) {
    var records = harness.getSideOutput(tag);
    return records == null ? List.of() : records.stream().map(StreamRecord::getValue).toList();
  }

  private record JournaledLedger(Shared<JournalingWriter> writer) implements LedgerAccess {
    @Override
    public ChargeWriter openWriter(MetricGroup metrics) {
      return writer.get();
    }

    @Override
    public EventLookup openLookup(MetricGroup metrics) {
      throw new IllegalStateException("writing asks nothing");
    }
  }

  /** Notes what it was asked for, in order, and how many receipts were out by then. */
  private static final class JournalingWriter implements ChargeWriter {
    private final List<String> journal = new ArrayList<>();
    private Emitted emitted;
    private int failures;

    private interface Emitted {
      int count();
    }

    @Override
    public void add(Charge charge) {
      journal.add("add " + charge.cdr().eventId());
    }

    @Override
    public void flush() {
      journal.add("flush with " + emitted.count() + " receipts emitted");
      if (failures > 0) {
        failures--;
        throw new IllegalStateException("no answer");
      }
      journal.add("acknowledged");
    }

    @Override
    public void close() {
      journal.add("close");
    }
  }
}
