package io.tollgate.reconcile.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.reconcile.compare.ComparePartitions;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.Bytes;
import io.tollgate.reconcile.message.DuplicateClaim;
import io.tollgate.reconcile.message.PartitionFact;
import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.Entry;
import io.tollgate.wire.Receipt.OffsetRange;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.ReceiptCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

/** How messages become facts about batches and partitions. */
class SortTest {
  private static final long HOUR = 496_000;
  private static final LedgerLayout LAYOUT = LedgerLayout.always(new Placement(16, Set.of()));

  @Test
  void sendsWordOfRevisionsToTheirPartitionsAndToNoBatch() throws Exception {
    OneInputStreamOperatorTestHarness<byte[], BatchFact> harness = receipts();
    harness.processElement(
        new StreamRecord<>(
            new ReceiptCodec()
                .encode(Receipt.ofRevised(List.of(new Receipt.RevisedPartition(HOUR, 7))))));
    assertThat(harness.extractOutputValues()).isEmpty();
    PartitionFact fact = harness.getSideOutput(SortReceipts.PARTITIONS).peek().getValue();
    assertThat(fact.isRevised()).isTrue();
    assertThat(fact.existsOnly()).isFalse();
    assertThat(fact.partitionKey()).isEqualTo(PartitionFact.key(HOUR, 7));
    harness.close();
  }

  @Test
  void sendsEachPartOfAReceiptToWhereItIsCompared() throws Exception {
    RoaringBitmap seqs = RoaringBitmap.bitmapOf(0, 1);
    Receipt receipt =
        new Receipt(
            "pbx",
            "b1",
            1,
            List.of(new RatedSet(HOUR, 7, seqs, List.of(new OffsetRange(2, 10, 20)))),
            List.of(
                entry(2, Outcome.RATED, null),
                entry(3, Outcome.DUPLICATE, Reason.SAME_CONTENT),
                entry(4, Outcome.SUSPENDED, Reason.NO_PLAN)));
    OneInputStreamOperatorTestHarness<byte[], BatchFact> harness = receipts();
    byte[] bytes = new ReceiptCodec().encode(receipt);
    harness.processElement(new StreamRecord<>(bytes));

    assertThat(harness.extractOutputValues()).hasSize(1);
    assertThat(harness.extractOutputValues().get(0).payload()).isEqualTo(bytes);
    List<PartitionFact> rows =
        harness.getSideOutput(SortReceipts.PARTITIONS).stream()
            .map(StreamRecord::getValue)
            .toList();
    assertThat(rows).hasSize(2);
    assertThat(rows.get(0).usageHour()).isEqualTo(HOUR);
    assertThat(rows.get(0).bucket()).isEqualTo(7);
    assertThat(rows.get(0).late()).isFalse();
    assertThat(Bytes.set(rows.get(0).seqs())).isEqualTo(seqs);
    assertThat(rows.get(0).lastOffsets()).containsExactly(20);
    assertThat(rows.get(1).late()).isTrue();
    assertThat(rows.get(1).bucket()).isEqualTo(LAYOUT.at(HOUR).bucket("acme", "e2"));
    assertThat(rows.get(1).partitionKey()).isEqualTo(PartitionFact.key(HOUR, rows.get(1).bucket()));
    List<DuplicateClaim> claims =
        harness.getSideOutput(SortReceipts.DUPLICATES).stream()
            .map(StreamRecord::getValue)
            .toList();
    assertThat(claims).extracting(DuplicateClaim::eventId).containsExactly("e3");
    harness.close();
  }

  @Test
  void passesOverReceiptsThatAreNoneOrSpeakOfNoRecord() throws Exception {
    OneInputStreamOperatorTestHarness<byte[], BatchFact> harness = receipts();
    harness.processElement(new StreamRecord<>(new byte[] {1, 2, 3}));
    harness.processElement(
        new StreamRecord<>(
            new ReceiptCodec().encode(new Receipt("", "", 1, List.of(), List.of()))));
    assertThat(harness.extractOutputValues()).isEmpty();
    harness.close();
  }

  @ParameterizedTest(name = "''{0}''")
  @ValueSource(
      strings = {
        "",
        "garbage",
        "{\"kind\": \"total\", \"source\": \"s\", \"batch\": \"b\", \"records\": -1}",
        "{\"kind\": \"announced\", \"source\": \"s\\u0007\", \"batch\": \"b\", \"file\": \"f\","
            + " \"fromByte\": 0, \"toByte\": 1}"
      })
  void tellsGarbageWithItsPlace(String json) throws Exception {
    OneInputStreamOperatorTestHarness<ControlFact, BatchFact> harness = control();
    harness.processElement(new StreamRecord<>(fact(json.getBytes(StandardCharsets.UTF_8), 100)));
    assertThat(harness.extractOutputValues()).isEmpty();
    Found found =
        (Found) harness.getSideOutput(ComparePartitions.FINDINGS).peek().getValue().result();
    assertThat(found.difference().kind()).isEqualTo(DifferenceKind.UNREADABLE_CONTROL);
    assertThat(found.difference().items()).isEqualTo("cdr.control, partition 2 offset 9");
    harness.close();
  }

  @Test
  void passesOverControlMessagesWhoseReceiptsMayBeGone() throws Exception {
    byte[] json = ControlMessage.encode(new BatchAnnounced("s", "b", "f", 0, 1));
    OneInputStreamOperatorTestHarness<ControlFact, BatchFact> harness = control();
    harness.setProcessingTime(Duration.ofDays(81).toMillis());
    harness.processElement(new StreamRecord<>(fact(json, 0)));
    assertThat(harness.extractOutputValues()).isEmpty();
    harness.processElement(new StreamRecord<>(fact(json, Duration.ofDays(2).toMillis())));
    assertThat(harness.extractOutputValues()).hasSize(1);
    harness.close();
  }

  private static OneInputStreamOperatorTestHarness<byte[], BatchFact> receipts() throws Exception {
    OneInputStreamOperatorTestHarness<byte[], BatchFact> harness =
        new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(new SortReceipts(LAYOUT)));
    harness.open();
    return harness;
  }

  private static OneInputStreamOperatorTestHarness<ControlFact, BatchFact> control()
      throws Exception {
    OneInputStreamOperatorTestHarness<ControlFact, BatchFact> harness =
        new OneInputStreamOperatorTestHarness<>(
            new ProcessOperator<>(new SortControl(Duration.ofDays(80))));
    harness.open();
    return harness;
  }

  private static ControlFact fact(byte[] json, long appendMillis) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("cdr.control", 2, 9, new byte[0], json);
    ControlFact read = ControlDeserializer.fact(record);
    return new ControlFact(
        read.source(), read.batch(), read.json(), read.fault(), read.place(), appendMillis);
  }

  private static Entry entry(long seq, Outcome outcome, @Nullable Reason reason) {
    return new Entry(
        seq,
        0,
        seq,
        outcome,
        reason,
        true,
        "acme",
        "e" + seq,
        1,
        UsageType.VOICE,
        HOUR * 3_600_000,
        60);
  }
}
