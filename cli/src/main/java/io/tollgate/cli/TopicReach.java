package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.source.SavepointContents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * What the topic of CDRs still has of what comes after a savepoint.
 *
 * @param partitions by number
 */
record TopicReach(Map<Integer, Partition> partitions) {

  /**
   * A partition.
   *
   * @param position offset of the record that is read next after a restore; its beginning if the
   *     savepoint does not know it
   * @param begin offset of the oldest record that is left
   * @param end offset of the next record to come
   * @param committed offset of the record that the job reads next now; the position if it has
   *     committed none
   */
  record Partition(long position, long begin, long end, long committed) {
    /** Returns how many records are read again. */
    long again() {
      return Math.max(0, committed - position);
    }

    /** Returns how many records are gone that would have to be read. */
    long gone() {
      return Math.max(0, begin - position);
    }
  }

  /** Asks Kafka. */
  static TopicReach of(TollgateConfig config, SavepointContents savepoint)
      throws InterruptedException {
    String topic = config.kafka().topics().cdr();
    Map<Integer, Long> positions = savepoint.positions().getOrDefault(topic, Map.of());
    try (Admin admin = Admin.create(config.kafka().clientProperties())) {
      Map<TopicPartition, OffsetSpec> first = new HashMap<>();
      Map<TopicPartition, OffsetSpec> last = new HashMap<>();
      admin
          .describeTopics(List.of(topic))
          .allTopicNames()
          .get()
          .forEach(
              (name, description) ->
                  description
                      .partitions()
                      .forEach(
                          each -> {
                            TopicPartition partition = new TopicPartition(name, each.partition());
                            first.put(partition, OffsetSpec.earliest());
                            last.put(partition, OffsetSpec.latest());
                          }));
      Map<TopicPartition, Long> committed = committed(admin, config);
      Map<TopicPartition, Long> begins = offsets(admin, first);
      Map<TopicPartition, Long> ends = offsets(admin, last);
      Map<Integer, Partition> partitions = new TreeMap<>();
      begins.forEach(
          (partition, begin) -> {
            long position = positions.getOrDefault(partition.partition(), begin);
            partitions.put(
                partition.partition(),
                new Partition(
                    position,
                    begin,
                    ends.getOrDefault(partition, begin),
                    committed.getOrDefault(partition, position)));
          });
      return new TopicReach(partitions);
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka: " + e.getCause(), e);
    }
  }

  /** Returns the offsets that the rating job's group has committed. */
  static Map<TopicPartition, Long> committed(Admin admin, TollgateConfig config)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> committed = new HashMap<>();
    admin
        .listConsumerGroupOffsets(config.rating().group())
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach((partition, known) -> committed.put(partition, known.offset()));
    return committed;
  }

  private static Map<TopicPartition, Long> offsets(
      Admin admin, Map<TopicPartition, OffsetSpec> which)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    admin
        .listOffsets(which)
        .all()
        .get()
        .forEach((partition, found) -> offsets.put(partition, found.offset()));
    return offsets;
  }

  /** Returns how many records are read again. */
  long again() {
    return partitions.values().stream().mapToLong(Partition::again).sum();
  }

  /** Returns in words where the topic no longer reaches back; empty if it does everywhere. */
  List<String> gone() {
    List<String> gone = new ArrayList<>();
    partitions.forEach(
        (number, partition) -> {
          if (partition.gone() > 0) {
            gone.add(
                "partition "
                    + number
                    + ": begins at offset "
                    + partition.begin()
                    + ", and would be read from "
                    + partition.position()
                    + " (expected: the "
                    + partition.gone()
                    + " records between)");
          }
        });
    return gone;
  }
}
