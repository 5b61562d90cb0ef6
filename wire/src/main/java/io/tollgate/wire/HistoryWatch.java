package io.tollgate.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Waits until every rating subtask has reported a correction in its receipts. Charges that were
 * rated without it are in the ledger then, and every later one is written with its revision by the
 * rating job itself; so a rerate that begins then misses none.
 */
public final class HistoryWatch {
  private static final Duration POLL = Duration.ofMillis(500);

  /** The publisher's clock and the broker's may differ by so much. */
  private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

  private final Properties client;
  private final String topic;

  /**
   * Creates a watch.
   *
   * @param client properties of a Kafka client
   * @param topic topic of receipts
   */
  public HistoryWatch(Properties client, String topic) {
    this.client = client;
    this.topic = topic;
  }

  /**
   * Waits.
   *
   * @param publishedMillis when the correction was published; nothing was reported before
   * @param onProgress told the last correction that every subtask has reported, when it changes
   * @return whether it was reported before patience ended
   */
  public boolean await(
      long correction, long publishedMillis, Duration patience, LongConsumer onProgress) {
    Properties properties = new Properties();
    properties.putAll(client);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    HistoryReaches reaches = new HistoryReaches();
    ReceiptCodec codec = new ReceiptCodec();
    long deadlineNanos = System.nanoTime() + patience.toNanos();
    long said = -1;
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      seek(consumer, Math.max(0, publishedMillis - CLOCKS_DIFFER.toMillis()));
      while (reaches.everySubtask() < correction) {
        if (System.nanoTime() - deadlineNanos > 0) {
          return false;
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          try {
            codec.decode(record.value()).reaches().forEach(reaches::add);
          } catch (UnreadableException e) {
            // Reconciliation counts it and finds its records without an outcome; what is waited
            // for here is reported again with each start of the rating job.
          }
        }
        if (reaches.everySubtask() != said) {
          said = reaches.everySubtask();
          onProgress.accept(said);
        }
      }
    }
    return true;
  }

  private void seek(KafkaConsumer<byte[], byte[]> consumer, long millis) {
    List<TopicPartition> partitions = new ArrayList<>();
    Map<TopicPartition, Long> times = new HashMap<>();
    consumer
        .partitionsFor(topic)
        .forEach(
            each -> {
              TopicPartition partition = new TopicPartition(topic, each.partition());
              partitions.add(partition);
              times.put(partition, millis);
            });
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    consumer
        .offsetsForTimes(times)
        .forEach(
            (partition, found) -> {
              OffsetAndTimestamp first = found; // null if the topic ends before
              if (first != null) {
                consumer.seek(partition, first.offset());
              }
            });
  }
}
