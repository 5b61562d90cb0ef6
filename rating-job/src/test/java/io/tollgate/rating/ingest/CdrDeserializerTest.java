package io.tollgate.rating.ingest;

import static io.tollgate.rating.TestCdrs.NOON;
import static io.tollgate.rating.TestCdrs.call;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.CdrJson;
import io.tollgate.wire.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CdrDeserializerTest {
  private static final long MAX_AHEAD = Duration.ofHours(1).toMillis();
  private static final int PARTITION = 3;
  private static final long OFFSET = 2_000_017;
  private static final Cdr CALL = call("acme", "pbx/1", NOON, 61_000);
  private static final byte[] AVRO = new CdrCodec().encode(CALL);
  private static final byte[] KEY = {'a', 'c', 'm', 'e'};

  private final CdrDeserializer deserializer = new CdrDeserializer(MAX_AHEAD);

  @BeforeEach
  void open() {
    deserializer.open(null);
  }

  @Test
  void readsAvroWithItsPlaceInBatchAndTopic() {
    Arrival arrival = read(AVRO, batch("pbx-1", "b7", "42"));
    assertThat(arrival.cdr()).isEqualTo(CALL);
    assertThat(arrival.refusal()).isNull();
    assertThat(arrival.detail()).isEmpty();
    assertThat(arrival.origin()).isEqualTo(new Origin("pbx-1", "b7", 42, PARTITION, OFFSET, NOON));
    assertThat(arrival.key()).as("bytes are kept for refused records only").isNull();
    assertThat(arrival.value()).isNull();
  }

  @Test
  void readsJson() {
    Arrival arrival = read(CdrJson.encode(CALL).getBytes(UTF_8), batch("pbx-1", "b7", "0"));
    assertThat(arrival.cdr()).isEqualTo(CALL);
    assertThat(arrival.refusal()).isNull();
  }

  @Test
  void countsRecordsWithoutHeadersInBlocksOfOffsets() {
    assertThat(read(AVRO, Map.of()).origin())
        .isEqualTo(new Origin("", "partition-3-block-2", 17, PARTITION, OFFSET, NOON));
    assertThat(read(AVRO, Map.of(Headers.PLACE, utf8("f:1"))).refusal()).isNull();
    assertThat(read(new byte[] {1}, Map.of()).origin().batchSeq()).isEqualTo(17);
  }

  @Test
  void givesEachOffsetOfAPartitionItsOwnPlaceInAnImplicitBatch() {
    long edge = CdrDeserializer.IMPLICIT_BATCH_OFFSETS;
    assertThat(
            Stream.of(0L, edge - 1, edge, edge + 1)
                .map(offset -> deserializer.arrival(record(0, offset, NOON, AVRO, Map.of())))
                .map(arrival -> arrival.origin().batch() + "/" + arrival.origin().batchSeq()))
        .containsExactly(
            "partition-0-block-0/0",
            "partition-0-block-0/999999",
            "partition-0-block-1/0",
            "partition-0-block-1/1");
  }

  static Stream<Arguments> refusals() {
    byte[] unknownSchema = AVRO.clone();
    unknownSchema[5] ^= 0x10;
    byte[] trailing = Arrays.copyOf(AVRO, AVRO.length + 1);
    return Stream.of(
        Arguments.of("no bytes", new byte[0], Reason.UNREADABLE, "empty value"),
        Arguments.of("other bytes", new byte[] {0, 0, 0, 0, 1}, Reason.UNREADABLE, "0x00 of 5"),
        Arguments.of(
            "truncated in the header", Arrays.copyOf(AVRO, 7), Reason.UNREADABLE, "truncated"),
        Arguments.of(
            "truncated in the body",
            Arrays.copyOf(AVRO, AVRO.length - 3),
            Reason.UNREADABLE,
            "truncated"),
        Arguments.of("bytes left over", trailing, Reason.UNREADABLE, "left over"),
        Arguments.of("unknown schema", unknownSchema, Reason.UNKNOWN_SCHEMA, "upgrade"),
        Arguments.of("broken JSON", utf8("{\"eventId\": "), Reason.UNREADABLE, "JSON"),
        Arguments.of("JSON without fields", utf8("{}"), Reason.UNREADABLE, "accountId: missing"),
        Arguments.of(
            "a number in scientific notation",
            utf8(CdrJson.encode(CALL).replace(":61000", ":6.1e4")),
            Reason.UNREADABLE,
            "usage"),
        Arguments.of("blank id", encode("acme", " ", NOON, 1), Reason.INVALID, "eventId"),
        Arguments.of("no account", encode("", "1", NOON, 1), Reason.INVALID, "accountId"),
        Arguments.of("negative usage", encode("acme", "1", NOON, -1), Reason.INVALID, "usage: -1"),
        Arguments.of(
            "overflowing usage",
            encode("acme", "1", NOON, Long.MAX_VALUE),
            Reason.INVALID,
            "usage: 9223372036854775807"),
        Arguments.of("year 1969", encode("acme", "1", -1, 1), Reason.INVALID, "1969-12-31"),
        Arguments.of(
            "an id of 10 kB",
            encode("acme", "x".repeat(10_240), NOON, 1),
            Reason.INVALID,
            "(10240 characters)"),
        Arguments.of(
            "control characters",
            encode("ac\0me", "\u001b[2J", NOON, 1),
            Reason.INVALID,
            "\\u001b"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void refusesWithReasonDetailAndBytes(String what, byte[] value, Reason reason, String detail) {
    Arrival arrival = read(value, batch("pbx-1", "b7", "42"));
    assertThat(arrival.refusal()).isEqualTo(reason);
    assertThat(arrival.detail()).contains(detail).hasSizeLessThan(1000);
    assertThat(arrival.detail().chars()).noneMatch(Character::isISOControl);
    assertThat(arrival.cdr()).isNull();
    assertThat(arrival.key()).isEqualTo(KEY);
    assertThat(arrival.value()).isEqualTo(value);
    assertThat(arrival.origin().batchSeq()).isEqualTo(42);
  }

  @Test
  void namesEveryBrokenRuleAtOnce() {
    assertThat(read(encode("", "\n", NOON, -5), batch("pbx-1", "b7", "42")).detail())
        .contains("eventId", "accountId", "usage: -5");
  }

  @Test
  void refusesATombstone() {
    Arrival arrival = read(null, batch("pbx-1", "b7", "42"));
    assertThat(arrival.refusal()).isEqualTo(Reason.UNREADABLE);
    assertThat(arrival.value()).isNull();
    assertThat(arrival.key()).isEqualTo(KEY);
  }

  @Test
  void judgesAStartInTheFutureByTheAppendTimeAlone() {
    byte[] yearAhead = encode("acme", "1", NOON + Duration.ofDays(365).toMillis(), 1);
    assertThat(read(yearAhead, batch("p", "b", "1")).refusal()).isEqualTo(Reason.INVALID);
    assertThat(read(encode("acme", "1", NOON + MAX_AHEAD, 0), batch("p", "b", "1")).refusal())
        .isNull();
    assertThat(read(encode("acme", "1", NOON + MAX_AHEAD + 1, 0), batch("p", "b", "1")).refusal())
        .isEqualTo(Reason.INVALID);
    // The same bytes, appended a year later.
    Arrival later =
        deserializer.arrival(
            record(
                0,
                1,
                NOON + Duration.ofDays(365).toMillis(),
                yearAhead,
                batch("pbx-1", "b7", "1")));
    assertThat(later.refusal()).isNull();
  }

  static Stream<Arguments> badHeaders() {
    return Stream.of(
        Arguments.of("only source", headers("pbx", null, null), "batch: '' ", "batch-seq: missing"),
        Arguments.of("only batch", headers(null, "b", null), "source: ''", "batch-seq: missing"),
        Arguments.of("only seq", headers(null, null, "1"), "source: ''", "batch: ''"),
        Arguments.of("no seq", headers("pbx", "b", null), "batch-seq: missing", ""),
        Arguments.of("empty seq", headers("pbx", "b", ""), "batch-seq: ", "0 to 2147483647"),
        Arguments.of("negative seq", headers("pbx", "b", "-1"), "batch-seq: -1", ""),
        Arguments.of("signed seq", headers("pbx", "b", "+1"), "batch-seq: +1", ""),
        Arguments.of("seq with space", headers("pbx", "b", " 1"), "batch-seq:  1", ""),
        Arguments.of("seq of other digits", headers("pbx", "b", "\u0661"), "batch-seq: \u0661", ""),
        Arguments.of("seq past 31 bits", headers("pbx", "b", "2147483648"), "batch-seq: 214", ""),
        Arguments.of(
            "seq past 64 bits", headers("pbx", "b", "99999999999999999999"), "batch-seq: 999", ""),
        Arguments.of("blank source", headers(" ", "b", "1"), "source: ' '", ""),
        Arguments.of("blank batch", headers("pbx", "\u2003", "1"), "batch: ", ""),
        Arguments.of("control character", headers("p\nbx", "b", "1"), "source: 'p\\u000abx'", ""),
        Arguments.of("long batch", headers("pbx", "b".repeat(257), "1"), "(257 characters)", ""),
        Arguments.of(
            "all wrong", headers("", "\0", "x"), "source: ''", "batch-seq: x (expected: 0"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badHeaders")
  void refusesBadHeadersNamingEachFault(
      String what, Map<String, byte[]> headers, String detail, String alsoDetail) {
    Arrival arrival = read(AVRO, headers);
    assertThat(arrival.refusal()).isEqualTo(Reason.BAD_HEADERS);
    assertThat(arrival.detail()).contains(detail).contains(alsoDetail);
    assertThat(arrival.cdr()).isNull();
    assertThat(arrival.value()).isEqualTo(AVRO);
    assertThat(arrival.origin().offset()).isEqualTo(OFFSET);
  }

  @Test
  void acceptsTheLargestSeqAndTheLongestIds() {
    String longest = "ü".repeat(256);
    Arrival arrival = read(AVRO, headers(longest, longest, "2147483647"));
    assertThat(arrival.refusal()).isNull();
    assertThat(arrival.origin().batchSeq()).isEqualTo(Integer.MAX_VALUE);
    assertThat(read(AVRO, headers("pbx", "b", "0000000007")).origin().batchSeq()).isEqualTo(7);
  }

  @Test
  void takesHeadersWithoutAValueForAbsentText() {
    RecordHeaders headers = new RecordHeaders();
    headers.add(Headers.SOURCE, null);
    headers.add(Headers.BATCH, null);
    headers.add(Headers.BATCH_SEQ, null);
    assertThat(deserializer.arrival(record(0, 1, NOON, AVRO, headers)).refusal())
        .isEqualTo(Reason.BAD_HEADERS);
  }

  @Test
  void keepsABadHeaderShort() {
    // A header may be as long as a message; receipts carry the source and must stay sendable.
    Arrival arrival = read(AVRO, headers("s".repeat(900_000), "b".repeat(50_000), "1"));
    assertThat(arrival.refusal()).isEqualTo(Reason.BAD_HEADERS);
    assertThat(arrival.origin().source()).hasSizeLessThanOrEqualTo(256);
    assertThat(arrival.origin().batch()).hasSizeLessThanOrEqualTo(256);
    assertThat(arrival.detail()).hasSizeLessThan(1000).contains("(900000 characters)");
  }

  @Test
  void refusesABadLineForTheReasonThatItsCollectorGave() {
    byte[] line = utf8("\"acme\",\"broken");
    Map<String, byte[]> headers = batch("pbx-1", "b7", "42");
    headers.put(Headers.BAD_LINE, utf8("unclosed quote (expected: 18 fields)"));
    headers.put(Headers.PLACE, utf8("Master.csv:17"));
    headers.put(Headers.FORMAT, utf8("asterisk"));
    Arrival arrival = read(line, headers);
    assertThat(arrival.refusal()).isEqualTo(Reason.BAD_LINE);
    assertThat(arrival.detail()).isEqualTo("unclosed quote (expected: 18 fields)");
    assertThat(arrival.value()).isEqualTo(line);
    assertThat(arrival.extra())
        .containsEntry(Headers.PLACE, "Master.csv:17")
        .containsEntry(Headers.FORMAT, "asterisk")
        .doesNotContainKeys(Headers.SOURCE, Headers.BATCH, Headers.BATCH_SEQ);
  }

  @Test
  void holdsWhatCannotBeToldApart() {
    Map<String, byte[]> headers = batch("pbx-1", "b7", "42");
    headers.put(Headers.INDISTINGUISHABLE, utf8("1"));
    headers.put(Headers.PLACE, utf8("Master.csv:17"));
    Arrival arrival = read(AVRO, headers);
    assertThat(arrival.refusal()).isEqualTo(Reason.INDISTINGUISHABLE);
    assertThat(arrival.cdr()).isEqualTo(CALL);
    assertThat(arrival.value()).isEqualTo(AVRO);
    assertThat(arrival.extra()).containsEntry(Headers.PLACE, "Master.csv:17");
    // What is invalid as well is rejected: it could never be rated.
    assertThat(read(encode("", "1", NOON, 1), headers).refusal()).isEqualTo(Reason.INVALID);
  }

  @Test
  void keepsForeignHeadersOfRefusedRecords() {
    Map<String, byte[]> headers = batch("pbx-1", "b7", "42");
    headers.put("traceparent", utf8("00-abc"));
    headers.put("binary", new byte[] {(byte) 0xff});
    headers.put("none", null);
    assertThat(read(new byte[] {1}, headers).extra())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("traceparent", "00-abc", "binary", "\ufffd", "none", ""));
  }

  @Test
  void keepsForeignHeadersOfCdrsInCaseTheyAreSuspended() {
    Map<String, byte[]> headers = batch("pbx-1", "b7", "42");
    headers.put(Headers.PLACE, utf8("Master.csv:17"));
    Arrival arrival = read(AVRO, headers);
    assertThat(arrival.refusal()).isNull();
    assertThat(arrival.extra()).containsExactly(Map.entry(Headers.PLACE, "Master.csv:17"));
  }

  @Test
  void takesTheLastOfRepeatedHeaders() {
    RecordHeaders headers = new RecordHeaders();
    batch("pbx-1", "b7", "42").forEach(headers::add);
    headers.add(Headers.BATCH_SEQ, utf8("43"));
    assertThat(deserializer.arrival(record(0, 1, NOON, AVRO, headers)).origin().batchSeq())
        .isEqualTo(43);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void makesExactlyOneArrivalOfAnyBytesAndHeaders(long seed) throws Exception {
    Random random = new Random(seed);
    TypeSerializer<Arrival> serializer =
        deserializer.getProducedType().createSerializer(new SerializerConfigImpl());
    List<Arrival> collected = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      byte[] value = fuzzedValue(random);
      long append = random.nextInt(20) == 0 ? random.nextLong() : NOON;
      ConsumerRecord<byte[], byte[]> record =
          record(random.nextInt(8), random.nextLong() >>> 1, append, value, fuzzed(random));
      collected.clear();
      deserializer.deserialize(record, into(collected));
      assertThat(collected).as("record %d", i).hasSize(1);
      Arrival arrival = collected.get(0);
      if (arrival.refusal() == null) {
        assertThat(arrival.cdr()).isNotNull();
        assertThat(arrival.origin().batchSeq()).isBetween(0L, (long) Integer.MAX_VALUE);
      } else {
        assertThat(arrival.value()).isSameAs(value);
        assertThat(arrival.detail()).hasSizeLessThan(1000);
      }
      DataOutputSerializer out = new DataOutputSerializer(256);
      serializer.serialize(arrival, out);
      Arrival travelled = serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
      assertThat(travelled.origin()).isEqualTo(arrival.origin());
      assertThat(travelled.cdr()).isEqualTo(arrival.cdr());
    }
  }

  private static byte[] fuzzedValue(Random random) {
    byte[] json = CdrJson.encode(CALL).getBytes(UTF_8);
    return switch (random.nextInt(8)) {
      case 0 -> null;
      case 1 -> AVRO;
      case 2 -> json;
      case 3 -> random(random, random.nextInt(300));
      case 4 -> Arrays.copyOf(AVRO, random.nextInt(AVRO.length + 20));
      case 5 -> Arrays.copyOf(json, random.nextInt(json.length));
      default -> damaged(random.nextBoolean() ? AVRO.clone() : json, random);
    };
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }

  private static RecordHeaders fuzzed(Random random) {
    RecordHeaders headers = new RecordHeaders();
    for (String name :
        List.of(
            Headers.SOURCE,
            Headers.BATCH,
            Headers.BATCH_SEQ,
            Headers.BAD_LINE,
            Headers.INDISTINGUISHABLE,
            "other")) {
      switch (random.nextInt(5)) {
        case 0 -> headers.add(name, null);
        case 1 -> headers.add(name, random(random, random.nextInt(40)));
        case 2, 3 -> headers.add(name, utf8(Integer.toString(random.nextInt(1000))));
        default -> {}
      }
    }
    return headers;
  }

  private static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private Arrival read(byte[] value, Map<String, byte[]> headers) {
    return deserializer.arrival(record(PARTITION, OFFSET, NOON, value, headers));
  }

  private static ConsumerRecord<byte[], byte[]> record(
      int partition, long offset, long append, byte[] value, Map<String, byte[]> headers) {
    RecordHeaders all = new RecordHeaders();
    headers.forEach(all::add);
    return record(partition, offset, append, value, all);
  }

  private static ConsumerRecord<byte[], byte[]> record(
      int partition, long offset, long append, byte[] value, RecordHeaders headers) {
    return new ConsumerRecord<>(
        "cdr",
        partition,
        offset,
        append,
        TimestampType.LOG_APPEND_TIME,
        KEY.length,
        value == null ? -1 : value.length,
        KEY,
        value,
        headers,
        Optional.empty());
  }

  private static Map<String, byte[]> batch(String source, String batch, String seq) {
    return headers(source, batch, seq);
  }

  private static Map<String, byte[]> headers(String source, String batch, String seq) {
    Map<String, byte[]> headers = new HashMap<>();
    put(headers, Headers.SOURCE, source);
    put(headers, Headers.BATCH, batch);
    put(headers, Headers.BATCH_SEQ, seq);
    return headers;
  }

  private static void put(Map<String, byte[]> headers, String name, String text) {
    if (text != null) {
      headers.put(name, utf8(text));
    }
  }

  private static byte[] encode(String account, String event, long start, long usage) {
    return new CdrCodec()
        .encode(
            new Cdr(
                event, account, UsageType.VOICE, "1", "2", start, 0, usage, "", Map.of(), "", ""));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  private static Collector<Arrival> into(List<Arrival> collected) {
    return new Collector<>() {
      @Override
      public void collect(Arrival arrival) {
        collected.add(arrival);
      }

      @Override
      public void close() {}
    };
  }
}
