package io.tollgate.wire;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic from its beginning to the end that it has now. Commits nothing. */
public final class TopicScan {
  private static final Duration WAIT = Duration.ofMillis(500);
  private static final Duration MAX_SILENCE = Duration.ofSeconds(20);

  private TopicScan() {}

  /**
   * Reads every partition of a topic.
   *
   * @param client properties of a Kafka client
   * @param each called for each record, in order within its partition
   * @throws org.apache.kafka.common.errors.TimeoutException if Kafka does not answer
   */
  public static void read(
      Properties client, String topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(client)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      read(consumer, partitions, each);
    }
  }

  /** Reads some partitions; otherwise as {@link #read(Properties, String, Consumer)}. */
  public static void read(
      Properties client,
      List<TopicPartition> partitions,
      Consumer<ConsumerRecord<byte[], byte[]>> each) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(client)) {
      read(consumer, partitions, each);
    }
  }

  /** Returns headers by name; of those that repeat, the last. */
  public static Map<String, byte[]> headers(Headers headers) {
    Map<String, byte[]> byName = new HashMap<>();
    for (Header header : headers) {
      byName.put(header.key(), header.value());
    }
    return byName;
  }

  private static void read(
      KafkaConsumer<byte[], byte[]> consumer,
      List<TopicPartition> partitions,
      Consumer<ConsumerRecord<byte[], byte[]>> each) {
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    long lastRecordNanos = System.nanoTime();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(WAIT);
      if (!records.isEmpty()) {
        records.forEach(each);
        lastRecordNanos = System.nanoTime();
      } else if (System.nanoTime() - lastRecordNanos > MAX_SILENCE.toNanos()) {
        // A broker that dies while it is read would otherwise be waited for without end.
        throw new TimeoutException(
            "no record for "
                + MAX_SILENCE.toSeconds()
                + " s (expected: to be read to the end that it had)");
      }
    }
  }

  private static KafkaConsumer<byte[], byte[]> consumer(Properties client) {
    Properties properties = new Properties();
    properties.putAll(client);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, "20000");
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
