package io.tollgate.ledger;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes the fields of a frozen type one after the other, each preceded by its length, into a
 * buffer that is used again. The driver's own {@code UdtValue} makes an object and a buffer per
 * field, which for 27 fields was the larger part of a writer's work.
 */
final class CellWriter {
  private static final int FIRST_CAPACITY = 1024;

  private byte[] bytes = new byte[FIRST_CAPACITY];
  private ByteBuffer buffer = ByteBuffer.wrap(bytes);

  /** Starts a new cell. */
  void start() {
    buffer.clear();
  }

  /** Returns a copy of what was written since {@link #start}. */
  ByteBuffer finish() {
    return ByteBuffer.wrap(Arrays.copyOf(bytes, buffer.position()));
  }

  void bigint(long value) {
    ensure(Integer.BYTES + Long.BYTES);
    buffer.putInt(Long.BYTES).putLong(value);
  }

  void int32(int value) {
    ensure(Integer.BYTES + Integer.BYTES);
    buffer.putInt(Integer.BYTES).putInt(value);
  }

  void bool(boolean value) {
    ensure(Integer.BYTES + 1);
    buffer.putInt(1).put((byte) (value ? 1 : 0));
  }

  void text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    ensure(Integer.BYTES + utf8.length);
    buffer.putInt(utf8.length).put(utf8);
  }

  void decimal(BigDecimal value) {
    byte[] unscaled = value.unscaledValue().toByteArray();
    ensure(2 * Integer.BYTES + unscaled.length);
    buffer.putInt(Integer.BYTES + unscaled.length).putInt(value.scale()).put(unscaled);
  }

  /**
   * Starts a field whose length is not known yet; end it with {@link #end}.
   *
   * @return where it started
   */
  int begin() {
    ensure(Integer.BYTES);
    int start = buffer.position();
    buffer.putInt(0);
    return start;
  }

  /** Writes a count of elements, as collections have it. */
  void count(int elements) {
    ensure(Integer.BYTES);
    buffer.putInt(elements);
  }

  /** Ends a field started by {@link #begin}. */
  void end(int start) {
    buffer.putInt(start, buffer.position() - start - Integer.BYTES);
  }

  private void ensure(int more) {
    if (buffer.remaining() < more) {
      int position = buffer.position();
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, position + more));
      buffer = ByteBuffer.wrap(bytes);
      buffer.position(position);
    }
  }
}
