package io.tollgate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CdrCodecTest {
  private static final Cdr CALL =
      new Cdr(
          "pbx-1/1700000000.42",
          "acme",
          UsageType.VOICE,
          "+493023125001",
          "+447700900123",
          1_790_000_000_123L,
          7200,
          61_000,
          "ANSWERED",
          Map.of("trunk", "7", "größe", "ä"),
          "023125001",
          "00447700900123");

  private final CdrCodec codec = new CdrCodec();

  @Test
  void readsWhatItWrote() throws Exception {
    assertThat(codec.decode(codec.encode(CALL))).isEqualTo(CALL);
  }

  @Test
  void writesWhatAvroItselfReads() throws Exception {
    GenericRecord read =
        new BinaryMessageDecoder<GenericRecord>(GenericData.get(), CdrCodec.NEWEST)
            .decode(codec.encode(CALL));
    assertThat(read.get("eventId")).hasToString(CALL.eventId());
    assertThat(read.get("usageType")).hasToString("VOICE");
    assertThat(read.get("usage")).isEqualTo(61_000L);
    assertThat(read.get("calledOriginal")).hasToString("00447700900123");
  }

  @Test
  void readsAnOlderSchemaWithDefaultsForWhatItLacks() throws Exception {
    Schema older = without(CdrCodec.NEWEST, "callingOriginal", "calledOriginal", "attributes");
    GenericData.Record written = new GenericData.Record(older);
    fill(written);
    Cdr read = new CdrCodec(List.of(CdrCodec.NEWEST, older)).decode(bytes(older, written));
    assertThat(read.eventId()).isEqualTo("e");
    assertThat(read.attributes()).isEmpty();
    assertThat(read.callingOriginal()).isEmpty();
  }

  @Test
  void readsANewerSchemaPassingOverWhatItDoesNotKnow() throws Exception {
    Schema newer =
        new Schema.Parser()
            .parse(
                CdrCodec.NEWEST
                    .toString()
                    .replaceFirst(
                        "\"fields\":\\[",
                        """
                        "fields":[
                          {"name":"cell","type":["null",{"type":"record","name":"Cell","fields":[
                            {"name":"id","type":"long"},{"name":"raw","type":"bytes"},
                            {"name":"tags","type":{"type":"array","items":"string"}}]}],
                            "default":null},
                          {"name":"quality","type":"double","default":0},
                        """));
    GenericData.Record written = new GenericData.Record(newer);
    fill(written);
    GenericData.Record cell =
        new GenericData.Record(newer.getField("cell").schema().getTypes().get(1));
    cell.put("id", 5L);
    cell.put("raw", ByteBuffer.wrap(new byte[] {1, 2}));
    cell.put("tags", List.of("a", "b"));
    written.put("cell", cell);
    written.put("quality", 0.5);
    written.put("attributes", Map.of("k", "v"));
    written.put("callingOriginal", "");
    written.put("calledOriginal", "x");
    Cdr read = new CdrCodec(List.of(CdrCodec.NEWEST, newer)).decode(bytes(newer, written));
    assertThat(read.usage()).isEqualTo(9);
    assertThat(read.attributes()).containsExactly(Map.entry("k", "v"));
    assertThat(read.calledOriginal()).isEqualTo("x");
  }

  @Test
  void everySchemaOfTheHistoryIsCompatibleInBothDirections() {
    // Grows with each new version: a version may only add fields that have a default.
    List<Schema> history = List.of(CdrCodec.NEWEST);
    for (Schema reader : history) {
      for (Schema writer : history) {
        assertThat(SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getType())
            .isEqualTo(SchemaCompatibilityType.COMPATIBLE);
      }
    }
  }

  @Test
  void refusesAnUnknownSchemaByName() {
    byte[] bytes = codec.encode(CALL);
    bytes[5] ^= 1;
    assertThatThrownBy(() -> codec.decode(bytes))
        .isInstanceOfSatisfying(
            UnreadableException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_SCHEMA))
        .hasMessageContaining("upgrade the rating job");
  }

  @Test
  void refusesEveryTruncation() {
    byte[] whole = codec.encode(CALL);
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> codec.decode(part)).isInstanceOf(UnreadableException.class);
    }
  }

  @Test
  void refusesTrailingBytes() {
    byte[] whole = codec.encode(CALL);
    assertThatThrownBy(() -> codec.decode(Arrays.copyOf(whole, whole.length + 1)))
        .hasMessageContaining("left over");
  }

  @Test
  void refusesAHugeLengthWithoutAllocatingIt() {
    byte[] whole = codec.encode(CALL);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(whole, 0, 10);
    out.writeBytes(new byte[] {(byte) 0xFE, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F});
    assertThatThrownBy(() -> codec.decode(out.toByteArray())).hasMessageContaining("truncated");
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void neverThrowsAnythingElseForDamagedBytes(long seed) {
    Random random = new Random(seed);
    byte[] avro = codec.encode(CALL);
    byte[] json = CdrJson.encode(CALL).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = (random.nextBoolean() ? avro : json).clone();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        assertThat(codec.decode(bytes)).isNotNull();
      } catch (UnreadableException e) {
        assertThat(e.detail()).isNotBlank();
      }
    }
  }

  @Test
  void readsJsonThatItWrote() throws Exception {
    assertThat(codec.decode(CdrJson.encode(CALL).getBytes(StandardCharsets.UTF_8))).isEqualTo(CALL);
  }

  @Test
  void namesEveryFaultOfAJsonCdr() {
    String json =
        """
        {"eventId": 5, "usageType": "CALL", "start": "yesterday", "usage": 1.5, "colour": "red"}
        """;
    assertThatThrownBy(() -> codec.decode(json.getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("eventId: 5 (expected: text)")
        .hasMessageContaining("accountId: missing")
        .hasMessageContaining("usageType: CALL (expected: one of [VOICE")
        .hasMessageContaining("start: yesterday (expected: ISO 8601")
        .hasMessageContaining("usage: 1.5 (expected: a whole number")
        .hasMessageContaining("colour: unknown name");
  }

  @Test
  void refusesARepeatedJsonName() {
    String json = "{\"eventId\":\"a\",\"eventId\":\"b\"}";
    assertThatThrownBy(() -> codec.decode(json.getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("Duplicate field 'eventId'");
  }

  private static Schema without(Schema schema, String... names) {
    List<Schema.Field> fields =
        schema.getFields().stream()
            .filter(field -> !Arrays.asList(names).contains(field.name()))
            .map(field -> new Schema.Field(field, field.schema()))
            .toList();
    return Schema.createRecord(schema.getName(), null, schema.getNamespace(), false, fields);
  }

  private static void fill(GenericData.Record record) {
    record.put("eventId", "e");
    record.put("accountId", "a");
    record.put(
        "usageType",
        new GenericData.EnumSymbol(record.getSchema().getField("usageType").schema(), "SMS"));
    record.put("calling", "1");
    record.put("called", "2");
    record.put("startMillis", 7L);
    record.put("utcOffsetSeconds", 0);
    record.put("usage", 9L);
    record.put("cause", "");
  }

  private static byte[] bytes(Schema schema, GenericRecord record) throws Exception {
    return new BinaryMessageEncoder<GenericRecord>(GenericData.get(), schema)
        .encode(record)
        .array();
  }
}
