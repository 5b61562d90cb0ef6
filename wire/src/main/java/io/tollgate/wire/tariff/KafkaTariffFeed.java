package io.tollgate.wire.tariff;

import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.TariffHistory;
import io.tollgate.wire.UnreadableException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads books and corrections from the topic {@code tariffs}. A newer book holds all that an older
 * one holds, so the newest one is enough, and those that a correction needs. A message that is
 * neither is reported and passed over: the job keeps the last good history.
 */
public final class KafkaTariffFeed implements TariffFeed {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaTariffFeed.class);
  private static final Duration WAIT = Duration.ofMillis(200);
  private static final long PAUSE_MILLIS = 1_000;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final TopicPartition partition;
  private final HistoryReader reader = new HistoryReader();

  private KafkaTariffFeed(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
    this.consumer = consumer;
    this.partition = partition;
  }

  /** Opens feeds of one topic. */
  public static final class FromTopic implements Factory {
    private final Properties client;
    private final String topic;

    /**
     * Creates the factory.
     *
     * @param client properties of a Kafka client
     * @param topic the topic; it has one partition
     */
    public FromTopic(Properties client, String topic) {
      this.client = client;
      this.topic = topic;
    }

    @Override
    public TariffFeed open() throws InterruptedException {
      Properties properties = new Properties();
      properties.putAll(client);
      // A book counts when its transaction is committed.
      properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
      properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
      properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
      TopicPartition partition = new TopicPartition(topic, 0);
      KafkaTariffFeed feed =
          new KafkaTariffFeed(
              new KafkaConsumer<>(
                  properties, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
              partition);
      try {
        feed.readToEnd();
        return feed;
      } catch (InterruptedException | RuntimeException e) {
        feed.close();
        throw e;
      }
    }
  }

  @Override
  public Rater rater() {
    return reader.history();
  }

  @Override
  public long version() {
    return reader.history().version();
  }

  @Override
  public long correction() {
    return reader.history().lastCorrection();
  }

  @Override
  public void poll() {
    try {
      takeNewest(consumer.poll(Duration.ZERO));
    } catch (RetriableException e) {
      // The next poll tries again; what was read before goes on pricing.
      LOG.debug("the tariff topic did not answer", e);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }

  private void readToEnd() throws InterruptedException {
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long end = end();
    boolean said = false;
    while (true) {
      try {
        if (consumer.position(partition) >= end) {
          return;
        }
        takeNewest(consumer.poll(WAIT));
      } catch (InterruptException e) {
        throw interrupted(e);
      } catch (RetriableException e) {
        said = waitForKafka(e, said);
      }
    }
  }

  private long end() throws InterruptedException {
    boolean said = false;
    while (true) {
      try {
        return consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      } catch (InterruptException e) {
        throw interrupted(e);
      } catch (RetriableException e) {
        said = waitForKafka(e, said);
      }
    }
  }

  private static boolean waitForKafka(RetriableException cause, boolean said)
      throws InterruptedException {
    if (!said) {
      LOG.warn(
          "The tariff history cannot be read; no CDR is rated before it is. Check that Kafka is"
              + " reachable from the TaskManagers.",
          cause);
    }
    Thread.sleep(PAUSE_MILLIS);
    return true;
  }

  /** Kafka's exception has set the thread's flag again; Flink expects the checked one instead. */
  private static InterruptedException interrupted(KafkaException cause) {
    Thread.interrupted();
    InterruptedException interrupted = new InterruptedException("reading the tariff history");
    interrupted.initCause(cause);
    return interrupted;
  }

  private void takeNewest(ConsumerRecords<byte[], byte[]> records) {
    for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
      byte[] value = record.value();
      if (value == null) {
        continue; // a tombstone: compaction took an old book away
      }
      try {
        TariffHistory before = reader.history();
        TariffHistory after = reader.take(value);
        if (after.version() > before.version()) {
          LOG.info(
              "Tariff book {} ({}) is in use",
              after.version(),
              after.newest().map(TariffBook::digest).orElse(""));
        }
        if (after.lastCorrection() > before.lastCorrection()) {
          LOG.info(
              "Correction {} is in use: {}",
              after.lastCorrection(),
              after.corrections().get((int) after.lastCorrection() - 1));
        }
      } catch (UnreadableException e) {
        LOG.error(
            "Message {} of topic {} is no tariff book and no correction that follows, and was"
                + " passed over; the job goes on with version {} and correction {}. Publish it"
                + " again with ./tollgate tariff publish. Found: {}",
            record.offset(),
            record.topic(),
            version(),
            correction(),
            CdrRules.shown(e.detail(), 500));
      }
    }
  }
}
