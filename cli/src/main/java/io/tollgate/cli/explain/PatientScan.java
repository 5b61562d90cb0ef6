package io.tollgate.cli.explain;

import io.tollgate.ingest.batch.Progress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads stretches of topics for a person who waits: tells how far it is, and stops when time is
 * over. Commits nothing. For one thread.
 */
final class PatientScan implements AutoCloseable {
  private static final Duration WAIT = Duration.ofMillis(500);
  private static final String ANSWER_MILLIS = "15000";

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final long giveUpNanos;
  private final Progress progress;

  /**
   * Creates a scan; connects when it is asked first.
   *
   * @param client properties of a Kafka client
   * @param giveUpNanos when time is over, by {@link System#nanoTime}
   */
  PatientScan(Properties client, long giveUpNanos, Progress progress) {
    Properties properties = new Properties();
    properties.putAll(client);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
    this.consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.giveUpNanos = giveUpNanos;
    this.progress = progress;
  }

  /**
   * A stretch of a partition.
   *
   * @param from first offset
   * @param to offset after the last one
   */
  record Stretch(long from, long to) {
    Stretch unite(Stretch other) {
      return new Stretch(Math.min(from, other.from), Math.max(to, other.to));
    }
  }

  /** Returns the stretches that a topic has now, whole. */
  Map<Integer, Stretch> whole(String topic) {
    List<TopicPartition> partitions = partitions(topic);
    Map<TopicPartition, Long> firsts = consumer.beginningOffsets(partitions);
    Map<Integer, Stretch> whole = new HashMap<>();
    consumer
        .endOffsets(partitions)
        .forEach(
            (partition, end) ->
                whole.put(
                    partition.partition(), new Stretch(firsts.getOrDefault(partition, 0L), end)));
    return whole;
  }

  /** Returns the first offset of each partition that is as young as {@code millis}. */
  Map<Integer, Long> firstSince(String topic, long millis) {
    Map<TopicPartition, Long> asked =
        partitions(topic).stream().collect(Collectors.toMap(each -> each, each -> millis));
    Map<Integer, Long> firsts = new HashMap<>();
    Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(asked);
    asked
        .keySet()
        .forEach(
            partition -> {
              OffsetAndTimestamp first = found.get(partition);
              firsts.put(partition.partition(), first == null ? Long.MAX_VALUE : first.offset());
            });
    return firsts;
  }

  /**
   * Reads stretches, one partition after the other. What the topic does not hold is passed over.
   *
   * @return whether all of it was read before time was over
   */
  boolean read(
      String topic,
      Map<Integer, Stretch> stretches,
      Consumer<ConsumerRecord<byte[], byte[]>> each) {
    Map<Integer, Stretch> there = whole(topic);
    long all = 0;
    Map<TopicPartition, Stretch> left = new HashMap<>();
    for (Map.Entry<Integer, Stretch> wanted : stretches.entrySet()) {
      Stretch has = there.get(wanted.getKey());
      if (has == null) {
        continue;
      }
      Stretch stretch =
          new Stretch(
              Math.max(has.from(), wanted.getValue().from()),
              Math.min(has.to(), wanted.getValue().to()));
      if (stretch.from() < stretch.to()) {
        left.put(new TopicPartition(topic, wanted.getKey()), stretch);
        all += stretch.to() - stretch.from();
      }
    }
    long done = 0;
    for (Map.Entry<TopicPartition, Stretch> next : left.entrySet()) {
      if (!read(next.getKey(), next.getValue(), done, all, each)) {
        return false;
      }
      done += next.getValue().to() - next.getValue().from();
    }
    return true;
  }

  private boolean read(
      TopicPartition partition,
      Stretch stretch,
      long done,
      long all,
      Consumer<ConsumerRecord<byte[], byte[]>> each) {
    consumer.assign(List.of(partition));
    consumer.seek(partition, stretch.from());
    // By position and not by records: markers of transactions and compacted gaps hold none.
    while (consumer.position(partition) < stretch.to()) {
      if (System.nanoTime() - giveUpNanos >= 0) {
        return false;
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(WAIT)) {
        if (record.offset() < stretch.to()) {
          each.accept(record);
        }
      }
      // The last fetch may reach beyond the stretch.
      long offsets = done + Math.min(consumer.position(partition), stretch.to()) - stretch.from();
      progress.at(partition.topic(), offsets, all, offsets);
    }
    return true;
  }

  private List<TopicPartition> partitions(String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(each -> new TopicPartition(topic, each.partition()))
        .toList();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
