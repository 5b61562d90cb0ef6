package io.tollgate.ingest.batch;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The id of a batch: the first 16 bytes, in hex, of SHA-256 over the first byte's number in the
 * file (8 bytes, big-endian) and the bytes of the range.
 *
 * <p>From the content, so that the same range is the same batch whenever and wherever it is sent
 * again, also after the file was renamed. With its place, so that a stretch of a file that repeats
 * an earlier one is another batch: both must be accounted for.
 */
final class BatchId {
  private static final int ID_BYTES = 16;
  private static final int BUFFER_BYTES = 1 << 16;

  private final MessageDigest digest;

  private BatchId(MessageDigest digest) {
    this.digest = digest;
  }

  static BatchId startingAt(long from) {
    try {
      BatchId id = new BatchId(MessageDigest.getInstance("SHA-256"));
      id.digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, from));
      return id;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must offer SHA-256", e);
    }
  }

  void update(byte[] bytes, int offset, int length) {
    digest.update(bytes, offset, length);
  }

  /** Returns the id of what was added so far, and stays ready for more. */
  String soFar() {
    try {
      MessageDigest copy = (MessageDigest) digest.clone();
      return HexFormat.of().formatHex(copy.digest(), 0, ID_BYTES);
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the platform's SHA-256 can be copied", e);
    }
  }

  /** Reads {@code length} bytes and adds them; returns how many line ends are among them. */
  long read(InputStream in, long length) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long left = length;
    long lineEnds = 0;
    while (left > 0) {
      int got = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (got < 0) {
        throw new EOFException(
            "the file ended " + left + " bytes early: it was shortened while it was read");
      }
      digest.update(buffer, 0, got);
      for (int i = 0; i < got; i++) {
        if (buffer[i] == '\n') {
          lineEnds++;
        }
      }
      left -= got;
    }
    return lineEnds;
  }
}
