package io.tollgate.source;

import java.io.IOException;
import java.util.Properties;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * KafkaSource with committed offsets that are as new as the last checkpoint. KafkaSource hands them
 * to the thread that fetches, which sends them between two fetches: ten seconds later if nothing
 * arrives, and not at all while its reader is not polled because the gate is closed. Verdicts wait
 * for these offsets, and on-call reads them while charging is halted, so they are sent here by a
 * client of their own.
 */
public final class CommittingSource<T>
    implements Source<T, KafkaPartitionSplit, KafkaSourceEnumState>, ResultTypeQueryable<T> {
  private final KafkaSource<T> kafka;
  private final Properties client;
  private final String group;

  /**
   * Creates the source.
   *
   * @param builder makes the source proper; its group and its commits are set here
   * @param client properties of a Kafka client
   * @param group the consumer group
   */
  public CommittingSource(KafkaSourceBuilder<T> builder, Properties client, String group) {
    this.kafka =
        builder
            .setGroupId(group)
            .setProperty(KafkaSourceOptions.COMMIT_OFFSETS_ON_CHECKPOINT.key(), "false")
            .build();
    this.client = client;
    this.group = group;
  }

  @Override
  public Boundedness getBoundedness() {
    return kafka.getBoundedness();
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return kafka.createEnumerator(context);
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state)
      throws IOException {
    return kafka.restoreEnumerator(context, state);
  }

  @Override
  public SourceReader<T, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    return new CommittingReader<>(
        kafka.createReader(context), new GroupOffsets(client, group), context.metricGroup());
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return kafka.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
    return kafka.getEnumeratorCheckpointSerializer();
  }

  @Override
  public TypeInformation<T> getProducedType() {
    return kafka.getProducedType();
  }
}
