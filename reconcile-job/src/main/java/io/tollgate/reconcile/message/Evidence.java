package io.tollgate.reconcile.message;

import io.tollgate.domain.cdr.UsageType;
import java.util.Map;

/**
 * Proof that a record which was not rated is kept where it should be, or the contrary.
 *
 * @param partition Kafka partition of the record on {@code cdr}
 * @param offset its offset
 * @param found whether the proof is there: false only if it was looked for by key and is absent
 * @param usage usage of the record by type; empty if it cannot be read
 */
public record Evidence(int partition, long offset, boolean found, Map<UsageType, Long> usage) {
  private static final int VERSION = 1;

  /** Returns the proof as bytes. */
  public byte[] encode() {
    return Bytes.write(
        out -> {
          out.writeByte(VERSION);
          out.writeInt(partition);
          out.writeLong(offset);
          out.writeBoolean(found);
          Bytes.write(out, usage);
        });
  }

  /** Reads a proof. */
  public static Evidence decode(byte[] bytes) {
    return Bytes.read(
        bytes,
        VERSION,
        in -> new Evidence(in.readInt(), in.readLong(), in.readBoolean(), Bytes.readUsage(in)));
  }
}
