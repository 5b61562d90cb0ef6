package io.tollgate.reconcile.progress;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a proof every few seconds, by questions to Kafka that wait for no thread: first the rating
 * group's committed offsets, then the ends of the topics that this job reads, then again and again
 * this job's own committed offsets until they have reached those ends.
 *
 * <p>This job's offsets prove that the comparing operators have taken in what lies before them,
 * because they too are committed only after a checkpoint that has passed through all operators. The
 * group is new for each submission, so that a restore of an older state cannot find offsets that
 * claim too much.
 */
public final class KafkaProgressWatch implements ProgressWatch {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaProgressWatch.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int FAILURES_BEFORE_WARNING = 15;

  private final Admin admin;
  private final Names names;
  private volatile Proof latest = Proof.none();
  private volatile boolean closed;
  private final AtomicInteger failures = new AtomicInteger();

  /** The question under way, or the pause before it. */
  private volatile CompletionStage<?> next = CompletableFuture.completedFuture(null);

  /**
   * What is asked about.
   *
   * @param cdrTopic topic of CDRs
   * @param ratingGroup consumer group of the rating job
   * @param ownTopics topics that this job reads
   * @param compacted which of these are compacted: there the end may lie behind records that are
   *     gone, and no reader ever gets to it; what has to be taken in is the newest record that is
   *     left
   * @param ownGroup consumer group of this submission
   */
  public record Names(
      String cdrTopic,
      String ratingGroup,
      List<String> ownTopics,
      Set<String> compacted,
      String ownGroup)
      implements Serializable {}

  /** Opens watches of one cluster. */
  public record FromKafka(Properties client, Names names) implements Factory {
    @Override
    public ProgressWatch open() {
      return new KafkaProgressWatch(Admin.create(client), names);
    }
  }

  KafkaProgressWatch(Admin admin, Names names) {
    this.admin = admin;
    this.names = names;
    takeNext(0);
  }

  @Override
  public Proof latest() {
    return latest;
  }

  @Override
  public void close() {
    closed = true;
    next.toCompletableFuture().cancel(false);
    admin.close(Duration.ofSeconds(1));
  }

  private void takeNext(long afterMillis) {
    if (closed) {
      return;
    }
    next =
        CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(afterMillis, TimeUnit.MILLISECONDS))
            .thenCompose(nothing -> take())
            .whenComplete(
                (proof, failure) -> {
                  if (failure == null) {
                    latest = proof;
                    failures.set(0);
                  } else if (!closed) {
                    tell(failure);
                  }
                  takeNext(PAUSE.toMillis());
                });
  }

  private void tell(Throwable failure) {
    if (failures.incrementAndGet() == FAILURES_BEFORE_WARNING) {
      LOG.warn(
          "Kafka has not told offsets {} times in a row; nothing can be judged until it does, and"
              + " charging pauses when cycles are missed. Check that Kafka is reachable.",
          FAILURES_BEFORE_WARNING,
          failure);
    } else {
      LOG.debug("Kafka did not tell offsets; they are asked for again", failure);
    }
  }

  private CompletionStage<Proof> take() {
    Reading reading = new Reading(System.nanoTime());
    return committed(names.ratingGroup())
        .thenCompose(reading::rated)
        .thenCompose(reading::partitions)
        .thenCompose(reading::ends)
        .thenCompose(beginnings -> whenTakenIn(reading.own(beginnings)))
        .thenApply(nothing -> reading.proof());
  }

  /** One proof in the making: the questions in the order in which they must be asked. */
  private final class Reading {
    private final long takenNanos;
    private Map<TopicPartition, Long> rated = Map.of();
    private List<TopicPartition> partitions = List.of();
    private Map<TopicPartition, Long> ends = Map.of();

    Reading(long takenNanos) {
      this.takenNanos = takenNanos;
    }

    CompletionStage<List<TopicPartition>> rated(Map<TopicPartition, Long> committed) {
      rated = committed;
      List<String> all = new ArrayList<>(names.ownTopics());
      all.add(names.cdrTopic());
      return KafkaProgressWatch.this.partitions(all);
    }

    CompletionStage<Map<TopicPartition, Long>> partitions(List<TopicPartition> found) {
      partitions = found;
      Map<TopicPartition, OffsetSpec> newest = new HashMap<>();
      for (TopicPartition partition : found) {
        newest.put(
            partition,
            names.compacted().contains(partition.topic())
                ? OffsetSpec.maxTimestamp()
                : OffsetSpec.latest());
      }
      return offsets(newest);
    }

    CompletionStage<Map<TopicPartition, Long>> ends(Map<TopicPartition, Long> newest) {
      ends = new HashMap<>(newest);
      ends.replaceAll(
          (partition, offset) ->
              names.compacted().contains(partition.topic()) ? offset + 1 : offset);
      Map<TopicPartition, OffsetSpec> first = new HashMap<>();
      partitions.forEach(partition -> first.put(partition, OffsetSpec.earliest()));
      return offsets(first);
    }

    /** Partitions with nothing in them are left out: no offset is ever committed for those. */
    Map<TopicPartition, Long> own(Map<TopicPartition, Long> beginnings) {
      Map<TopicPartition, Long> own = new HashMap<>();
      ends.forEach(
          (partition, end) -> {
            if (!partition.topic().equals(names.cdrTopic())
                && end > beginnings.getOrDefault(partition, 0L)) {
              own.put(partition, end);
            }
          });
      return own;
    }

    Proof proof() {
      return new Proof(takenNanos, ofCdrs(rated), ofCdrs(ends));
    }
  }

  /** Completes when this job has taken in everything before {@code ends}. */
  private CompletionStage<Void> whenTakenIn(Map<TopicPartition, Long> ends) {
    return committed(names.ownGroup())
        .thenCompose(
            own -> {
              boolean all =
                  ends.entrySet().stream()
                      .allMatch(end -> own.getOrDefault(end.getKey(), 0L) >= end.getValue());
              if (all || closed) {
                return CompletableFuture.completedFuture(null);
              }
              return CompletableFuture.runAsync(
                      () -> {},
                      CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS))
                  .thenCompose(nothing -> whenTakenIn(ends));
            });
  }

  private Map<Integer, Long> ofCdrs(Map<TopicPartition, Long> offsets) {
    Map<Integer, Long> ofCdrs = new HashMap<>();
    offsets.forEach(
        (partition, offset) -> {
          if (partition.topic().equals(names.cdrTopic())) {
            ofCdrs.put(partition.partition(), offset);
          }
        });
    return Map.copyOf(ofCdrs);
  }

  private CompletionStage<Map<TopicPartition, Long>> committed(String group) {
    return admin
        .listConsumerGroupOffsets(Map.of(group, new ListConsumerGroupOffsetsSpec()))
        .partitionsToOffsetAndMetadata(group)
        .toCompletionStage()
        .thenApply(
            offsets -> {
              Map<TopicPartition, Long> committed = new HashMap<>();
              offsets.forEach(
                  (partition, offset) -> {
                    OffsetAndMetadata known = offset;
                    if (known != null) {
                      committed.put(partition, known.offset());
                    }
                  });
              return committed;
            });
  }

  private CompletionStage<List<TopicPartition>> partitions(Collection<String> topics) {
    return admin
        .describeTopics(topics)
        .allTopicNames()
        .toCompletionStage()
        .thenApply(
            descriptions -> {
              List<TopicPartition> partitions = new ArrayList<>();
              descriptions.forEach(
                  (topic, description) ->
                      description
                          .partitions()
                          .forEach(
                              each -> partitions.add(new TopicPartition(topic, each.partition()))));
              return partitions;
            });
  }

  private CompletionStage<Map<TopicPartition, Long>> offsets(
      Map<TopicPartition, OffsetSpec> which) {
    return admin
        .listOffsets(which)
        .all()
        .toCompletionStage()
        .thenApply(
            found -> {
              Map<TopicPartition, Long> offsets = new HashMap<>();
              found.forEach((partition, info) -> offsets.put(partition, info.offset()));
              return offsets;
            });
  }
}
