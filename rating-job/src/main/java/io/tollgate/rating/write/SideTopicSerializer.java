package io.tollgate.rating.write;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.rating.Result;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.SideRecord;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Puts records that were not rated on a side topic, keyed by where they stood, so that a repeat
 * after a restart is recognized. Refused records keep their bytes; a suspended CDR is written in
 * the newest encoding, from which a redrive sends it again.
 */
public final class SideTopicSerializer implements KafkaRecordSerializationSchema<Result> {
  private final String topic;
  private final String originTopic;
  private transient @Nullable CdrCodec codec;

  /**
   * Creates the serializer.
   *
   * @param topic the side topic
   * @param originTopic the topic that the records stood on
   */
  public SideTopicSerializer(String topic, String originTopic) {
    this.topic = topic;
    this.originTopic = originTopic;
  }

  @Override
  public void open(
      SerializationSchema.InitializationContext context, KafkaSinkContext sinkContext) {
    codec = new CdrCodec();
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      Result result, KafkaSinkContext context, Long timestamp) {
    SideRecord record = sideRecord(result);
    ProducerRecord<byte[], byte[]> out =
        new ProducerRecord<>(topic, record.kafkaKey(), record.value());
    record.headers().forEach((name, value) -> out.headers().add(name, value));
    return out;
  }

  private SideRecord sideRecord(Result result) {
    Reason reason = result.reason();
    if (reason == null) {
      throw new IllegalStateException("a rated record has no place on a side topic");
    }
    Cdr cdr = result.cdr();
    byte[] key = result.key();
    byte[] value = result.value();
    if (value == null && cdr != null) {
      CdrCodec opened = codec;
      if (opened == null) {
        throw new IllegalStateException("serialize before open");
      }
      value = opened.encode(cdr);
      key = cdr.accountId().getBytes(StandardCharsets.UTF_8);
    }
    return new SideRecord(
        reason, result.detail(), originTopic, result.origin(), key, value, result.extra());
  }
}
