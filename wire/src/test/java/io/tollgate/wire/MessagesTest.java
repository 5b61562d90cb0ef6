package io.tollgate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Receipt.Entry;
import io.tollgate.wire.Receipt.OffsetRange;
import io.tollgate.wire.Receipt.RatedSet;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.roaringbitmap.RoaringBitmap;

class MessagesTest {
  private static final ControlTotal TOTAL =
      new ControlTotal(
          "pbx-1",
          "b1",
          "Master.csv",
          10,
          1,
          Map.of(UsageType.VOICE, 61_000L),
          Map.of(0, 41L, 3, 7L));

  @Test
  void readsControlMessagesThatItWrote() throws Exception {
    BatchAnnounced announced = new BatchAnnounced("pbx-1", "b1", "Master.csv", 0, 4096);
    assertThat(ControlMessage.decode(ControlMessage.encode(announced))).isEqualTo(announced);
    assertThat(ControlMessage.decode(ControlMessage.encode(TOTAL))).isEqualTo(TOTAL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"records\":10 | \"records\":-1 | records: -1",
        "\"records\":10 | \"records\":0 | unreadable: 1",
        "\"VOICE\":61000 | \"VOICE\":-5 | usage.VOICE: -5",
        "\"VOICE\":61000 | \"VOICE\":null | usage.VOICE: null",
        "\"VOICE\":61000 | \"FAX\":1 | FAX",
        "\"0\":41 | \"0\":-1 | lastOffsets.0: -1",
        "\"source\":\"pbx-1\" | \"source\":\" \" | source: blank",
        "\"source\":\"pbx-1\", | '' | source",
        "\"kind\":\"total\" | \"kind\":\"sum\" | sum",
        "{ | [ | control message",
      })
  void refusesADamagedControlTotal(String part, String damaged, String named) {
    String json = new String(ControlMessage.encode(TOTAL), StandardCharsets.UTF_8);
    assertThat(json).contains(part.strip());
    byte[] bytes = json.replace(part.strip(), damaged.strip()).getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> ControlMessage.decode(bytes))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining(named.strip());
  }

  @Test
  void readsAReceiptThatItWrote() throws Exception {
    ReceiptCodec codec = new ReceiptCodec();
    Receipt receipt =
        new Receipt(
            "pbx-1",
            "b1",
            3,
            List.of(
                new RatedSet(
                    496_000,
                    15,
                    RoaringBitmap.bitmapOfRange(0, 100_000),
                    List.of(new OffsetRange(0, 5, 100_104)))),
            List.of(
                new Entry(
                    100_001,
                    0,
                    100_105,
                    Outcome.DUPLICATE,
                    Reason.SAME_CONTENT,
                    true,
                    "acme",
                    "pbx-1/7",
                    -42,
                    UsageType.SMS,
                    1_790_000_000_000L,
                    1),
                new Entry(-1, 0, 9, Outcome.RATED, null, true, "a", "e", 1, null, 0, 0)));
    byte[] bytes = codec.encode(receipt);
    assertThat(bytes.length).isLessThan(300);
    assertThat(codec.decode(bytes)).isEqualTo(receipt);
  }

  @Test
  void tellsWhereRevisionsWereWritten() throws Exception {
    ReceiptCodec codec = new ReceiptCodec();
    Receipt receipt =
        Receipt.ofRevised(
            List.of(
                new Receipt.RevisedPartition(495_000, 7),
                new Receipt.RevisedPartition(495_001, 0)));
    assertThat(codec.decode(codec.encode(receipt))).isEqualTo(receipt);
  }

  /** As the one below, of the form between. */
  @Test
  void readsAReceiptFromBeforeThereWereRevisedPartitions() throws Exception {
    Schema old;
    try (InputStream in = ReceiptCodec.class.getResourceAsStream("receipt-2.avsc")) {
      old = new Schema.Parser().parse(in);
    }
    assertThat(old.getField("revised")).isNull();
    GenericRecord reach = new GenericData.Record(old.getField("reaches").schema().getElementType());
    reach.put("subtask", 1);
    reach.put("parallelism", 2);
    reach.put("correction", 3L);
    GenericRecord receipt = new GenericData.Record(old);
    receipt.put("source", "");
    receipt.put("batch", "");
    receipt.put("tariffVersion", 0L);
    receipt.put("rated", List.of());
    receipt.put("entries", List.of());
    receipt.put("reaches", List.of(reach));
    ByteBuffer bytes =
        new BinaryMessageEncoder<GenericRecord>(GenericData.get(), old).encode(receipt);
    byte[] written = new byte[bytes.remaining()];
    bytes.get(written);
    assertThat(new ReceiptCodec().decode(written))
        .isEqualTo(Receipt.ofReaches(List.of(new Receipt.HistoryReach(1, 2, 3))));
  }

  /** Written by the schema of its time, not by ours: a receipt that lay on the topic before. */
  @Test
  void readsAReceiptFromBeforeThereWereReaches() throws Exception {
    Schema old;
    try (InputStream in = ReceiptCodec.class.getResourceAsStream("receipt-1.avsc")) {
      old = new Schema.Parser().parse(in);
    }
    assertThat(old.getField("reaches")).isNull();
    Schema entrySchema = old.getField("entries").schema().getElementType();
    GenericRecord entry = new GenericData.Record(entrySchema);
    entry.put("batchSeq", 7L);
    entry.put("partition", 2);
    entry.put("offset", 99L);
    entry.put("outcome", "SUSPENDED");
    entry.put("reason", "NO_PLAN");
    entry.put("late", true);
    entry.put("accountId", "acme");
    entry.put("eventId", "pbx-1/7");
    entry.put("fingerprint", -42L);
    entry.put("usageType", "VOICE");
    entry.put("startMillis", 1_790_000_000_000L);
    entry.put("usage", 61_000L);
    GenericRecord receipt = new GenericData.Record(old);
    receipt.put("source", "pbx-1");
    receipt.put("batch", "b1");
    receipt.put("tariffVersion", 3L);
    receipt.put("rated", List.of());
    receipt.put("entries", List.of(entry));
    ByteBuffer encoded = new BinaryMessageEncoder<>(GenericData.get(), old).encode(receipt);
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);

    assertThat(new ReceiptCodec().decode(bytes))
        .isEqualTo(
            new Receipt(
                "pbx-1",
                "b1",
                3,
                List.of(),
                List.of(
                    new Entry(
                        7,
                        2,
                        99,
                        Outcome.SUSPENDED,
                        Reason.NO_PLAN,
                        true,
                        "acme",
                        "pbx-1/7",
                        -42,
                        UsageType.VOICE,
                        1_790_000_000_000L,
                        61_000))));
  }

  @Test
  void refusesADamagedReceipt() {
    ReceiptCodec codec = new ReceiptCodec();
    byte[] bytes = codec.encode(new Receipt("s", "b", 0, List.of(), List.of()));
    assertThatThrownBy(() -> codec.decode(Arrays.copyOf(bytes, bytes.length - 1)))
        .isInstanceOf(UnreadableException.class);
    assertThatThrownBy(() -> codec.decode(new byte[0])).isInstanceOf(UnreadableException.class);
  }

  @Test
  void keepsEverythingOfASideRecord() throws Exception {
    byte[] value = {0, 1, (byte) 0xFF};
    SideRecord record =
        new SideRecord(
            Reason.UNREADABLE,
            "first byte 0x00",
            "cdr",
            new Origin("pbx-1", "b1", 7, 2, 99, 1_790_000_000_000L),
            "acme".getBytes(StandardCharsets.UTF_8),
            value,
            Map.of(Headers.PLACE, "Master.csv:8"));
    SideRecord read = SideRecord.of(record.headers(), value);
    assertThat(read).usingRecursiveComparison().isEqualTo(record);
    assertThat(record.kafkaKey()).asString(StandardCharsets.UTF_8).isEqualTo("cdr-2@99");
  }

  @Test
  void namesTheMissingHeaderOfASideRecord() {
    assertThatThrownBy(() -> SideRecord.of(Map.of(), null))
        .hasMessageContaining("header reason: missing");
  }
}
