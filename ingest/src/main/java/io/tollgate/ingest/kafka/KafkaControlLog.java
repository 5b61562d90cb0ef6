package io.tollgate.ingest.kafka;

import io.tollgate.ingest.batch.KnownBatches;
import io.tollgate.ingest.batch.OutboxException;
import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.UnreadableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads {@code cdr.control} from its beginning to the end it has now. */
public final class KafkaControlLog {
  private static final Duration POLL = Duration.ofMillis(500);

  private final KafkaAddress address;
  private final Duration patience;

  /**
   * Creates the reader.
   *
   * @param patience how long to wait for the next messages
   */
  public KafkaControlLog(KafkaAddress address, Duration patience) {
    this.address = address;
    this.patience = patience;
  }

  /**
   * Returns what {@code source} announced and closed so far. Messages that cannot be read are
   * passed over: they are another's to report, and cannot make two batches of one.
   *
   * @throws OutboxException if Kafka does not answer
   */
  public KnownBatches read(String source) {
    KnownBatches known = new KnownBatches();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(address.controlTopic(), patience).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, patience);
      long waitedMillis = 0;
      while (!isAtEnd(consumer, ends)) {
        boolean moved = false;
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          add(message, source, known);
          moved = true;
        }
        waitedMillis = moved ? 0 : waitedMillis + POLL.toMillis();
        if (waitedMillis > patience.toMillis()) {
          throw new OutboxException(
              "kafka: "
                  + address.controlTopic()
                  + " at "
                  + address.bootstrap()
                  + " stopped answering for "
                  + patience.toSeconds()
                  + " s (expected: to be read to its end)");
        }
      }
    } catch (KafkaException e) {
      throw new OutboxException(
          "kafka: cannot read "
              + address.controlTopic()
              + " at "
              + address.bootstrap()
              + ": "
              + e.getMessage(),
          e);
    }
    return known;
  }

  private boolean isAtEnd(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey(), patience) >= end.getValue());
  }

  private static void add(
      ConsumerRecord<byte[], byte[]> message, String source, KnownBatches known) {
    try {
      ControlMessage control = ControlMessage.decode(message.value());
      if (control.source().equals(source)) {
        known.add(control);
      }
    } catch (UnreadableException e) {
      // See read: not ours to report.
      return;
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    Map<String, Object> settings = new HashMap<>(address.properties());
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address.bootstrap());
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
