package io.tollgate.wire;

import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.outcome.Reason;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record that was not rated, as it lies on {@code cdr.rejected} or {@code cdr.suspended}: its
 * value unaltered, with the reason and the place it came from in headers. The key names that place,
 * so that a repeat after a restart is recognized.
 *
 * @param reason why it was not rated
 * @param detail what was found and what was expected, for people
 * @param topic where it stood
 * @param origin where it stood, and its place in its batch
 * @param key key that it had; absent if it had none
 * @param value its bytes, unaltered; null for a record without a value
 * @param extra headers it had beside source, batch and batch-seq that a redrive must keep
 */
@SuppressWarnings("ArrayRecordComponent") // bytes pass through; side records are never compared
public record SideRecord(
    Reason reason,
    String detail,
    String topic,
    Origin origin,
    byte @Nullable [] key,
    byte @Nullable [] value,
    Map<String, String> extra) {

  /** Returns the Kafka key: {@code topic-partition@offset} of the original. */
  public byte[] kafkaKey() {
    return utf8(topic + "-" + origin.partition() + "@" + origin.offset());
  }

  /** Returns the Kafka headers, in order. */
  public Map<String, byte[]> headers() {
    Map<String, byte[]> headers = new LinkedHashMap<>();
    extra.forEach((name, text) -> headers.put(name, utf8(text)));
    headers.put(Headers.SOURCE, utf8(origin.source()));
    headers.put(Headers.BATCH, utf8(origin.batch()));
    headers.put(Headers.BATCH_SEQ, utf8(Long.toString(origin.batchSeq())));
    headers.put(Headers.REASON, utf8(reason.name()));
    headers.put(Headers.DETAIL, utf8(detail));
    headers.put(Headers.ORIGIN_TOPIC, utf8(topic));
    headers.put(Headers.ORIGIN_PARTITION, utf8(Integer.toString(origin.partition())));
    headers.put(Headers.ORIGIN_OFFSET, utf8(Long.toString(origin.offset())));
    headers.put(Headers.ORIGIN_APPEND_MILLIS, utf8(Long.toString(origin.appendMillis())));
    byte[] originKey = key;
    if (originKey != null) {
      headers.put(Headers.ORIGIN_KEY, originKey);
    }
    return headers;
  }

  /**
   * Reads a record of a side topic.
   *
   * @throws UnreadableException if a header is missing or malformed
   */
  public static SideRecord of(Map<String, byte[]> headers, byte @Nullable [] value)
      throws UnreadableException {
    Map<String, byte[]> rest = new LinkedHashMap<>(headers);
    try {
      Reason reason = Reason.valueOf(take(rest, Headers.REASON));
      String detail = take(rest, Headers.DETAIL);
      String topic = take(rest, Headers.ORIGIN_TOPIC);
      Origin origin =
          new Origin(
              take(rest, Headers.SOURCE),
              take(rest, Headers.BATCH),
              Long.parseLong(take(rest, Headers.BATCH_SEQ)),
              Integer.parseInt(take(rest, Headers.ORIGIN_PARTITION)),
              Long.parseLong(take(rest, Headers.ORIGIN_OFFSET)),
              Long.parseLong(take(rest, Headers.ORIGIN_APPEND_MILLIS)));
      byte[] key = rest.remove(Headers.ORIGIN_KEY);
      Map<String, String> extra = new LinkedHashMap<>();
      rest.forEach((name, bytes) -> extra.put(name, new String(bytes, StandardCharsets.UTF_8)));
      return new SideRecord(reason, detail, topic, origin, key, value, extra);
    } catch (IllegalArgumentException e) {
      throw new UnreadableException(Reason.BAD_HEADERS, "side record: " + e.getMessage());
    }
  }

  private static String take(Map<String, byte[]> headers, String name) {
    byte[] value = headers.remove(name);
    if (value == null) {
      throw new IllegalArgumentException("header " + name + ": missing");
    }
    return new String(value, StandardCharsets.UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
