package io.tollgate.wire;

import io.tollgate.domain.outcome.Reason;
import java.nio.charset.StandardCharsets;

/**
 * Reads Avro's binary encoding from a byte array. Every length is checked against the bytes that
 * are left before anything is allocated: Avro's own decoder believes a length of 2 GB in a record
 * of 100 bytes. Also three times as fast for CDRs, having no streams and no intermediate objects.
 */
final class AvroCursor {
  private final byte[] bytes;
  private int position;

  AvroCursor(byte[] bytes, int position) {
    this.bytes = bytes;
    this.position = position;
  }

  long readLong() throws UnreadableException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (position >= bytes.length) {
        throw truncated(1);
      }
      byte b = bytes[position++];
      value |= (b & 0x7FL) << shift;
      if (b >= 0) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw unreadable("number of more than 10 bytes at byte " + (position - 10));
  }

  int readInt() throws UnreadableException {
    long value = readLong();
    if (value != (int) value) {
      throw unreadable("number " + value + " at byte " + position + " (expected: 32 bits)");
    }
    return (int) value;
  }

  String readString() throws UnreadableException {
    int length = readLength();
    if (length == 0) {
      return "";
    }
    String value = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return value;
  }

  void skip(int count) throws UnreadableException {
    if (count > bytes.length - position) {
      throw truncated(count);
    }
    position += count;
  }

  void skipLengthPrefixed() throws UnreadableException {
    // Not in one expression: the old position would be read before the length moves it.
    int length = readLength();
    position += length;
  }

  /** Reads the count of the next block of a map or array; 0 ends it. */
  int readBlockCount() throws UnreadableException {
    long count = readLong();
    if (count < 0) {
      // A negative count is followed by the size of the block in bytes, for readers that skip.
      readLong();
      count = count == Long.MIN_VALUE ? Long.MAX_VALUE : -count;
    }
    // Each entry of a map takes at least two bytes, each item of an array of ours at least one.
    if (count > bytes.length - position) {
      throw unreadable(
          "block of " + count + " entries at byte " + position + " of " + bytes.length);
    }
    return (int) count;
  }

  void expectEnd() throws UnreadableException {
    if (position != bytes.length) {
      throw unreadable((bytes.length - position) + " bytes left over after the last field");
    }
  }

  private int readLength() throws UnreadableException {
    long length = readLong();
    if (length < 0) {
      throw unreadable("length " + length + " at byte " + position + " (expected: 0 or more)");
    }
    if (length > bytes.length - position) {
      throw truncated(length);
    }
    return (int) length;
  }

  private UnreadableException truncated(long wanted) {
    return unreadable(
        "truncated: " + wanted + " bytes wanted at byte " + position + " of " + bytes.length);
  }

  private static UnreadableException unreadable(String detail) {
    return new UnreadableException(Reason.UNREADABLE, "Avro: " + detail);
  }
}
