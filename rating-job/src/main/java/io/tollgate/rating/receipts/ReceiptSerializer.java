package io.tollgate.rating.receipts;

import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Puts receipts on their topic, keyed by source and batch. */
public final class ReceiptSerializer implements KafkaRecordSerializationSchema<ReceiptPart> {
  private final String topic;

  /** Creates the serializer for a topic. */
  public ReceiptSerializer(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      ReceiptPart part, KafkaSinkContext context, Long timestamp) {
    return new ProducerRecord<>(
        topic, part.batchKey().getBytes(StandardCharsets.UTF_8), part.receipt());
  }
}
