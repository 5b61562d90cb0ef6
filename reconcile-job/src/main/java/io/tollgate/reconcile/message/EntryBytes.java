package io.tollgate.reconcile.message;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.Receipt.Entry;

/** Entries of receipts as they lie in state. */
public final class EntryBytes {
  private static final int VERSION = 1;

  private EntryBytes() {}

  /** Returns an entry as bytes. */
  public static byte[] of(Entry entry) {
    Reason reason = entry.reason();
    UsageType type = entry.usageType();
    return Bytes.write(
        out -> {
          out.writeByte(VERSION);
          out.writeLong(entry.batchSeq());
          out.writeInt(entry.partition());
          out.writeLong(entry.offset());
          out.writeUTF(entry.outcome().name());
          out.writeUTF(reason == null ? "" : reason.name());
          out.writeBoolean(entry.late());
          out.writeUTF(entry.accountId());
          out.writeUTF(entry.eventId());
          out.writeLong(entry.fingerprint());
          out.writeUTF(type == null ? "" : type.name());
          out.writeLong(entry.startMillis());
          out.writeLong(entry.usage());
        });
  }

  /** Returns an entry from its bytes. */
  public static Entry entry(byte[] bytes) {
    return Bytes.read(
        bytes,
        VERSION,
        in -> {
          long batchSeq = in.readLong();
          int partition = in.readInt();
          long offset = in.readLong();
          Outcome outcome = Outcome.valueOf(in.readUTF());
          String reason = in.readUTF();
          boolean late = in.readBoolean();
          String accountId = in.readUTF();
          String eventId = in.readUTF();
          long fingerprint = in.readLong();
          String type = in.readUTF();
          return new Entry(
              batchSeq,
              partition,
              offset,
              outcome,
              reason.isEmpty() ? null : Reason.valueOf(reason),
              late,
              accountId,
              eventId,
              fingerprint,
              type.isEmpty() ? null : UsageType.valueOf(type),
              in.readLong(),
              in.readLong());
        });
  }
}
