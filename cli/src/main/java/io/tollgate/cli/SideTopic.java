package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.SideRecord;
import io.tollgate.wire.TopicScan;
import io.tollgate.wire.UnreadableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** The records on {@code cdr.rejected} or {@code cdr.suspended} that wait to be dealt with. */
final class SideTopic {
  private final TollgateConfig.Kafka kafka;
  private final String topic;

  private SideTopic(TollgateConfig.Kafka kafka, String topic) {
    this.kafka = kafka;
    this.topic = topic;
  }

  static SideTopic rejected(TollgateConfig config) {
    return new SideTopic(config.kafka(), config.kafka().topics().rejected());
  }

  static SideTopic suspended(TollgateConfig config) {
    return new SideTopic(config.kafka(), config.kafka().topics().suspended());
  }

  String topic() {
    return topic;
  }

  /**
   * A record that waits.
   *
   * @param key its key on the side topic
   * @param record what lies there
   * @param cdr the CDR in it; null if it cannot be read
   */
  record Waiting(String key, SideRecord record, @Nullable Cdr cdr) {
    Reason reason() {
      return record.reason();
    }
  }

  /**
   * Reads the topic. Repeats of one record are one; a record that was sent again is gone.
   *
   * @throws IllegalStateException if Kafka does not answer
   */
  List<Waiting> read() {
    Map<String, ConsumerRecord<byte[], byte[]>> newest = new LinkedHashMap<>();
    Properties client = kafka.clientProperties();
    try {
      TopicScan.read(
          client,
          topic,
          record -> {
            String key = new String(record.key(), StandardCharsets.UTF_8);
            if (record.headers().toArray().length == 0 && record.value() == null) {
              newest.remove(key);
            } else {
              newest.putIfAbsent(key, record);
            }
          });
    } catch (KafkaException e) {
      throw new IllegalStateException(
          "Kafka topic "
              + topic
              + ": cannot be read at "
              + kafka.bootstrapServers()
              + " (kafka.bootstrap in tollgate.yaml; start the local stack with: ./tollgate up): "
              + e.getMessage(),
          e);
    }
    List<Waiting> waiting = new ArrayList<>();
    CdrCodec codec = new CdrCodec();
    newest.forEach((key, record) -> waiting.add(waiting(key, record, codec)));
    return waiting;
  }

  private Waiting waiting(String key, ConsumerRecord<byte[], byte[]> record, CdrCodec codec) {
    try {
      SideRecord read = SideRecord.of(TopicScan.headers(record.headers()), record.value());
      return new Waiting(key, read, cdr(read, codec));
    } catch (UnreadableException e) {
      throw new IllegalStateException(
          "Kafka topic "
              + topic
              + ", partition "
              + record.partition()
              + ", offset "
              + record.offset()
              + ": "
              + e.detail()
              + " (expected: a record that the rating job put there)",
          e);
    }
  }

  private static @Nullable Cdr cdr(SideRecord record, CdrCodec codec) {
    byte[] value = record.value();
    if (value == null) {
      return null;
    }
    try {
      return codec.decode(value);
    } catch (UnreadableException e) {
      return null; // that is why it was rejected
    }
  }
}
