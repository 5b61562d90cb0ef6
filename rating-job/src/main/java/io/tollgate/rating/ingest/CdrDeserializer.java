package io.tollgate.rating.ingest;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.Headers;
import io.tollgate.wire.UnreadableException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Decodes and validates records of the topic {@code cdr}. Every record becomes exactly one {@link
 * Arrival}; nothing is thrown for any bytes, because a record that throws would restart the job for
 * ever.
 *
 * <p>A record without any of the headers {@code source}, {@code batch}, {@code batch-seq} was sent
 * by a producer that knows nothing of batches. It counts as part of an implicit batch, a block of a
 * million offsets of its partition, so that it too has a place in the receipts.
 */
public final class CdrDeserializer implements KafkaRecordDeserializationSchema<Arrival> {
  /** Offsets of one implicit batch. */
  public static final long IMPLICIT_BATCH_OFFSETS = 1_000_000;

  private static final int SHOWN_CHARACTERS = 500;

  private final long maxAheadMillis;
  private transient CdrCodec codec;
  private transient String lastSource;
  private transient String lastBatch;

  /**
   * Creates the deserializer.
   *
   * @param maxAheadMillis how far the start of a CDR may lie after its append time
   */
  public CdrDeserializer(long maxAheadMillis) {
    this.maxAheadMillis = maxAheadMillis;
  }

  @Override
  public void open(DeserializationSchema.InitializationContext context) {
    lastSource = "";
    lastBatch = "";
    codec = new CdrCodec();
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Arrival> out) {
    out.collect(arrival(record));
  }

  /** Returns what {@code record} is. */
  Arrival arrival(ConsumerRecord<byte[], byte[]> record) {
    @Nullable Header source = record.headers().lastHeader(Headers.SOURCE);
    @Nullable Header batch = record.headers().lastHeader(Headers.BATCH);
    @Nullable Header batchSeq = record.headers().lastHeader(Headers.BATCH_SEQ);
    if (source == null && batch == null && batchSeq == null) {
      return decoded(record, implicitOrigin(record));
    }
    String sourceText = source == null ? "" : text(source);
    String batchText = batch == null ? "" : text(batch);
    Origin origin =
        new Origin(
            cachedSource(brief(sourceText)),
            cachedBatch(brief(batchText)),
            batchSeq == null ? -1 : parseSeq(batchSeq.value()),
            record.partition(),
            record.offset(),
            record.timestamp());
    String fault = headerFault(sourceText, batchText, origin.batchSeq(), batchSeq);
    if (!fault.isEmpty()) {
      return refused(record, origin, Reason.BAD_HEADERS, fault);
    }
    return decoded(record, origin);
  }

  private Arrival decoded(ConsumerRecord<byte[], byte[]> record, Origin origin) {
    @Nullable Header badLine = record.headers().lastHeader(Headers.BAD_LINE);
    if (badLine != null) {
      String why = CdrRules.shown(text(badLine), SHOWN_CHARACTERS);
      return refused(record, origin, Reason.BAD_LINE, why);
    }
    byte[] value = record.value();
    if (value == null) {
      return refused(record, origin, Reason.UNREADABLE, "no value (expected: a CDR)");
    }
    Cdr cdr;
    try {
      cdr = codec.decode(value);
    } catch (UnreadableException e) {
      return refused(record, origin, e.reason(), e.detail());
    }
    List<String> violations = CdrRules.violations(cdr, origin.appendMillis(), maxAheadMillis);
    if (!violations.isEmpty()) {
      return refused(record, origin, Reason.INVALID, String.join("; ", violations));
    }
    if (record.headers().lastHeader(Headers.INDISTINGUISHABLE) != null) {
      return new Arrival(
          origin,
          cdr,
          Reason.INDISTINGUISHABLE,
          "no identity of its own, and equal to another record of its file",
          record.key(),
          value,
          extra(record));
    }
    return Arrival.of(origin, cdr, extra(record));
  }

  @Override
  public TypeInformation<Arrival> getProducedType() {
    return TypeInformation.of(Arrival.class);
  }

  private static Origin implicitOrigin(ConsumerRecord<byte[], byte[]> record) {
    long block = record.offset() / IMPLICIT_BATCH_OFFSETS;
    return new Origin(
        "",
        "partition-" + record.partition() + "-block-" + block,
        record.offset() % IMPLICIT_BATCH_OFFSETS,
        record.partition(),
        record.offset(),
        record.timestamp());
  }

  private static String headerFault(
      String source, String batch, long seq, @Nullable Header batchSeq) {
    StringBuilder fault = new StringBuilder();
    id(Headers.SOURCE, source, fault);
    id(Headers.BATCH, batch, fault);
    if (seq < 0) {
      fault
          .append(Headers.BATCH_SEQ)
          .append(": ")
          .append(batchSeq == null ? "missing" : CdrRules.shown(text(batchSeq)))
          .append(" (expected: 0 to 2147483647); ");
    }
    return fault.toString();
  }

  private static void id(String name, String value, StringBuilder fault) {
    if (value.isBlank()
        || value.length() > CdrRules.MAX_TEXT_LENGTH
        || value.chars().anyMatch(Character::isISOControl)) {
      fault
          .append(name)
          .append(": '")
          .append(CdrRules.shown(value))
          .append("' (expected: 1 to 256 characters, no control characters); ");
    }
  }

  /**
   * Receipts carry source and batch, and a header may be as long as a message: what is too long to
   * be valid is cut, or its receipt could not be sent.
   */
  private static String brief(String text) {
    return text.length() <= CdrRules.MAX_TEXT_LENGTH
        ? text
        : text.substring(0, CdrRules.MAX_TEXT_LENGTH);
  }

  private static long parseSeq(byte @Nullable [] digits) {
    // A header may have no value at all.
    if (digits == null || digits.length == 0 || digits.length > 10) {
      return -1;
    }
    long value = 0;
    for (byte digit : digits) {
      if (digit < '0' || digit > '9') {
        return -1;
      }
      value = value * 10 + (digit - '0');
    }
    return value <= Integer.MAX_VALUE ? value : -1;
  }

  private static Arrival refused(
      ConsumerRecord<byte[], byte[]> record, Origin origin, Reason reason, String detail) {
    return new Arrival(origin, null, reason, detail, record.key(), record.value(), extra(record));
  }

  private static Map<String, String> extra(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> extra = Map.of();
    for (Header header : record.headers()) {
      switch (header.key()) {
        case Headers.SOURCE, Headers.BATCH, Headers.BATCH_SEQ -> {}
        default -> {
          if (extra.isEmpty()) {
            extra = new LinkedHashMap<>();
          }
          extra.put(header.key(), text(header));
        }
      }
    }
    return extra;
  }

  private static String text(Header header) {
    return header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  /** Neighbouring records share source and batch: one string for all of them. */
  private String cachedSource(String source) {
    if (!source.equals(lastSource)) {
      lastSource = source;
    }
    return lastSource;
  }

  private String cachedBatch(String batch) {
    if (!batch.equals(lastBatch)) {
      lastBatch = batch;
    }
    return lastBatch;
  }
}
