package io.tollgate.wire;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.roaringbitmap.RoaringBitmap;

/**
 * Finds records of a batch on the topic {@code cdr} again, in the stretches of it in which the
 * batch lies. For one thread.
 */
public final class BatchRecords implements AutoCloseable {
  private static final Duration WAIT = Duration.ofMillis(500);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final String topic;
  private final CdrCodec codec = new CdrCodec();

  /**
   * A record that was found.
   *
   * @param cdr the record
   * @param origin where it stands
   */
  public record Found(Cdr cdr, Origin origin) {}

  /**
   * Creates a finder; connects when it is asked first.
   *
   * @param client properties of a Kafka client
   */
  public BatchRecords(Properties client, String topic) {
    Properties properties = new Properties();
    properties.putAll(client);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    this.consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.topic = topic;
  }

  /**
   * Returns those of the records that were found and can be read, by batch-seq.
   *
   * @param offsets first and last offset to look at, by partition
   * @param mostOffsets no more offsets than this are looked at
   * @param longest and no longer than this
   */
  public Map<Integer, Found> find(
      String source,
      String batch,
      RoaringBitmap seqs,
      Map<Integer, long[]> offsets,
      long mostOffsets,
      Duration longest) {
    Wanted wanted = new Wanted(source, batch, seqs, new HashMap<>());
    long giveUpNanos = System.nanoTime() + longest.toNanos();
    long left = mostOffsets;
    for (Map.Entry<Integer, long[]> span : offsets.entrySet()) {
      left -= span.getValue()[1] - span.getValue()[0] + 1;
      if (left < 0 || wanted.found.size() == seqs.getCardinality()) {
        break;
      }
      scan(
          new TopicPartition(topic, span.getKey()),
          span.getValue()[0],
          span.getValue()[1],
          wanted,
          giveUpNanos);
    }
    return wanted.found;
  }

  private void scan(
      TopicPartition partition, long first, long last, Wanted wanted, long giveUpNanos) {
    consumer.assign(List.of(partition));
    consumer.seek(partition, first);
    long end =
        Math.min(last + 1, consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L));
    while (consumer.position(partition) < end && System.nanoTime() - giveUpNanos < 0) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(WAIT)) {
        if (record.offset() <= last) {
          take(record, wanted);
        }
      }
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record, Wanted wanted) {
    if (record.value() == null
        || !wanted.source.equals(text(record, Headers.SOURCE))
        || !wanted.batch.equals(text(record, Headers.BATCH))) {
      return;
    }
    String seq = text(record, Headers.BATCH_SEQ);
    if (!seq.matches("\\d{1,10}")) {
      return;
    }
    long number = Long.parseLong(seq);
    if (number > Integer.MAX_VALUE || !wanted.seqs.contains((int) number)) {
      return;
    }
    try {
      Origin origin =
          new Origin(
              wanted.source,
              wanted.batch,
              number,
              record.partition(),
              record.offset(),
              record.timestamp());
      wanted.found.putIfAbsent((int) number, new Found(codec.decode(record.value()), origin));
    } catch (UnreadableException e) {
      // The rating job cannot have charged it; that it is missing stands.
      wanted.found.remove((int) number);
    }
  }

  private static String text(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  private record Wanted(
      String source, String batch, RoaringBitmap seqs, Map<Integer, Found> found) {}

  @Override
  public void close() {
    consumer.close();
  }
}
