package io.tollgate.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The CDR as a JSON object, for producers without Avro and for files of the format {@code
 * tollgate-json}:
 *
 * <pre>{@code
 * {"eventId": "pbx-1/1700000000.42", "accountId": "acme", "usageType": "VOICE",
 *  "calling": "+493023125001", "called": "+447700900123",
 *  "start": "2026-10-05T14:03:21.500+02:00", "usage": 61000,
 *  "cause": "ANSWERED", "attributes": {"trunk": "7"}}
 * }</pre>
 *
 * <p>{@code eventId}, {@code accountId}, {@code usageType}, {@code start} and {@code usage} are
 * required. {@code start} is ISO 8601 with its offset from UTC; {@code usage} is a whole number of
 * milliseconds, bytes or units. Unknown and repeated names are faults: a misspelt name must not
 * turn into a default.
 */
public final class CdrJson {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private CdrJson() {}

  static boolean looksLikeJson(byte[] bytes) {
    for (byte b : bytes) {
      if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
        return b == '{';
      }
    }
    return false;
  }

  /**
   * Reads one JSON object.
   *
   * @throws UnreadableException naming every fault, with line and column where JSON itself is
   *     broken
   */
  public static Cdr decode(byte[] bytes) throws UnreadableException {
    Fields fields = new Fields();
    try (JsonParser parser = JSON.createParser(bytes)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw unreadable("JSON: an object is expected");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        fields.read(name, parser);
      }
      if (parser.nextToken() != null) {
        throw unreadable("JSON: more follows after the object");
      }
    } catch (IOException e) {
      throw unreadable("JSON: " + CdrRules.shown(firstLine(e), 200));
    }
    return fields.toCdr();
  }

  /** Returns {@code cdr} as one line of JSON without a line end. */
  public static String encode(Cdr cdr) {
    StringWriter out = new StringWriter(256);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("eventId", cdr.eventId());
      json.writeStringField("accountId", cdr.accountId());
      json.writeStringField("usageType", cdr.usageType().name());
      writeUnlessEmpty(json, "calling", cdr.calling());
      writeUnlessEmpty(json, "called", cdr.called());
      json.writeStringField(
          "start",
          Instant.ofEpochMilli(cdr.startMillis())
              .atOffset(ZoneOffset.ofTotalSeconds(cdr.utcOffsetSeconds()))
              .toString());
      json.writeNumberField("usage", cdr.usage());
      writeUnlessEmpty(json, "cause", cdr.cause());
      if (!cdr.attributes().isEmpty()) {
        json.writeObjectFieldStart("attributes");
        for (Map.Entry<String, String> attribute : cdr.attributes().entrySet()) {
          json.writeStringField(attribute.getKey(), attribute.getValue());
        }
        json.writeEndObject();
      }
      writeUnlessEmpty(json, "callingOriginal", cdr.callingOriginal());
      writeUnlessEmpty(json, "calledOriginal", cdr.calledOriginal());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
    return out.toString();
  }

  private static void writeUnlessEmpty(JsonGenerator json, String name, String value)
      throws IOException {
    if (!value.isEmpty()) {
      json.writeStringField(name, value);
    }
  }

  private static UnreadableException unreadable(String detail) {
    return new UnreadableException(Reason.UNREADABLE, detail);
  }

  private static String firstLine(IOException e) {
    String message = String.valueOf(e.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }

  /** The fields read so far, and what was wrong with them. */
  private static final class Fields {
    private static final Set<String> TEXTS =
        Set.of(
            "eventId",
            "accountId",
            "calling",
            "called",
            "cause",
            "callingOriginal",
            "calledOriginal");

    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, String> attributes = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final List<String> faults = new ArrayList<>();
    private @Nullable UsageType usageType;
    private @Nullable OffsetDateTime start;
    private long startMillis;
    private long usage;

    void read(String name, JsonParser parser) throws IOException {
      seen.add(name);
      switch (name) {
        case "usageType" -> usageType = readUsageType(parser);
        case "start" -> start = readStart(parser);
        case "usage" -> usage = readUsage(parser);
        case "attributes" -> readAttributes(parser);
        default -> {
          if (TEXTS.contains(name)) {
            texts.put(name, readText(name, parser));
          } else {
            faults.add(CdrRules.shown(name) + ": unknown name");
            parser.skipChildren();
          }
        }
      }
    }

    Cdr toCdr() throws UnreadableException {
      for (String required : List.of("eventId", "accountId", "usageType", "start", "usage")) {
        if (!seen.contains(required)) {
          faults.add(required + ": missing");
        }
      }
      UsageType type = usageType;
      OffsetDateTime time = start;
      if (!faults.isEmpty() || type == null || time == null) {
        throw unreadable("JSON: " + String.join("; ", faults));
      }
      return new Cdr(
          text("eventId"),
          text("accountId"),
          type,
          text("calling"),
          text("called"),
          startMillis,
          time.getOffset().getTotalSeconds(),
          usage,
          text("cause"),
          attributes.isEmpty() ? Map.of() : attributes,
          text("callingOriginal"),
          text("calledOriginal"));
    }

    private String text(String name) {
      return texts.getOrDefault(name, "");
    }

    private String readText(String name, JsonParser parser) throws IOException {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        fault(name, parser, "text");
        return "";
      }
      return parser.getText();
    }

    private @Nullable UsageType readUsageType(JsonParser parser) throws IOException {
      String value = parser.getText();
      for (UsageType type : UsageType.values()) {
        if (type.name().equals(value)) {
          return type;
        }
      }
      fault("usageType", parser, "one of " + Arrays.toString(UsageType.values()));
      return null;
    }

    private @Nullable OffsetDateTime readStart(JsonParser parser) throws IOException {
      try {
        OffsetDateTime value = OffsetDateTime.parse(parser.getText());
        startMillis = value.toInstant().toEpochMilli();
        return value;
      } catch (DateTimeException | ArithmeticException e) {
        fault("start", parser, "ISO 8601 with an offset, such as 2026-10-05T14:03:21+02:00");
        return null;
      }
    }

    private long readUsage(JsonParser parser) throws IOException {
      if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
        switch (parser.getNumberType()) {
          case INT, LONG -> {
            return parser.getLongValue();
          }
          default -> {}
        }
      }
      fault("usage", parser, "a whole number of 64 bits");
      return 0;
    }

    private void readAttributes(JsonParser parser) throws IOException {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        fault("attributes", parser, "an object of texts");
        return;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        attributes.put(name, readText("attributes." + name, parser));
      }
    }

    private void fault(String name, JsonParser parser, String expected) throws IOException {
      String found = CdrRules.shown(String.valueOf(parser.getText()));
      parser.skipChildren();
      faults.add(CdrRules.shown(name) + ": " + found + " (expected: " + expected + ")");
    }
  }
}
