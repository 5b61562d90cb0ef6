package io.tollgate.rating.dedup;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * 18 bytes: the slot as two, the identity as sixteen, all big-endian, so that the order of bytes is
 * the order of slots. Slots count from 1970 and fit in two bytes until the year 3405.
 */
public final class SeenKeySerializer extends TypeSerializerSingleton<SeenKey> {
  /** The only instance. */
  public static final SeenKeySerializer INSTANCE = new SeenKeySerializer();

  private static final int BYTES = Short.BYTES + 2 * Long.BYTES;

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public SeenKey createInstance() {
    return new SeenKey(0, 0, 0);
  }

  @Override
  public SeenKey copy(SeenKey from) {
    return from;
  }

  @Override
  public SeenKey copy(SeenKey from, SeenKey reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return BYTES;
  }

  @Override
  public void serialize(SeenKey key, DataOutputView target) throws IOException {
    target.writeShort(key.slot());
    target.writeLong(key.high());
    target.writeLong(key.low());
  }

  @Override
  public SeenKey deserialize(DataInputView source) throws IOException {
    return new SeenKey(source.readUnsignedShort(), source.readLong(), source.readLong());
  }

  @Override
  public SeenKey deserialize(SeenKey reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    target.write(source, BYTES);
  }

  @Override
  public TypeSerializerSnapshot<SeenKey> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Written into savepoints: names this serializer and its version. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<SeenKey> {
    /** Called by Flink on restore. */
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
