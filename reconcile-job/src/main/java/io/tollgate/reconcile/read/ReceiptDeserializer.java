package io.tollgate.reconcile.read;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Hands out receipts as they lie in the topic. */
public final class ReceiptDeserializer implements KafkaRecordDeserializationSchema<byte[]> {
  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<byte[]> out) {
    byte[] value = record.value();
    if (value != null) {
      out.collect(value);
    }
  }

  @Override
  public TypeInformation<byte[]> getProducedType() {
    return TypeInformation.of(byte[].class);
  }
}
