package io.tollgate.wire.tariff;

import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.wire.UnreadableException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * A whole book in one message: the bytes {@code TGB}, a format number, the length and CRC-32C of
 * the body, and the body compressed by Deflate. The body says everything once: texts and amounts
 * stand in a table, rows refer to it; 200,000 rows take about 2 MB.
 *
 * <table>
 *   <caption>What is refused</caption>
 *   <tr><th>input</th><th>reason</th></tr>
 *   <tr><td>other first bytes, cut off, longer than it says, another checksum</td>
 *       <td>UNREADABLE</td></tr>
 *   <tr><td>a format number that this version does not know</td><td>UNKNOWN_SCHEMA</td></tr>
 *   <tr><td>a body longer than {@link #MAX_BODY_BYTES}, before anything of that size is allocated</td>
 *       <td>UNREADABLE</td></tr>
 *   <tr><td>a book that would be ambiguous</td><td>UNREADABLE</td></tr>
 * </table>
 */
public final class TariffBookCodec {
  /** Longest body that is read: some ten million rows. */
  public static final int MAX_BODY_BYTES = 256 << 20;

  private static final byte[] MAGIC = {'T', 'G', 'B'};
  private static final byte FORMAT = 1;
  private static final int HEADER_BYTES = MAGIC.length + 1 + Integer.BYTES + Integer.BYTES;
  private static final int CHUNK_BYTES = 64 << 10;

  private TariffBookCodec() {}

  /** Returns the message that carries {@code book}. */
  public static byte[] encode(TariffBook book) {
    byte[] body = new BookWriter().write(book);
    if (body.length > MAX_BODY_BYTES) {
      throw new IllegalArgumentException(
          "book: " + body.length + " bytes (expected: at most " + MAX_BODY_BYTES + ")");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 4 + HEADER_BYTES);
    ByteBuffer header =
        ByteBuffer.allocate(HEADER_BYTES)
            .put(MAGIC)
            .put(FORMAT)
            .putInt(body.length)
            .putInt(checksum(body));
    out.write(header.array(), 0, HEADER_BYTES);
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(body);
      deflater.finish();
      byte[] chunk = new byte[CHUNK_BYTES];
      while (!deflater.finished()) {
        out.write(chunk, 0, deflater.deflate(chunk));
      }
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }

  /**
   * Returns the book of a message.
   *
   * @throws UnreadableException if the bytes are not a book; see the table above
   */
  public static TariffBook decode(byte[] message) throws UnreadableException {
    return decode(message, null);
  }

  /**
   * Returns the book of a message, sharing with another one what is the same in both.
   *
   * @param like a book that is much the same; null if none is at hand
   * @throws UnreadableException if the bytes are not a book; see the table above
   */
  public static TariffBook decode(byte[] message, @Nullable TariffBook like)
      throws UnreadableException {
    ByteBuffer header = ByteBuffer.wrap(message);
    if (message.length < HEADER_BYTES) {
      throw unreadable(message.length + " bytes (expected: a header of " + HEADER_BYTES + ")");
    }
    for (byte expected : MAGIC) {
      if (header.get() != expected) {
        throw unreadable("other first bytes (expected: TGB)");
      }
    }
    byte format = header.get();
    if (format != FORMAT) {
      throw new UnreadableException(
          Reason.UNKNOWN_SCHEMA, "tariff book: format " + format + " (expected: " + FORMAT + ")");
    }
    int length = header.getInt();
    int checksum = header.getInt();
    if (length < 0 || length > MAX_BODY_BYTES) {
      throw unreadable("body of " + length + " bytes (expected: at most " + MAX_BODY_BYTES + ")");
    }
    byte[] body = inflated(message, length);
    if (checksum(body) != checksum) {
      throw unreadable("another checksum (expected: the one in the header)");
    }
    return new BookReader(body, like).read();
  }

  private static byte[] inflated(byte[] message, int length) throws UnreadableException {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(message, HEADER_BYTES, message.length - HEADER_BYTES);
      // Grows with what is really there: a header may promise more than follows.
      ByteArrayOutputStream body = new ByteArrayOutputStream(Math.min(length, CHUNK_BYTES));
      byte[] chunk = new byte[CHUNK_BYTES];
      while (!inflater.finished()) {
        int read = inflater.inflate(chunk);
        if (read == 0 && !inflater.finished()) {
          throw unreadable("cut off after " + body.size() + " bytes of the body");
        }
        if (body.size() + read > length) {
          throw unreadable("a longer body (expected: " + length + " bytes)");
        }
        body.write(chunk, 0, read);
      }
      if (body.size() != length) {
        throw unreadable("body of " + body.size() + " bytes (expected: " + length + ")");
      }
      if (inflater.getRemaining() > 0) {
        throw unreadable(inflater.getRemaining() + " bytes after the body (expected: none)");
      }
      return body.toByteArray();
    } catch (DataFormatException e) {
      throw unreadable("a body that does not inflate: " + e.getMessage());
    } finally {
      inflater.end();
    }
  }

  static UnreadableException unreadable(String detail) {
    return new UnreadableException(Reason.UNREADABLE, "tariff book: " + detail);
  }

  private static int checksum(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body, 0, body.length);
    return (int) crc.getValue();
  }
}
