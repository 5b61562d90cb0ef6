package io.tollgate.reconcile.message;

import io.tollgate.domain.cdr.UsageType;
import java.util.Map;

/**
 * Rows of one batch in one partition of the ledger, as the newest reading found them. A newer piece
 * of the same partition replaces an older one.
 *
 * @param usageHour hours since 1970 in UTC
 * @param bucket bucket of the hour
 * @param explained how many records that receipts call RATED have their row, are repeats of another
 *     record's row, or were written off
 * @param repeats how many of these are repeats
 * @param withoutUsage of how many of these nobody knows the usage: written off, or changed
 * @param usage usage of the explained records by type
 */
public record Piece(
    long usageHour,
    int bucket,
    long explained,
    long repeats,
    long withoutUsage,
    Map<UsageType, Long> usage) {
  private static final int VERSION = 1;

  /** Returns the piece as bytes. */
  public byte[] encode() {
    return Bytes.write(
        out -> {
          out.writeByte(VERSION);
          out.writeLong(usageHour);
          out.writeInt(bucket);
          out.writeLong(explained);
          out.writeLong(repeats);
          out.writeLong(withoutUsage);
          Bytes.write(out, usage);
        });
  }

  /** Reads a piece. */
  public static Piece decode(byte[] bytes) {
    return Bytes.read(
        bytes,
        VERSION,
        in ->
            new Piece(
                in.readLong(),
                in.readInt(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                Bytes.readUsage(in)));
  }
}
