package io.tollgate.wire.tariff;

import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.tariff.Correction;
import io.tollgate.domain.tariff.Correction.ChargeKey;
import io.tollgate.domain.tariff.Correction.Prices;
import io.tollgate.domain.tariff.Correction.Reprice;
import io.tollgate.domain.tariff.Correction.VoidCharge;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.wire.UnreadableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the correction history in one message: the bytes {@code TGC}, a format number, the
 * CRC-32C of the rest, and the rest: kind, number, reason, and what the kind needs. A correction of
 * prices carries the corrected book as {@link TariffBookCodec} writes it, so that both are
 * published or neither is.
 */
public final class CorrectionCodec {
  private static final byte[] MAGIC = {'T', 'G', 'C'};
  private static final byte FORMAT = 1;
  private static final int HEADER_BYTES = MAGIC.length + 1 + Integer.BYTES;
  private static final int PRICES = 1;
  private static final int VOID = 2;
  private static final int REPRICE = 3;

  private CorrectionCodec() {}

  /** Returns whether a message says of itself that it is a correction. */
  public static boolean isCorrection(byte[] message) {
    return message.length >= MAGIC.length
        && message[0] == MAGIC[0]
        && message[1] == MAGIC[1]
        && message[2] == MAGIC[2];
  }

  /** Returns the message that carries {@code correction}. */
  public static byte[] encode(Correction correction) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try {
      write(correction, new DataOutputStream(body));
      ByteArrayOutputStream message = new ByteArrayOutputStream(HEADER_BYTES + body.size());
      DataOutputStream out = new DataOutputStream(message);
      out.write(MAGIC);
      out.writeByte(FORMAT);
      out.writeInt(checksum(body.toByteArray(), 0));
      body.writeTo(out);
      return message.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
  }

  /**
   * Returns the correction of a message.
   *
   * @param like a book to share with; see {@link TariffBookCodec#decode(byte[], TariffBook)}
   * @throws UnreadableException if the bytes are not a correction
   */
  public static Correction decode(byte[] message, @Nullable TariffBook like)
      throws UnreadableException {
    if (message.length < HEADER_BYTES || !isCorrection(message)) {
      throw unreadable("other first bytes (expected: TGC)");
    }
    if (message[MAGIC.length] != FORMAT) {
      throw new UnreadableException(
          Reason.UNKNOWN_SCHEMA,
          "correction: format " + message[MAGIC.length] + " (expected: " + FORMAT + ")");
    }
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
      in.skipNBytes(MAGIC.length + 1);
      if (in.readInt() != checksum(message, HEADER_BYTES)) {
        throw unreadable("another checksum (expected: the one in the header)");
      }
      Correction correction = read(in, like);
      if (in.available() > 0) {
        throw unreadable(in.available() + " bytes after it (expected: none)");
      }
      return correction;
    } catch (IOException | IllegalArgumentException e) {
      throw unreadable(String.valueOf(e.getMessage()));
    }
  }

  private static void write(Correction correction, DataOutputStream out) throws IOException {
    if (correction instanceof Prices prices) {
      head(PRICES, correction, out);
      out.writeLong(prices.fromMillis());
      out.writeLong(prices.toMillis());
      out.writeLong(prices.baseVersion());
      out.writeInt(prices.changes().size());
      for (String change : prices.changes()) {
        text(change, out);
      }
      bytes(TariffBookCodec.encode(prices.book()), out);
    } else if (correction instanceof VoidCharge entry) {
      head(VOID, correction, out);
      key(entry.key(), out);
    } else {
      head(REPRICE, correction, out);
      key(((Reprice) correction).key(), out);
    }
  }

  private static void head(int kind, Correction correction, DataOutputStream out)
      throws IOException {
    out.writeByte(kind);
    out.writeLong(correction.number());
    text(correction.reason(), out);
  }

  private static void key(ChargeKey key, DataOutputStream out) throws IOException {
    text(key.accountId(), out);
    text(key.eventId(), out);
    out.writeLong(key.usageHour());
  }

  private static void text(String text, DataOutputStream out) throws IOException {
    bytes(text.getBytes(StandardCharsets.UTF_8), out);
  }

  private static void bytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static Correction read(DataInputStream in, @Nullable TariffBook like)
      throws IOException, UnreadableException {
    int kind = in.readByte();
    long number = in.readLong();
    String reason = text(in);
    return switch (kind) {
      case PRICES -> prices(number, reason, in, like);
      case VOID -> new VoidCharge(number, reason, key(in));
      case REPRICE -> new Reprice(number, reason, key(in));
      default ->
          throw new UnreadableException(
              Reason.UNKNOWN_SCHEMA, "correction: kind " + kind + " (expected: 1 to 3)");
    };
  }

  private static Prices prices(
      long number, String reason, DataInputStream in, @Nullable TariffBook like)
      throws IOException, UnreadableException {
    long from = in.readLong();
    long to = in.readLong();
    long baseVersion = in.readLong();
    int count = in.readInt();
    List<String> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      changes.add(text(in));
    }
    TariffBook book = TariffBookCodec.decode(bytes(in), like);
    return new Prices(number, reason, from, to, changes, baseVersion, book);
  }

  private static ChargeKey key(DataInputStream in) throws IOException, UnreadableException {
    return new ChargeKey(text(in), text(in), in.readLong());
  }

  private static String text(DataInputStream in) throws IOException, UnreadableException {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(DataInputStream in) throws IOException, UnreadableException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw unreadable(length + " bytes (expected: at most the " + in.available() + " left)");
    }
    return in.readNBytes(length);
  }

  private static int checksum(byte[] bytes, int from) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, bytes.length - from);
    return (int) crc.getValue();
  }

  private static UnreadableException unreadable(String detail) {
    return new UnreadableException(Reason.UNREADABLE, "correction: " + detail);
  }
}
