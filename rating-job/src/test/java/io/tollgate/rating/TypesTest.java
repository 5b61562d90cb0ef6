package io.tollgate.rating;

import static io.tollgate.rating.TestCdrs.NOON;
import static io.tollgate.rating.TestCdrs.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rating;
import io.tollgate.rating.dedup.Horizon;
import io.tollgate.rating.dedup.SeenKey;
import io.tollgate.rating.ingest.Arrival;
import io.tollgate.rating.receipts.ReceiptPart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.CompositeType;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.api.java.typeutils.ListTypeInfo;
import org.apache.flink.api.java.typeutils.MapTypeInfo;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What travels between tasks or is state must not fall to Kryo, and must come back unaltered. */
class TypesTest {
  static Stream<Class<?>> types() {
    return Stream.of(
        Arrival.class,
        Result.class,
        Charge.class,
        ReceiptPart.class,
        Horizon.class,
        SeenKey.class,
        Cdr.class,
        Origin.class,
        Rating.Priced.class,
        Rating.Step.class);
  }

  @ParameterizedTest
  @MethodSource("types")
  void needsNoKryo(Class<?> type) {
    List<String> kryo = new ArrayList<>();
    collectGeneric(type.getSimpleName(), TypeInformation.of(type), kryo);
    assertThat(kryo).isEmpty();
    SerializerConfigImpl strict = new SerializerConfigImpl();
    strict.setGenericTypes(false);
    assertThat(TypeInformation.of(type).createSerializer(strict)).isNotNull();
  }

  static Stream<Object> values() {
    Cdr plain = call("acme", "1", NOON, 1000);
    Cdr full =
        new Cdr(
            "pbx/1",
            "größe\ud83d\ude00",
            UsageType.DATA,
            "",
            "€",
            Long.MIN_VALUE,
            -64_800,
            Long.MAX_VALUE,
            "16",
            Map.of("trunk", "7", "", ""),
            "a",
            "\ud800");
    Origin origin = new Origin("pbx", "b", Integer.MAX_VALUE, 3, Long.MAX_VALUE, -1);
    Rating.Priced price =
        new Rating.Priced(
            "plan",
            7,
            "+44",
            "UK",
            60_000,
            List.of(
                new Rating.Step("connection fee", 0, new BigDecimal("0.10"), 0, BigDecimal.TEN),
                new Rating.Step(
                    "cap", 5, new BigDecimal("1E-9"), 60_000, new BigDecimal("-0.0000"))),
            new BigDecimal("123456789012345678901234567890.123456789"),
            new BigDecimal("0.00"),
            "EUR");
    Charge charge = new Charge(full, -1L, origin, true, price, 3);
    return Stream.of(
        plain,
        full,
        origin,
        price,
        charge,
        new Horizon(Long.MIN_VALUE, Long.MAX_VALUE),
        SeenKey.of(new EventIdentity(-1, 5), NOON));
  }

  @ParameterizedTest
  @MethodSource("values")
  void comesBackEqual(Object value) throws Exception {
    assertThat(travelled(value)).isEqualTo(value);
  }

  static Stream<Object> valuesWithBytes() {
    Cdr cdr = call("acme", "1", NOON, 1000);
    Origin origin = new Origin("", "", -1, 0, 0, 0);
    byte[] bytes = {0, -1, 127};
    return Stream.of(
        Arrival.of(origin, cdr),
        new Arrival(origin, null, Reason.UNREADABLE, "why", null, bytes, Map.of("place", "f:1")),
        new Arrival(origin, null, Reason.UNREADABLE, "why", bytes, null, Map.of()),
        new Arrival(origin, cdr, Reason.INDISTINGUISHABLE, "why", bytes, new byte[0], Map.of()),
        TestResults.rated(cdr, origin, true),
        TestResults.unrated(cdr, origin, Reason.OTHER_CONTENT),
        TestResults.unreadable(origin, Reason.BAD_LINE),
        new Result(null, origin, null, 0, false, null, "", bytes, null, Map.of("k", "v"), 1, 0),
        new ReceiptPart("pbx|b", bytes));
  }

  @ParameterizedTest
  @MethodSource("valuesWithBytes")
  void comesBackAlikeWithAndWithoutItsNullableFields(Object value) throws Exception {
    assertThat(travelled(value)).usingRecursiveComparison().isEqualTo(value);
  }

  @ParameterizedTest
  @MethodSource("values")
  void isReadByTheSerializerThatItsOwnSnapshotRestores(Object value) throws Exception {
    TypeSerializer<Object> serializer = serializer(value);
    DataOutputSerializer written = new DataOutputSerializer(256);
    TypeSerializerSnapshot.writeVersionedSnapshot(written, serializer.snapshotConfiguration());
    serializer.serialize(value, written);
    DataInputDeserializer read = new DataInputDeserializer(written.getCopyOfBuffer());
    TypeSerializerSnapshot<Object> snapshot =
        TypeSerializerSnapshot.readVersionedSnapshot(read, getClass().getClassLoader());
    assertThat(snapshot.restoreSerializer().deserialize(read)).isEqualTo(value);
    assertThat(
            serializer
                .snapshotConfiguration()
                .resolveSchemaCompatibility(snapshot)
                .isCompatibleAsIs())
        .isTrue();
  }

  private static Object travelled(Object value) throws Exception {
    TypeSerializer<Object> serializer = serializer(value);
    DataOutputSerializer out = new DataOutputSerializer(256);
    serializer.serialize(value, out);
    DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
    Object back = serializer.deserialize(in);
    assertThat(in.available()).as("every byte was read").isZero();
    return serializer.copy(back);
  }

  @SuppressWarnings("unchecked")
  private static TypeSerializer<Object> serializer(Object value) {
    SerializerConfigImpl strict = new SerializerConfigImpl();
    strict.setGenericTypes(false);
    return ((TypeInformation<Object>) TypeInformation.of(value.getClass()))
        .createSerializer(strict);
  }

  private static void collectGeneric(String path, TypeInformation<?> type, List<String> found) {
    if (type instanceof GenericTypeInfo) {
      found.add(path + ": " + type);
    } else if (type instanceof ListTypeInfo<?> list) {
      collectGeneric(path + "[]", list.getElementTypeInfo(), found);
    } else if (type instanceof MapTypeInfo<?, ?> map) {
      collectGeneric(path + ".key", map.getKeyTypeInfo(), found);
      collectGeneric(path + ".value", map.getValueTypeInfo(), found);
    } else if (type instanceof CompositeType<?> composite) {
      for (String field : composite.getFieldNames()) {
        collectGeneric(path + "." + field, composite.getTypeAt(field), found);
      }
    }
  }
}
