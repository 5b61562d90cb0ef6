package io.tollgate.rating.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.EventIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeenKeySerializerTest {
  private static final SeenKeySerializer SERIALIZER = SeenKeySerializer.INSTANCE;

  static Stream<SeenKey> keys() {
    return Stream.of(
        new SeenKey(0, 0, 0),
        new SeenKey(1, Long.MIN_VALUE, Long.MAX_VALUE),
        new SeenKey(0x7fff, -1, 1),
        new SeenKey(0x8000, 1, -1),
        new SeenKey(0xffff, -1, -1),
        SeenKey.of(
            EventIdentity.of("acme", "1"), Instant.parse("2026-11-02T12:00:00Z").toEpochMilli()));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void comesBackEqual(SeenKey key) throws Exception {
    byte[] bytes = bytes(key);
    assertThat(bytes).hasSize(18).hasSize(SERIALIZER.getLength());
    assertThat(SERIALIZER.deserialize(new DataInputDeserializer(bytes))).isEqualTo(key);
    assertThat(
            SERIALIZER.deserialize(SERIALIZER.createInstance(), new DataInputDeserializer(bytes)))
        .isEqualTo(key);
    assertThat(SERIALIZER.copy(key)).isEqualTo(key);
    assertThat(SERIALIZER.copy(key, SERIALIZER.createInstance())).isEqualTo(key);
    DataOutputSerializer copied = new DataOutputSerializer(32);
    SERIALIZER.copy(new DataInputDeserializer(bytes), copied);
    assertThat(copied.getCopyOfBuffer()).isEqualTo(bytes);
  }

  @Test
  void readsKeysThatFollowOneAnother() throws Exception {
    DataOutputSerializer out = new DataOutputSerializer(32);
    List<SeenKey> all = keys().toList();
    for (SeenKey key : all) {
      SERIALIZER.serialize(key, out);
    }
    DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
    for (SeenKey key : all) {
      assertThat(SERIALIZER.deserialize(in)).isEqualTo(key);
    }
    assertThat(in.available()).isZero();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2})
  void ordersBytesAsSlots(long seed) {
    Random random = new Random(seed);
    List<SeenKey> keys = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      keys.add(new SeenKey(random.nextInt(0x10000), random.nextLong(), random.nextLong()));
    }
    keys.sort(Comparator.comparing(SeenKeySerializerTest::bytes, Arrays::compareUnsigned));
    assertThat(keys).extracting(SeenKey::slot).isSorted();
  }

  @Test
  void holdsEverySlotThatAValidCdrCanLieIn() throws Exception {
    for (String start : List.of("2000-01-01T00:00:00Z", "2106-02-07T06:28:15Z")) {
      SeenKey key = SeenKey.of(new EventIdentity(1, 2), Instant.parse(start).toEpochMilli());
      assertThat(SERIALIZER.deserialize(new DataInputDeserializer(bytes(key)))).isEqualTo(key);
    }
  }

  @Test
  void writesTheBytesOfEverySavepoint() {
    assertThat(bytes(new SeenKey(0x0a0b, 1, -2)))
        .containsExactly(10, 11, 0, 0, 0, 0, 0, 0, 0, 1, -1, -1, -1, -1, -1, -1, -1, -2);
  }

  @Test
  void isRestoredByItsSnapshotAndRefusesAnother() throws Exception {
    DataOutputSerializer out = new DataOutputSerializer(64);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, SERIALIZER.snapshotConfiguration());
    TypeSerializerSnapshot<SeenKey> snapshot =
        TypeSerializerSnapshot.readVersionedSnapshot(
            new DataInputDeserializer(out.getCopyOfBuffer()), getClass().getClassLoader());
    assertThat(snapshot.restoreSerializer()).isSameAs(SERIALIZER);
    assertThat(
            SERIALIZER
                .snapshotConfiguration()
                .resolveSchemaCompatibility(snapshot)
                .isCompatibleAsIs())
        .isTrue();
    @SuppressWarnings("unchecked")
    TypeSerializerSnapshot<SeenKey> other =
        (TypeSerializerSnapshot<SeenKey>)
            (TypeSerializerSnapshot<?>) LongSerializer.INSTANCE.snapshotConfiguration();
    assertThat(
            SERIALIZER.snapshotConfiguration().resolveSchemaCompatibility(other).isIncompatible())
        .isTrue();
  }

  @Test
  void isOneImmutableInstance() throws Exception {
    assertThat(SERIALIZER.isImmutableType()).isTrue();
    TypeSerializer<SeenKey> clone = InstantiationUtil.clone(SERIALIZER);
    assertThat(clone).isEqualTo(SERIALIZER).hasSameHashCodeAs(SERIALIZER);
    assertThat(SERIALIZER.duplicate()).isSameAs(SERIALIZER);
  }

  private static byte[] bytes(SeenKey key) {
    DataOutputSerializer out = new DataOutputSerializer(32);
    try {
      SERIALIZER.serialize(key, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.getCopyOfBuffer();
  }
}
