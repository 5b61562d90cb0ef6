package io.tollgate.reconcile.read;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.Evidence;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.SideRecord;
import io.tollgate.wire.TopicScan;
import io.tollgate.wire.UnreadableException;
import java.util.Map;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes evidence of records that lie on a side topic. */
public final class SideRecordDeserializer implements KafkaRecordDeserializationSchema<BatchFact> {
  private static final Logger LOG = LoggerFactory.getLogger(SideRecordDeserializer.class);

  private transient CdrCodec codec;

  @Override
  public void open(DeserializationSchema.InitializationContext context) {
    codec = new CdrCodec();
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<BatchFact> out) {
    if (record.headers().toArray().length == 0) {
      return; // removed, after it was sent again
    }
    SideRecord side;
    try {
      side = SideRecord.of(TopicScan.headers(record.headers()), record.value());
    } catch (UnreadableException e) {
      LOG.warn(
          "{}, partition {} offset {} was not written by the rating job and is passed over: {}."
              + " Find out who writes to this topic.",
          record.topic(),
          record.partition(),
          record.offset(),
          e.detail());
      return;
    }
    out.collect(
        new BatchFact(
            side.origin().source(),
            side.origin().batch(),
            BatchFact.Kind.EVIDENCE,
            new Evidence(side.origin().partition(), side.origin().offset(), true, usage(side))
                .encode()));
  }

  private Map<UsageType, Long> usage(SideRecord side) {
    byte[] value = side.value();
    if (value == null || side.reason() == Reason.BAD_LINE) {
      return Map.of(); // its source could not make a CDR of it, and counted no usage
    }
    try {
      Cdr cdr = codec.decode(value);
      return Map.of(cdr.usageType(), cdr.usage());
    } catch (UnreadableException e) {
      return Map.of(); // its source counted no usage for it either
    }
  }

  @Override
  public TypeInformation<BatchFact> getProducedType() {
    return TypeInformation.of(BatchFact.class);
  }
}
