package io.tollgate.wire;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * The CDR on the topic {@code cdr}: Avro's single-object encoding (bytes C3 01, the writer schema's
 * CRC-64-AVRO fingerprint in little-endian order, the binary body), or JSON (see {@link CdrJson}).
 *
 * <p>Written with the newest schema; read with any schema this version knows, by field name: a
 * field that the writer lacked takes its default, a field that this version lacks is passed over.
 * Jobs are therefore upgraded before producers. A schema that is not known is refused, not guessed.
 */
public final class CdrCodec {
  /** The schema that {@link #encode} writes. */
  public static final Schema NEWEST = load("cdr-1.avsc");

  private static final byte MARKER_0 = (byte) 0xC3;
  private static final byte MARKER_1 = 0x01;
  private static final int HEADER_BYTES = 10;
  private static final Schema USAGE_TYPE = NEWEST.getField("usageType").schema();
  private static final long NEWEST_FINGERPRINT = SchemaNormalization.parsingFingerprint64(NEWEST);

  private final Map<Long, ReadPlan> planByFingerprint = new HashMap<>();

  /** Creates a codec that reads every schema of this version. */
  public CdrCodec() {
    this(List.of(NEWEST));
  }

  CdrCodec(List<Schema> known) {
    for (Schema schema : known) {
      planByFingerprint.put(
          SchemaNormalization.parsingFingerprint64(schema), ReadPlan.compile(schema));
    }
  }

  /** Returns {@code cdr} in Avro's single-object encoding with the newest schema. */
  public byte[] encode(Cdr cdr) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(160);
    out.write(MARKER_0);
    out.write(MARKER_1);
    long fingerprint = NEWEST_FINGERPRINT;
    for (int i = 0; i < Long.BYTES; i++) {
      out.write((int) (fingerprint >>> (8 * i)));
    }
    try {
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
      encoder.writeString(cdr.eventId());
      encoder.writeString(cdr.accountId());
      encoder.writeEnum(USAGE_TYPE.getEnumOrdinal(cdr.usageType().name()));
      encoder.writeString(cdr.calling());
      encoder.writeString(cdr.called());
      encoder.writeLong(cdr.startMillis());
      encoder.writeInt(cdr.utcOffsetSeconds());
      encoder.writeLong(cdr.usage());
      encoder.writeString(cdr.cause());
      encoder.writeMapStart();
      encoder.setItemCount(cdr.attributes().size());
      for (Map.Entry<String, String> attribute : cdr.attributes().entrySet()) {
        encoder.startItem();
        encoder.writeString(attribute.getKey());
        encoder.writeString(attribute.getValue());
      }
      encoder.writeMapEnd();
      encoder.writeString(cdr.callingOriginal());
      encoder.writeString(cdr.calledOriginal());
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
    return out.toByteArray();
  }

  /**
   * Reads a CDR in either encoding.
   *
   * @throws UnreadableException if the bytes are neither, or are damaged; nothing else is thrown
   *     for any bytes, and no more is allocated than a small multiple of their number
   */
  public Cdr decode(byte[] bytes) throws UnreadableException {
    if (bytes.length >= 2 && bytes[0] == MARKER_0 && bytes[1] == MARKER_1) {
      return decodeAvro(bytes);
    }
    if (CdrJson.looksLikeJson(bytes)) {
      return CdrJson.decode(bytes);
    }
    throw new UnreadableException(
        Reason.UNREADABLE,
        bytes.length == 0
            ? "empty value (expected: Avro single-object encoding or JSON)"
            : String.format(
                "first byte 0x%02X of %d (expected: Avro single-object encoding, C3 01, or JSON,"
                    + " '{')",
                bytes[0], bytes.length));
  }

  private Cdr decodeAvro(byte[] bytes) throws UnreadableException {
    if (bytes.length < HEADER_BYTES) {
      throw new UnreadableException(
          Reason.UNREADABLE,
          "Avro: truncated: " + bytes.length + " bytes (expected: at least " + HEADER_BYTES + ")");
    }
    long fingerprint = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      fingerprint |= (bytes[2 + i] & 0xFFL) << (8 * i);
    }
    ReadPlan plan = planByFingerprint.get(fingerprint);
    if (plan == null) {
      throw new UnreadableException(
          Reason.UNKNOWN_SCHEMA,
          String.format(
              "Avro schema %016x (expected: one of %d known; upgrade the rating job before its"
                  + " producers)",
              fingerprint, planByFingerprint.size()));
    }
    AvroCursor cursor = new AvroCursor(bytes, HEADER_BYTES);
    Cdr cdr = plan.read(cursor);
    cursor.expectEnd();
    return cdr;
  }

  private static Schema load(String resource) {
    try (InputStream in = CdrCodec.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource missing from the jar: " + resource);
      }
      return new Schema.Parser().parse(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }

  /** What to do with each field of a writer's schema, in the writer's order. */
  private record ReadPlan(List<Field> fields, List<UsageType> usageTypes) {

    /** The fields this version knows; every other one is passed over by its type. */
    private enum Target {
      EVENT_ID,
      ACCOUNT_ID,
      USAGE_TYPE,
      CALLING,
      CALLED,
      START_MILLIS,
      UTC_OFFSET_SECONDS,
      USAGE,
      CAUSE,
      ATTRIBUTES,
      CALLING_ORIGINAL,
      CALLED_ORIGINAL,
      PASS_OVER
    }

    private record Field(Target target, Schema schema) {}

    static ReadPlan compile(Schema writer) {
      List<Field> fields =
          writer.getFields().stream()
              .map(field -> new Field(targetOf(field.name()), field.schema()))
              .toList();
      Schema usageType = writer.getField("usageType").schema();
      List<UsageType> usageTypes =
          usageType.getEnumSymbols().stream().map(UsageType::valueOf).toList();
      return new ReadPlan(fields, usageTypes);
    }

    private static Target targetOf(String name) {
      return switch (name) {
        case "eventId" -> Target.EVENT_ID;
        case "accountId" -> Target.ACCOUNT_ID;
        case "usageType" -> Target.USAGE_TYPE;
        case "calling" -> Target.CALLING;
        case "called" -> Target.CALLED;
        case "startMillis" -> Target.START_MILLIS;
        case "utcOffsetSeconds" -> Target.UTC_OFFSET_SECONDS;
        case "usage" -> Target.USAGE;
        case "cause" -> Target.CAUSE;
        case "attributes" -> Target.ATTRIBUTES;
        case "callingOriginal" -> Target.CALLING_ORIGINAL;
        case "calledOriginal" -> Target.CALLED_ORIGINAL;
        default -> Target.PASS_OVER;
      };
    }

    Cdr read(AvroCursor cursor) throws UnreadableException {
      String eventId = "";
      String accountId = "";
      UsageType usageType = UsageType.VOICE;
      String calling = "";
      String called = "";
      long startMillis = 0;
      int utcOffsetSeconds = 0;
      long usage = 0;
      String cause = "";
      Map<String, String> attributes = Map.of();
      String callingOriginal = "";
      String calledOriginal = "";
      for (Field field : fields) {
        switch (field.target) {
          case EVENT_ID -> eventId = cursor.readString();
          case ACCOUNT_ID -> accountId = cursor.readString();
          case USAGE_TYPE -> usageType = readUsageType(cursor);
          case CALLING -> calling = cursor.readString();
          case CALLED -> called = cursor.readString();
          case START_MILLIS -> startMillis = cursor.readLong();
          case UTC_OFFSET_SECONDS -> utcOffsetSeconds = cursor.readInt();
          case USAGE -> usage = cursor.readLong();
          case CAUSE -> cause = cursor.readString();
          case ATTRIBUTES -> attributes = readAttributes(cursor);
          case CALLING_ORIGINAL -> callingOriginal = cursor.readString();
          case CALLED_ORIGINAL -> calledOriginal = cursor.readString();
          case PASS_OVER -> passOver(cursor, field.schema);
        }
      }
      return new Cdr(
          eventId,
          accountId,
          usageType,
          calling,
          called,
          startMillis,
          utcOffsetSeconds,
          usage,
          cause,
          attributes,
          callingOriginal,
          calledOriginal);
    }

    private UsageType readUsageType(AvroCursor cursor) throws UnreadableException {
      int index = cursor.readInt();
      if (index < 0 || index >= usageTypes.size()) {
        throw new UnreadableException(
            Reason.UNREADABLE,
            "Avro: usageType " + index + " (expected: 0 to " + (usageTypes.size() - 1) + ")");
      }
      return usageTypes.get(index);
    }

    private static Map<String, String> readAttributes(AvroCursor cursor)
        throws UnreadableException {
      int count = cursor.readBlockCount();
      if (count == 0) {
        return Map.of();
      }
      Map<String, String> attributes = new HashMap<>();
      while (count > 0) {
        for (int i = 0; i < count; i++) {
          attributes.put(cursor.readString(), cursor.readString());
        }
        count = cursor.readBlockCount();
      }
      return attributes;
    }

    private static void passOver(AvroCursor cursor, Schema schema) throws UnreadableException {
      switch (schema.getType()) {
        case NULL -> {}
        case BOOLEAN -> cursor.skip(1);
        case INT, LONG, ENUM -> cursor.readLong();
        case FLOAT -> cursor.skip(Float.BYTES);
        case DOUBLE -> cursor.skip(Double.BYTES);
        case FIXED -> cursor.skip(schema.getFixedSize());
        case STRING, BYTES -> cursor.skipLengthPrefixed();
        case RECORD -> {
          for (Schema.Field field : schema.getFields()) {
            passOver(cursor, field.schema());
          }
        }
        case UNION -> {
          int branch = cursor.readInt();
          if (branch < 0 || branch >= schema.getTypes().size()) {
            throw new UnreadableException(Reason.UNREADABLE, "Avro: union branch " + branch);
          }
          passOver(cursor, schema.getTypes().get(branch));
        }
        case ARRAY, MAP -> {
          boolean map = schema.getType() == Schema.Type.MAP;
          Schema item = map ? schema.getValueType() : schema.getElementType();
          for (int count = cursor.readBlockCount(); count > 0; count = cursor.readBlockCount()) {
            for (int i = 0; i < count; i++) {
              if (map) {
                cursor.skipLengthPrefixed();
              }
              passOver(cursor, item);
            }
          }
        }
      }
    }
  }
}
