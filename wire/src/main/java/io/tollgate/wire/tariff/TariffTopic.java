package io.tollgate.wire.tariff;

import io.tollgate.domain.tariff.Publication;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.wire.TopicScan;
import io.tollgate.wire.UnreadableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The history of published books: one compacted partition, a message for each version, keyed by it.
 *
 * <p>Two publishers cannot interleave. Each takes the one transactional id of the topic before it
 * reads the history, which shuts out whoever had it; so what a publisher has read is still the end
 * of the history when its own book is committed, or the commit fails.
 */
public final class TariffTopic {
  private static final int MAX_MESSAGE_BYTES = 32 << 20;

  private final Properties client;
  private final String topic;

  /**
   * @param client properties of a Kafka client
   */
  public TariffTopic(Properties client, String topic) {
    this.client = client;
    this.topic = topic;
  }

  /**
   * A message of the history.
   *
   * @param publishedMillis when it was published, by the publisher's clock
   * @param bytes length of the message
   * @param book what it holds
   */
  public record Entry(long publishedMillis, int bytes, TariffBook book) {}

  /**
   * What the topic holds.
   *
   * @param entries books in order of publication
   * @param faults messages that are not books, each with its offset
   */
  public record History(List<Entry> entries, List<String> faults) {
    /** Returns the newest book. */
    public Optional<TariffBook> newest() {
      return entries.stream()
          .map(Entry::book)
          .reduce((one, other) -> other.version() >= one.version() ? other : one);
    }
  }

  /** Another publisher took over: nothing was published. */
  public static final class OvertakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OvertakenException(Throwable cause) {
      super("Another publication began meanwhile; nothing was published. Try again.", cause);
    }
  }

  /** Reads the whole history. */
  public History read() {
    List<Entry> entries = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    TopicScan.read(client, topic, record -> add(record, entries, faults));
    return new History(List.copyOf(entries), List.copyOf(faults));
  }

  private static void add(
      ConsumerRecord<byte[], byte[]> record, List<Entry> entries, List<String> faults) {
    if (record.value() == null) {
      return;
    }
    try {
      TariffBook book = TariffBookCodec.decode(record.value());
      entries.add(new Entry(record.timestamp(), record.value().length, book));
    } catch (UnreadableException e) {
      faults.add("offset " + record.offset() + ": " + e.detail());
    }
  }

  /**
   * Publishes the next book.
   *
   * @param next makes the publication after the newest book
   * @param isAllowed decides whether to publish it
   * @return the publication; it was published if it is new and was allowed
   * @throws OvertakenException if another publisher came between
   */
  public Publication publish(
      Function<Optional<TariffBook>, Publication> next, Predicate<Publication> isAllowed)
      throws InterruptedException {
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      producer.initTransactions();
      Publication publication = next.apply(read().newest());
      if (!publication.isNew() || !isAllowed.test(publication)) {
        return publication;
      }
      TariffBook book = publication.book();
      byte[] key = Long.toString(book.version()).getBytes(StandardCharsets.US_ASCII);
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic, 0, key, TariffBookCodec.encode(book))).get();
      producer.commitTransaction();
      return publication;
    } catch (ProducerFencedException e) {
      throw new OvertakenException(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ProducerFencedException) {
        throw new OvertakenException(e.getCause());
      }
      throw new IllegalStateException("topic " + topic + ": " + e.getCause(), e);
    }
  }

  private KafkaProducer<byte[], byte[]> producer() {
    Properties properties = new Properties();
    properties.putAll(client);
    properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "tollgate-publisher-" + topic);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(MAX_MESSAGE_BYTES));
    properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Integer.toString(2 * MAX_MESSAGE_BYTES));
    properties.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, "30000");
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
