package io.tollgate.reconcile.read;

import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.UnreadableException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads control messages. Garbage becomes a fact with its place; nothing is thrown for any bytes.
 */
public final class ControlDeserializer implements KafkaRecordDeserializationSchema<ControlFact> {
  private static final int MAX_ID_LENGTH = CdrRules.MAX_TEXT_LENGTH;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<ControlFact> out) {
    out.collect(fact(record));
  }

  static ControlFact fact(ConsumerRecord<byte[], byte[]> record) {
    String place =
        record.topic() + ", partition " + record.partition() + " offset " + record.offset();
    byte[] value = record.value() == null ? new byte[0] : record.value();
    try {
      ControlMessage message = ControlMessage.decode(value);
      if (isNoId(message.source()) || isNoId(message.batch())) {
        return unreadable(
            "source or batch: no id (expected: at most 256 characters, no control characters)",
            place,
            record.timestamp());
      }
      return new ControlFact(
          message.source(), message.batch(), value, "", place, record.timestamp());
    } catch (UnreadableException e) {
      return unreadable(e.detail(), place, record.timestamp());
    }
  }

  private static boolean isNoId(String text) {
    return text.length() > MAX_ID_LENGTH || text.chars().anyMatch(Character::isISOControl);
  }

  private static ControlFact unreadable(String fault, String place, long appendMillis) {
    return new ControlFact("", "", new byte[0], fault, place, appendMillis);
  }

  @Override
  public TypeInformation<ControlFact> getProducedType() {
    return TypeInformation.of(ControlFact.class);
  }
}
