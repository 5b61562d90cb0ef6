package io.tollgate.wire.tariff;

import io.tollgate.domain.tariff.Correction;
import io.tollgate.domain.tariff.Publication;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.TariffHistory;
import io.tollgate.wire.TopicScan;
import io.tollgate.wire.UnreadableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The history of published books and of corrections: one compacted partition, a message for each
 * book and each correction, keyed by its number.
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
   * @param book the book that it brought; absent for a void and the like
   * @param correction the correction that it is, if it is one
   */
  public record Entry(
      long publishedMillis,
      int bytes,
      Optional<TariffBook> book,
      Optional<Correction> correction) {}

  /**
   * What the topic holds.
   *
   * @param history what its messages say together
   * @param entries those messages, in order
   * @param faults messages that were refused, each with its offset
   */
  public record Contents(TariffHistory history, List<Entry> entries, List<String> faults) {}

  /** Another publisher took over: nothing was published. */
  public static final class OvertakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OvertakenException(Throwable cause) {
      super("Another publication began meanwhile; nothing was published. Try again.", cause);
    }
  }

  /** Reads the whole history. */
  public Contents read() {
    HistoryReader reader = new HistoryReader();
    List<Entry> entries = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    TopicScan.read(client, topic, record -> add(record, reader, entries, faults));
    return new Contents(reader.history(), List.copyOf(entries), List.copyOf(faults));
  }

  private static void add(
      ConsumerRecord<byte[], byte[]> record,
      HistoryReader reader,
      List<Entry> entries,
      List<String> faults) {
    byte[] value = record.value();
    if (value == null) {
      return;
    }
    TariffHistory before = reader.history();
    try {
      TariffHistory after = reader.take(value);
      if (after == before) {
        return;
      }
      entries.add(
          new Entry(
              record.timestamp(),
              value.length,
              after.version() == before.version() ? Optional.empty() : after.newest(),
              after.lastCorrection() == before.lastCorrection()
                  ? Optional.empty()
                  : Optional.of(after.corrections().get((int) before.lastCorrection()))));
    } catch (UnreadableException e) {
      faults.add("offset " + record.offset() + ": " + e.detail());
    }
  }

  /**
   * Publishes the next book, or the correction that a publication is.
   *
   * @param next makes the publication after the history so far
   * @param isAllowed decides whether to publish it
   * @return the publication; it was published if it is new and was allowed
   * @throws OvertakenException if another publisher came between
   */
  public Publication publish(
      Function<TariffHistory, Publication> next, Predicate<Publication> isAllowed)
      throws InterruptedException {
    return appendAtEnd(
        history -> {
          Publication publication = next.apply(history);
          Message message = null;
          if (publication.isNew() && isAllowed.test(publication)) {
            message =
                publication
                    .correction()
                    .map(TariffTopic::message)
                    .orElseGet(() -> message(publication.book()));
          }
          return new Step<>(publication, message);
        });
  }

  /**
   * Appends an entry about one charge to the correction history. What was appended is never taken
   * back, so the caller should append once.
   *
   * @param next makes the entry of the number that it gets; for example {@code number -> new
   *     VoidCharge(number, reason, key)}
   * @return the entry
   * @throws OvertakenException if another publisher came between; nothing was appended
   * @throws IllegalStateException if nothing was published yet
   */
  public Correction append(LongFunction<Correction> next) throws InterruptedException {
    return appendAtEnd(
        history -> {
          if (history.newest().isEmpty()) {
            throw new IllegalStateException(
                "no tariff book has been published (expected: one, before a correction)");
          }
          Correction correction = next.apply(history.lastCorrection() + 1);
          history.with(correction); // throws if readers would refuse it
          return new Step<>(correction, message(correction));
        });
  }

  /** What to return, and the message to send before, if any. */
  private record Step<T>(T result, @Nullable Message message) {}

  @SuppressWarnings("ArrayRecordComponent") // sent once and never compared
  private record Message(String key, byte[] value) {}

  private static Message message(TariffBook book) {
    return new Message(Long.toString(book.version()), TariffBookCodec.encode(book));
  }

  private static Message message(Correction correction) {
    return new Message("correction-" + correction.number(), CorrectionCodec.encode(correction));
  }

  private <T> T appendAtEnd(Function<TariffHistory, Step<T>> next) throws InterruptedException {
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      // Shuts out whoever had the id: what is read from here on is the end of the history until
      // this producer commits, or its commit fails.
      producer.initTransactions();
      Step<T> step = next.apply(read().history());
      Message message = step.message();
      if (message != null) {
        byte[] key = message.key().getBytes(StandardCharsets.US_ASCII);
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic, 0, key, message.value())).get();
        producer.commitTransaction();
      }
      return step.result();
    } catch (ProducerFencedException | InvalidProducerEpochException e) {
      throw new OvertakenException(e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException) {
        throw new OvertakenException(cause);
      }
      throw new IllegalStateException("topic " + topic + ": " + cause, e);
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
