package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.UnreadableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The records that a replay reads again, and which of them have their charge. Each call of {@link
 * #missing} reads the keys of the partitions of the ledger that they lie in.
 */
final class ReplayScan {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration MAX_SILENCE = Duration.ofSeconds(20);
  private static final Duration LONGEST_READ = Duration.ofMinutes(2);
  private static final long TELL_EVERY = 500_000;

  private final Map<Place, Set<EventIdentity>> identities = new HashMap<>();
  private final Map<Long, Long> recordsByHour = new TreeMap<>();
  private long unreadable;

  /** A partition of the ledger. */
  private record Place(long usageHour, int bucket) {}

  private ReplayScan() {}

  /**
   * Reads the records.
   *
   * @param progress told how many were read
   */
  static ReplayScan read(TollgateConfig config, TopicReach reach, LongConsumer progress)
      throws InterruptedException {
    ReplayScan scan = new ReplayScan();
    Map<TopicPartition, Long> positions = new HashMap<>();
    Map<TopicPartition, Long> ends = new HashMap<>();
    reach
        .partitions()
        .forEach(
            (number, partition) -> {
              if (partition.again() > 0) {
                TopicPartition read = new TopicPartition(config.kafka().topics().cdr(), number);
                positions.put(read, partition.position());
                ends.put(read, partition.committed());
              }
            });
    if (ends.isEmpty()) {
      return scan;
    }
    LedgerLayout layout;
    try (LedgerSession session = LedgerSession.open(Provision.connection(config))) {
      layout = LedgerSchema.verify(session);
    }
    Properties properties = config.kafka().clientProperties();
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(ends.keySet());
      positions.forEach(consumer::seek);
      scan.read(consumer, ends, layout, progress);
    }
    return scan;
  }

  private void read(
      KafkaConsumer<byte[], byte[]> consumer,
      Map<TopicPartition, Long> ends,
      LedgerLayout layout,
      LongConsumer progress) {
    CdrCodec codec = new CdrCodec();
    long read = 0;
    long lastNanos = System.nanoTime();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      for (TopicPartition partition : records.partitions()) {
        List<ConsumerRecord<byte[], byte[]>> ofPartition = records.records(partition);
        for (ConsumerRecord<byte[], byte[]> record : ofPartition) {
          if (record.offset() < ends.getOrDefault(partition, 0L)) {
            add(record.value(), codec, layout);
            read++;
            if (read % TELL_EVERY == 0) {
              progress.accept(read);
            }
          }
        }
      }
      if (!records.isEmpty()) {
        lastNanos = System.nanoTime();
      } else if (System.nanoTime() - lastNanos > MAX_SILENCE.toNanos()) {
        throw new IllegalStateException(
            "Kafka gives no record for " + MAX_SILENCE.toSeconds() + " s");
      }
    }
    progress.accept(read);
  }

  private void add(byte[] value, CdrCodec codec, LedgerLayout layout) {
    Cdr cdr;
    try {
      cdr = codec.decode(value);
    } catch (UnreadableException e) {
      unreadable++; // it goes to the dead letters, now as before
      return;
    }
    long hour = Placement.usageHour(cdr.startMillis());
    recordsByHour.merge(hour, 1L, Long::sum);
    identities
        .computeIfAbsent(
            new Place(hour, layout.at(hour).bucket(cdr.accountId(), cdr.eventId())),
            place -> new HashSet<>())
        .add(EventIdentity.of(cdr.accountId(), cdr.eventId()));
  }

  /** Returns how many records there are of each usage hour. */
  Map<Long, Long> recordsByHour() {
    return recordsByHour;
  }

  /** Returns how many records could not be read. */
  long unreadable() {
    return unreadable;
  }

  /** Returns how many different events the records report. */
  long events() {
    return identities.values().stream().mapToLong(Set::size).sum();
  }

  /**
   * Forgets the events that have their charge, and returns how many are left.
   *
   * @param progress told each partition of the ledger that was looked at
   */
  long missing(TollgateConfig config, Consumer<String> progress) throws InterruptedException {
    try (LedgerSession session = LedgerSession.open(Provision.connection(config))) {
      LedgerReader reader =
          new LedgerReader(session, LedgerSchema.verify(session), ReadLimit.of(LONGEST_READ));
      int looked = 0;
      for (Map.Entry<Place, Set<EventIdentity>> each : identities.entrySet()) {
        Iterator<EventIdentity> charged =
            reader.identities(each.getKey().usageHour(), each.getKey().bucket());
        while (charged.hasNext() && !each.getValue().isEmpty()) {
          each.getValue().remove(charged.next());
        }
        looked++;
        if (looked % 100 == 0) {
          progress.accept(
              looked + " of " + identities.size() + " partitions of the ledger are looked at");
        }
      }
    }
    return events();
  }
}
