package io.tollgate.wire;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.Receipt.Entry;
import io.tollgate.wire.Receipt.HistoryReach;
import io.tollgate.wire.Receipt.OffsetRange;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.Receipt.RevisedPartition;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.message.MissingSchemaException;
import org.roaringbitmap.RoaringBitmap;

/** Receipts on the topic {@code rating.receipts}, in Avro's single-object encoding. */
public final class ReceiptCodec {
  private static final Schema SCHEMA = load("receipt-3.avsc");
  private static final Schema WITHOUT_REVISED = load("receipt-2.avsc");
  private static final Schema WITHOUT_REACHES = load("receipt-1.avsc");
  private static final Schema RATED_SET = SCHEMA.getField("rated").schema().getElementType();
  private static final Schema OFFSET_RANGE =
      RATED_SET.getField("offsets").schema().getElementType();
  private static final Schema REACH = SCHEMA.getField("reaches").schema().getElementType();
  private static final Schema REVISED = SCHEMA.getField("revised").schema().getElementType();
  private static final Schema ENTRY = SCHEMA.getField("entries").schema().getElementType();

  private final BinaryMessageEncoder<GenericRecord> encoder =
      new BinaryMessageEncoder<>(GenericData.get(), SCHEMA, true);
  private final BinaryMessageDecoder<GenericRecord> decoder =
      new BinaryMessageDecoder<>(GenericData.get(), SCHEMA);

  /** Creates a codec, which also reads receipts of earlier forms. */
  public ReceiptCodec() {
    decoder.addSchema(WITHOUT_REVISED);
    decoder.addSchema(WITHOUT_REACHES);
  }

  /** Returns the key of a receipt: all receipts of a batch meet in one partition. */
  public static String key(String source, String batch) {
    return source + "|" + batch;
  }

  /** Returns {@code receipt} as bytes. */
  public byte[] encode(Receipt receipt) {
    GenericData.Record out = new GenericData.Record(SCHEMA);
    out.put("source", receipt.source());
    out.put("batch", receipt.batch());
    out.put("tariffVersion", receipt.tariffVersion());
    out.put("rated", receipt.rated().stream().map(ReceiptCodec::toAvro).toList());
    out.put("entries", receipt.entries().stream().map(ReceiptCodec::toAvro).toList());
    out.put("reaches", receipt.reaches().stream().map(ReceiptCodec::toAvro).toList());
    out.put("revised", receipt.revised().stream().map(ReceiptCodec::toAvro).toList());
    try {
      ByteBuffer bytes = encoder.encode(out);
      byte[] result = new byte[bytes.remaining()];
      bytes.get(result);
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
  }

  /**
   * Reads a receipt.
   *
   * @throws UnreadableException if the bytes are not a receipt
   */
  public Receipt decode(byte[] bytes) throws UnreadableException {
    try {
      GenericRecord in = decoder.decode(bytes);
      List<RatedSet> rated = new ArrayList<>();
      for (Object set : (List<?>) in.get("rated")) {
        rated.add(ratedSet((GenericRecord) set));
      }
      List<Entry> entries = new ArrayList<>();
      for (Object entry : (List<?>) in.get("entries")) {
        entries.add(entry((GenericRecord) entry));
      }
      List<HistoryReach> reaches = new ArrayList<>();
      for (Object reach : (List<?>) in.get("reaches")) {
        GenericRecord avro = (GenericRecord) reach;
        reaches.add(
            new HistoryReach(
                (int) avro.get("subtask"),
                (int) avro.get("parallelism"),
                (long) avro.get("correction")));
      }
      List<RevisedPartition> revised = new ArrayList<>();
      for (Object each : (List<?>) in.get("revised")) {
        GenericRecord avro = (GenericRecord) each;
        revised.add(new RevisedPartition((long) avro.get("usageHour"), (int) avro.get("bucket")));
      }
      return new Receipt(
          text(in, "source"),
          text(in, "batch"),
          (long) in.get("tariffVersion"),
          rated,
          entries,
          reaches,
          revised);
    } catch (MissingSchemaException e) {
      throw new UnreadableException(Reason.UNKNOWN_SCHEMA, "receipt: " + e.getMessage());
    } catch (IOException | AvroRuntimeException | IllegalArgumentException e) {
      throw new UnreadableException(Reason.UNREADABLE, "receipt: " + e.getMessage());
    }
  }

  private static GenericRecord toAvro(HistoryReach reach) {
    GenericData.Record out = new GenericData.Record(REACH);
    out.put("subtask", reach.subtask());
    out.put("parallelism", reach.parallelism());
    out.put("correction", reach.correction());
    return out;
  }

  private static GenericRecord toAvro(RevisedPartition partition) {
    GenericData.Record out = new GenericData.Record(REVISED);
    out.put("usageHour", partition.usageHour());
    out.put("bucket", partition.bucket());
    return out;
  }

  private static GenericRecord toAvro(RatedSet set) {
    GenericData.Record out = new GenericData.Record(RATED_SET);
    out.put("usageHour", set.usageHour());
    out.put("bucket", set.bucket());
    RoaringBitmap seqs = set.batchSeqs();
    seqs.runOptimize();
    ByteBuffer bitmap = ByteBuffer.allocate(seqs.serializedSizeInBytes());
    seqs.serialize(bitmap);
    out.put("batchSeqs", bitmap.flip());
    List<GenericRecord> offsets = new ArrayList<>();
    for (OffsetRange range : set.offsets()) {
      GenericData.Record avro = new GenericData.Record(OFFSET_RANGE);
      avro.put("partition", range.partition());
      avro.put("first", range.first());
      avro.put("last", range.last());
      offsets.add(avro);
    }
    out.put("offsets", offsets);
    return out;
  }

  private static GenericRecord toAvro(Entry entry) {
    GenericData.Record out = new GenericData.Record(ENTRY);
    out.put("batchSeq", entry.batchSeq());
    out.put("partition", entry.partition());
    out.put("offset", entry.offset());
    out.put("outcome", entry.outcome().name());
    Reason reason = entry.reason();
    out.put("reason", reason == null ? "" : reason.name());
    out.put("late", entry.late());
    out.put("accountId", entry.accountId());
    out.put("eventId", entry.eventId());
    out.put("fingerprint", entry.fingerprint());
    UsageType type = entry.usageType();
    out.put("usageType", type == null ? "" : type.name());
    out.put("startMillis", entry.startMillis());
    out.put("usage", entry.usage());
    return out;
  }

  private static RatedSet ratedSet(GenericRecord in) throws IOException {
    ByteBuffer bytes = (ByteBuffer) in.get("batchSeqs");
    byte[] bitmap = new byte[bytes.remaining()];
    bytes.get(bitmap);
    RoaringBitmap seqs = new RoaringBitmap();
    seqs.deserialize(new DataInputStream(new ByteArrayInputStream(bitmap)));
    List<OffsetRange> offsets = new ArrayList<>();
    for (Object range : (List<?>) in.get("offsets")) {
      GenericRecord avro = (GenericRecord) range;
      offsets.add(
          new OffsetRange(
              (int) avro.get("partition"), (long) avro.get("first"), (long) avro.get("last")));
    }
    return new RatedSet((long) in.get("usageHour"), (int) in.get("bucket"), seqs, offsets);
  }

  private static Entry entry(GenericRecord in) {
    String reason = text(in, "reason");
    String type = text(in, "usageType");
    return new Entry(
        (long) in.get("batchSeq"),
        (int) in.get("partition"),
        (long) in.get("offset"),
        Outcome.valueOf(text(in, "outcome")),
        reason.isEmpty() ? null : Reason.valueOf(reason),
        (boolean) in.get("late"),
        text(in, "accountId"),
        text(in, "eventId"),
        (long) in.get("fingerprint"),
        type.isEmpty() ? null : UsageType.valueOf(type),
        (long) in.get("startMillis"),
        (long) in.get("usage"));
  }

  private static String text(GenericRecord in, String field) {
    return in.get(field).toString();
  }

  private static Schema load(String resource) {
    try (InputStream in = ReceiptCodec.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource missing from the jar: " + resource);
      }
      return new Schema.Parser().parse(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }

  /** Returns the schema, for the compatibility test. */
  static Schema schema() {
    return SCHEMA;
  }
}
