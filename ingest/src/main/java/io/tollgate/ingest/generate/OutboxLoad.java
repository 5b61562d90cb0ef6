package io.tollgate.ingest.generate;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.ingest.batch.BatchTally;
import io.tollgate.ingest.batch.Outbox;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Sends a load straight to Kafka, in batches with announcements and control totals like a file's. A
 * batch is a range of indexes, its id made from the settings and the range; so the same load sent
 * again is the same batches.
 */
public final class OutboxLoad {
  private static final int RECORDS_BETWEEN_PROGRESS = 5000;
  private static final int ID_BYTES = 16;

  private final CdrGenerator generator;
  private final String source;
  private final long batchRecords;
  private final CdrCodec codec = new CdrCodec();

  /**
   * Creates the sender.
   *
   * @param source declared id of the source
   * @param batchRecords records of a batch, at least 1
   */
  public OutboxLoad(CdrGenerator generator, String source, long batchRecords) {
    if (batchRecords < 1 || batchRecords > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "batch-records: " + batchRecords + " (expected: 1 to " + Integer.MAX_VALUE + ")");
    }
    this.generator = generator;
    this.source = source;
    this.batchRecords = batchRecords;
  }

  /** Sends everything. */
  public LoadSummary send(Outbox outbox, Progress progress) {
    LoadSummary summary = LoadSummary.toKafka(generator.settings());
    long records = generator.settings().records();
    String name = "load-" + Long.toHexString(generator.settings().seed());
    for (long from = 0; from < records; from += batchRecords) {
      long to = Math.min(records, from + batchRecords);
      sendBatch(outbox, name, from, to, summary, progress);
    }
    return summary;
  }

  private void sendBatch(
      Outbox outbox, String name, long from, long to, LoadSummary summary, Progress progress) {
    String batch = batchId(from, to);
    outbox.announce(new BatchAnnounced(source, batch, name, from, to));
    BatchTally tally = new BatchTally();
    for (long index = from; index < to; index++) {
      GeneratedRecord generated = generator.record(index);
      OutgoingRecord.Body body = body(generated);
      outbox.send(new OutgoingRecord(tally.records(), "", body));
      summary.add(generated);
      if (body instanceof OutgoingRecord.Good good) {
        tally.addCdr(good.cdr());
      } else {
        tally.addUnreadable();
      }
      if (index % RECORDS_BETWEEN_PROGRESS == 0) {
        progress.at(name, index, generator.settings().records(), index);
      }
    }
    outbox.close(
        new ControlTotal(
            source,
            batch,
            name,
            tally.records(),
            tally.unreadable(),
            tally.usage(),
            outbox.awaitAcknowledged()));
    progress.at(name, to, generator.settings().records(), to);
  }

  private OutgoingRecord.Body body(GeneratedRecord generated) {
    Cdr cdr = generated.cdr();
    return switch (generated.kind()) {
      case NOISE ->
          raw(
              ("\u0001\u0002 not a CDR " + generated.index()).getBytes(StandardCharsets.UTF_8),
              cdr);
      case CUT_OFF -> {
        byte[] whole = codec.encode(cdr);
        yield raw(Arrays.copyOf(whole, whole.length / 2), cdr);
      }
      case UNKNOWN_SCHEMA -> {
        byte[] bytes = codec.encode(cdr);
        // Bytes 2 to 9 are the fingerprint of the schema.
        ByteBuffer.wrap(bytes).putLong(2, 0x0123456789ABCDEFL);
        yield raw(bytes, cdr);
      }
      default -> new OutgoingRecord.Good(cdr, false);
    };
  }

  private static OutgoingRecord.Body raw(byte[] bytes, Cdr cdr) {
    return new OutgoingRecord.Raw(bytes, cdr.accountId());
  }

  private String batchId(long from, long to) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      String content = generator.settings() + " " + from + " " + to;
      return HexFormat.of()
          .formatHex(digest.digest(content.getBytes(StandardCharsets.UTF_8)), 0, ID_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must offer SHA-256", e);
    }
  }
}
