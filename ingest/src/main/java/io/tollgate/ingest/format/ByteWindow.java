package io.tollgate.ingest.format;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The bytes of a file from the beginning of the current record on, as far as a framer looks ahead.
 * Holds no more than that, so a file of any size is read in constant memory.
 */
final class ByteWindow {
  /** What {@link #at} returns after the last byte. */
  static final int END = -1;

  private static final int FIRST_CAPACITY_BYTES = 1 << 16;

  private final InputStream in;
  private long unread;
  private byte[] buffer = new byte[FIRST_CAPACITY_BYTES];
  private int start;
  private int end;
  private long position;
  private long line;

  /**
   * Creates a window.
   *
   * @param in positioned at byte {@code position} of the file
   * @param position where {@code in} stands
   * @param line number of the line there, from 1
   * @param to byte after the last one to read
   */
  ByteWindow(InputStream in, long position, long line, long to) {
    this.in = in;
    this.position = position;
    this.line = line;
    this.unread = to - position;
  }

  /** Returns where the current record begins in the file. */
  long position() {
    return position;
  }

  /** Returns the number of the line there, from 1. */
  long line() {
    return line;
  }

  /**
   * Returns the byte {@code index} bytes after the beginning of the record, 0 to 255, or {@link
   * #END}.
   */
  int at(int index) throws IOException {
    while (start + index >= end) {
      if (!readMore()) {
        return END;
      }
    }
    return buffer[start + index] & 0xFF;
  }

  /** Returns a copy of {@code length} bytes from the beginning of the record. */
  byte[] copy(int length) {
    return Arrays.copyOfRange(buffer, start, start + length);
  }

  /** Moves the beginning of the record {@code length} bytes ahead, over bytes already looked at. */
  void advance(int length) {
    for (int i = start; i < start + length; i++) {
      if (buffer[i] == '\n') {
        line++;
      }
    }
    start += length;
    position += length;
  }

  private boolean readMore() throws IOException {
    if (unread == 0) {
      return false;
    }
    if (end == buffer.length) {
      makeRoom();
    }
    int wanted = (int) Math.min(unread, buffer.length - end);
    int got = in.read(buffer, end, wanted);
    if (got < 0) {
      throw new EOFException(
          "the file ended " + unread + " bytes early: it was shortened while it was read");
    }
    end += got;
    unread -= got;
    return true;
  }

  private void makeRoom() {
    int held = end - start;
    byte[] target = held > buffer.length / 2 ? new byte[buffer.length * 2] : buffer;
    System.arraycopy(buffer, start, target, 0, held);
    buffer = target;
    start = 0;
    end = held;
  }
}
