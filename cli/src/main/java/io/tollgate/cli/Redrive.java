package io.tollgate.cli;

import io.tollgate.cli.SideTopic.Waiting;
import io.tollgate.config.TollgateConfig;
import io.tollgate.wire.Headers;
import io.tollgate.wire.SideRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends records of a side topic to the rating job again. A record leaves the side topic only after
 * Kafka has acknowledged it on the topic {@code cdr}; a crash in between sends it once more, which
 * changes nothing.
 */
final class Redrive {
  private final TollgateConfig config;
  private final String sideTopic;

  Redrive(TollgateConfig config, String sideTopic) {
    this.config = config;
    this.sideTopic = sideTopic;
  }

  /**
   * What was done.
   *
   * @param sent how many records were sent
   * @param left why each of the others was not, with its place
   */
  record Report(int sent, List<String> left) {}

  Report send(List<Waiting> records) throws InterruptedException {
    Properties properties = config.kafka().clientProperties();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    properties.put(ProducerConfig.LINGER_MS_CONFIG, "5");
    List<String> left = new ArrayList<>();
    int sent = 0;
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> acknowledgements = new ArrayList<>();
      for (Waiting record : records) {
        acknowledgements.add(producer.send(again(record)));
      }
      for (int i = 0; i < records.size(); i++) {
        Waiting record = records.get(i);
        try {
          acknowledgements.get(i).get();
          producer.send(new ProducerRecord<>(sideTopic, utf8(record.key()), null)).get();
          sent++;
        } catch (ExecutionException e) {
          left.add(record.key() + ": " + e.getMessage());
        }
      }
    }
    return new Report(sent, left);
  }

  private ProducerRecord<byte[], byte[]> again(Waiting waiting) {
    SideRecord record = waiting.record();
    ProducerRecord<byte[], byte[]> out =
        new ProducerRecord<>(config.kafka().topics().cdr(), record.key(), record.value());
    for (Map.Entry<String, String> header : record.extra().entrySet()) {
      out.headers().add(header.getKey(), utf8(header.getValue()));
    }
    if (record.origin().batchSeq() >= 0) {
      out.headers().add(Headers.SOURCE, utf8(record.origin().source()));
      out.headers().add(Headers.BATCH, utf8(record.origin().batch()));
      out.headers().add(Headers.BATCH_SEQ, utf8(Long.toString(record.origin().batchSeq())));
    }
    out.headers().add(Headers.REDRIVEN_FROM, utf8(waiting.key()));
    return out;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
