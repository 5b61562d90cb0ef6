package io.tollgate.wire;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What sources say on the topic {@code cdr.control}, as JSON, keyed by source. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ControlMessage.BatchAnnounced.class, name = "announced"),
  @JsonSubTypes.Type(value = ControlMessage.ControlTotal.class, name = "total")
})
public sealed interface ControlMessage {
  /** Declared id of the source. */
  String source();

  /** Id of the batch, unique within its source. */
  String batch();

  /**
   * A batch that is about to be sent: a fixed byte range of one file.
   *
   * @param source declared id of the source
   * @param batch id made from the content of the range
   * @param file name of the file, without its folder
   * @param fromByte first byte of the range
   * @param toByte byte after the last one
   */
  record BatchAnnounced(String source, String batch, String file, long fromByte, long toByte)
      implements ControlMessage {}

  /**
   * A batch of which every record was acknowledged by Kafka.
   *
   * @param source declared id of the source
   * @param batch id of the batch
   * @param file name of the file, without its folder
   * @param records number of records sent, readable or not; their batch-seqs are 0 to records - 1
   * @param unreadable how many of them could not be made into a CDR
   * @param usage raw usage of the others, summed up by usage type
   * @param lastOffsets offset of the last acknowledged record, by partition
   */
  record ControlTotal(
      String source,
      String batch,
      String file,
      long records,
      long unreadable,
      Map<UsageType, Long> usage,
      Map<Integer, Long> lastOffsets)
      implements ControlMessage {}

  /** Returns {@code message} as JSON in UTF-8. */
  static byte[] encode(ControlMessage message) {
    try {
      return Json.MAPPER.writerFor(ControlMessage.class).writeValueAsBytes(message);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record of texts and numbers is always JSON", e);
    }
  }

  /**
   * Reads a control message.
   *
   * @throws UnreadableException naming every fault: not JSON, unknown or missing names, negative
   *     numbers
   */
  static ControlMessage decode(byte @Nullable [] bytes) throws UnreadableException {
    if (bytes == null) {
      throw new UnreadableException(Reason.UNREADABLE, "control message: empty");
    }
    ControlMessage message;
    try {
      message = Json.MAPPER.readValue(bytes, ControlMessage.class);
    } catch (IOException e) {
      throw new UnreadableException(
          Reason.UNREADABLE,
          "control message: " + CdrRules.shown(String.valueOf(e.getMessage()), 200));
    }
    List<String> faults = message == null ? List.of("null") : Json.faults(message);
    if (message == null || !faults.isEmpty()) {
      throw new UnreadableException(
          Reason.UNREADABLE, "control message: " + String.join("; ", faults));
    }
    return message;
  }

  /** How control messages are read and checked. */
  final class Json {
    private static final ObjectMapper MAPPER =
        JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    private static List<String> faults(ControlMessage message) {
      List<String> faults = new ArrayList<>();
      if (message.source().isBlank()) {
        faults.add("source: blank");
      }
      if (message.batch().isBlank()) {
        faults.add("batch: blank");
      }
      if (message instanceof BatchAnnounced announced) {
        notNegative("fromByte", announced.fromByte(), faults);
        if (announced.toByte() < announced.fromByte()) {
          faults.add(
              "toByte: "
                  + announced.toByte()
                  + " (expected: "
                  + announced.fromByte()
                  + " or more)");
        }
      } else if (message instanceof ControlTotal total) {
        notNegative("records", total.records(), faults);
        notNegative("unreadable", total.unreadable(), faults);
        if (total.unreadable() > total.records()) {
          faults.add(
              "unreadable: " + total.unreadable() + " (expected: at most " + total.records() + ")");
        }
        new TreeMap<>(total.usage())
            .forEach((type, sum) -> notNegative("usage." + type, sum, faults));
        new TreeMap<>(total.lastOffsets())
            .forEach(
                (partition, offset) -> notNegative("lastOffsets." + partition, offset, faults));
      }
      return faults;
    }

    private static void notNegative(String name, @Nullable Long value, List<String> faults) {
      if (value == null || value < 0) {
        faults.add(name + ": " + value + " (expected: 0 or more)");
      }
    }
  }
}
