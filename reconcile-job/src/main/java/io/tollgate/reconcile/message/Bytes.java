package io.tollgate.reconcile.message;

import io.tollgate.domain.cdr.UsageType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/** Writes and reads the parts that messages and state have in common. */
public final class Bytes {
  private Bytes() {}

  /** Writes to memory. */
  @FunctionalInterface
  public interface Writing {
    /** Writes everything to {@code out}. */
    void to(DataOutputStream out) throws IOException;
  }

  /** Reads from memory. */
  @FunctionalInterface
  public interface Reading<T> {
    /** Reads a whole from {@code in}. */
    T from(DataInputStream in) throws IOException;
  }

  /** Returns what was written. */
  public static byte[] write(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Returns what was read.
   *
   * @throws IllegalStateException if the bytes are of another version or damaged
   */
  public static <T> T read(byte[] bytes, int version, Reading<T> reading) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int found = in.readByte();
      if (found != version) {
        throw new IllegalStateException(
            "version of a stored fact: " + found + " (expected: " + version + ")");
      }
      return reading.from(in);
    } catch (IOException e) {
      throw new IllegalStateException("a stored fact is damaged", e);
    }
  }

  /** Returns a set as bytes. */
  public static byte[] of(RoaringBitmap set) {
    set.runOptimize();
    ByteBuffer bytes = ByteBuffer.allocate(set.serializedSizeInBytes());
    set.serialize(bytes);
    return bytes.array();
  }

  /** Returns a set from its bytes. */
  public static RoaringBitmap set(byte[] bytes) {
    RoaringBitmap set = new RoaringBitmap();
    try {
      set.deserialize(ByteBuffer.wrap(bytes));
    } catch (IOException e) {
      throw new IllegalStateException("a stored set is damaged", e);
    }
    return set;
  }

  /** Writes a set. */
  public static void write(DataOutputStream out, RoaringBitmap set) throws IOException {
    byte[] bytes = of(set);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Reads a set. */
  public static RoaringBitmap readSet(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return set(bytes);
  }

  /** Writes sums by usage type. */
  public static void write(DataOutputStream out, Map<UsageType, Long> usage) throws IOException {
    out.writeByte(usage.size());
    for (Map.Entry<UsageType, Long> each : usage.entrySet()) {
      out.writeUTF(each.getKey().name());
      out.writeLong(each.getValue());
    }
  }

  /** Reads sums by usage type. */
  public static Map<UsageType, Long> readUsage(DataInputStream in) throws IOException {
    Map<UsageType, Long> usage = new EnumMap<>(UsageType.class);
    int types = in.readByte();
    for (int i = 0; i < types; i++) {
      usage.put(UsageType.valueOf(in.readUTF()), in.readLong());
    }
    return usage;
  }
}
