package io.tollgate.ledger;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads the fields that {@link CellWriter} wrote. Every length is checked before it is believed.
 */
final class CellReader {
  private final ByteBuffer buffer;

  CellReader(ByteBuffer cell) {
    buffer = cell.duplicate();
  }

  long bigint(String field) {
    require(field, length(field), Long.BYTES);
    return buffer.getLong();
  }

  int int32(String field) {
    require(field, length(field), Integer.BYTES);
    return buffer.getInt();
  }

  boolean bool(String field) {
    require(field, length(field), 1);
    return buffer.get() != 0;
  }

  String text(String field) {
    byte[] utf8 = new byte[length(field)];
    buffer.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  BigDecimal decimal(String field) {
    int length = length(field);
    if (length <= Integer.BYTES) {
      throw corrupt(field, length);
    }
    int scale = buffer.getInt();
    byte[] unscaled = new byte[length - Integer.BYTES];
    buffer.get(unscaled);
    return new BigDecimal(new BigInteger(unscaled), scale);
  }

  /** Returns the count of elements of a collection, after its length. */
  int count(String field) {
    int length = length(field);
    if (length < Integer.BYTES) {
      throw corrupt(field, length);
    }
    int count = buffer.getInt();
    // Every element has at least its own length before it.
    if (count < 0 || count > buffer.remaining() / Integer.BYTES) {
      throw corrupt(field, count);
    }
    return count;
  }

  /** Skips the length of a nested value; its fields follow. */
  void enter(String field) {
    length(field);
  }

  private int length(String field) {
    if (buffer.remaining() < Integer.BYTES) {
      throw corrupt(field, buffer.remaining());
    }
    int length = buffer.getInt();
    if (length < 0 || length > buffer.remaining()) {
      throw corrupt(field, length);
    }
    return length;
  }

  private static void require(String field, int length, int expected) {
    if (length != expected) {
      throw corrupt(field, length);
    }
  }

  private static LedgerException corrupt(String field, int length) {
    return new LedgerException(
        "charge." + field + ": length " + length + " (expected: a charge as Tollgate writes it)");
  }
}
