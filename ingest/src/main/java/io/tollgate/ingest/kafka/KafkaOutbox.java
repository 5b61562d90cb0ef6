package io.tollgate.ingest.kafka;

import io.tollgate.ingest.batch.Outbox;
import io.tollgate.ingest.batch.OutboxException;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches to Kafka: all replicas acknowledge, the producer is idempotent, and there are no
 * transactions, because a batch that is sent twice is harmless and one that hangs is not. An outage
 * is waited out for the timeout, with a word about it every ten seconds.
 */
public final class KafkaOutbox implements Outbox {
  private static final int PRODUCER_BATCH_BYTES = 256 * 1024;
  private static final int LINGER_MILLIS = 10;
  private static final int MAX_REQUEST_MILLIS = 15_000;
  private static final int KEY_CACHE_SIZE = 4096;

  private final KafkaAddress address;
  private final Duration timeout;
  private final Producer<byte[], byte[]> producer;
  private final CdrCodec codec = new CdrCodec();
  private final OutageWatch watch;
  private final Map<String, byte[]> keys = new HashMap<>();
  private final Acknowledgements acknowledgements = new Acknowledgements();
  private byte[] source = new byte[0];
  private byte[] batch = new byte[0];

  /**
   * Connects to Kafka.
   *
   * @param timeout how long an outage is waited out before giving up, at least a second
   * @param messages takes a line for people when Kafka does not answer and when it does again
   */
  public KafkaOutbox(KafkaAddress address, Duration timeout, Consumer<String> messages) {
    this.address = address;
    this.timeout = timeout;
    this.producer =
        new KafkaProducer<>(
            settings(address, timeout), new ByteArraySerializer(), new ByteArraySerializer());
    this.watch = new OutageWatch(address.bootstrap(), timeout, messages);
  }

  private static Map<String, Object> settings(KafkaAddress address, Duration timeout) {
    int timeoutMillis = Math.toIntExact(timeout.toMillis());
    int requestMillis = Math.min(MAX_REQUEST_MILLIS, timeoutMillis / 2);
    Map<String, Object> settings = new HashMap<>(address.properties());
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, address.bootstrap());
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, PRODUCER_BATCH_BYTES);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, requestMillis);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMillis);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeoutMillis);
    return settings;
  }

  @Override
  public void announce(BatchAnnounced announced) {
    source = utf8(announced.source());
    batch = utf8(announced.batch());
    acknowledgements.begin();
    sendControl(announced);
  }

  @Override
  public void send(OutgoingRecord outgoing) {
    throwIfFailed();
    RecordHeaders headers = new RecordHeaders();
    headers.add(Headers.SOURCE, source);
    headers.add(Headers.BATCH, batch);
    headers.add(Headers.BATCH_SEQ, utf8(Long.toString(outgoing.batchSeq())));
    if (!outgoing.place().isEmpty()) {
      headers.add(Headers.PLACE, utf8(outgoing.place()));
    }
    byte[] value;
    byte[] key;
    if (outgoing.body() instanceof OutgoingRecord.Good good) {
      key = key(good.cdr().accountId());
      value = codec.encode(good.cdr());
      if (good.indistinguishable()) {
        headers.add(Headers.INDISTINGUISHABLE, utf8("1"));
      }
    } else if (outgoing.body() instanceof OutgoingRecord.Bad bad) {
      key = null;
      value = bad.bytes();
      headers.add(Headers.BAD_LINE, utf8(bad.reason()));
      headers.add(Headers.FORMAT, utf8(bad.format()));
      if (!bad.columns().isEmpty()) {
        headers.add(Headers.COLUMNS, utf8(bad.columns()));
      }
    } else {
      OutgoingRecord.Raw raw = (OutgoingRecord.Raw) outgoing.body();
      key = raw.key() == null ? null : utf8(raw.key());
      value = raw.bytes();
    }
    try {
      watch.sent();
      // The callback sees every failure, in order and without a future for each record.
      var unused =
          producer.send(
              new ProducerRecord<>(address.cdrTopic(), null, key, value, headers),
              this::acknowledged);
    } catch (KafkaException e) {
      throw gaveUp(e);
    }
  }

  @Override
  public Map<Integer, Long> awaitAcknowledged() {
    producer.flush();
    throwIfFailed();
    return acknowledgements.lastOffsets();
  }

  @Override
  public void close(ControlTotal total) {
    sendControl(total);
  }

  /** Ends without waiting for what is still under way: what is not acknowledged is not closed. */
  @Override
  public void close() {
    watch.close();
    producer.close(Duration.ZERO);
  }

  private void sendControl(ControlMessage message) {
    try {
      watch.sent();
      producer
          .send(
              new ProducerRecord<>(
                  address.controlTopic(), utf8(message.source()), ControlMessage.encode(message)))
          .get();
      watch.acknowledged();
    } catch (ExecutionException e) {
      throw gaveUp(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OutboxException("kafka: interrupted while waiting for " + address.bootstrap(), e);
    } catch (KafkaException e) {
      throw gaveUp(e);
    }
  }

  /** Runs on the producer's own thread. */
  private void acknowledged(@Nullable RecordMetadata metadata, @Nullable Exception failure) {
    watch.acknowledged();
    if (failure != null || metadata == null) {
      acknowledgements.failed(failure == null ? new IllegalStateException("no offset") : failure);
    } else {
      acknowledgements.acknowledged(metadata.partition(), metadata.offset());
    }
  }

  private void throwIfFailed() {
    Exception failure = acknowledgements.failure();
    if (failure != null) {
      throw gaveUp(failure);
    }
  }

  private OutboxException gaveUp(Throwable cause) {
    return new OutboxException(
        "kafka: gave up on "
            + address.bootstrap()
            + " after "
            + timeout.toSeconds()
            + " s at most: "
            + cause.getMessage()
            + " (what was acknowledged is safe; the same command goes on where this one ended)",
        cause);
  }

  private byte[] key(String accountId) {
    byte[] known = keys.get(accountId);
    if (known != null) {
      return known;
    }
    if (keys.size() >= KEY_CACHE_SIZE) {
      keys.clear();
    }
    byte[] key = utf8(accountId);
    keys.put(accountId, key);
    return key;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What came back for the records of the batch. Filled by the producer's thread. */
  private static final class Acknowledgements {
    private final Map<Integer, Long> lastOffsets = new HashMap<>();
    private @Nullable Exception failure;

    synchronized void begin() {
      lastOffsets.clear();
    }

    synchronized void acknowledged(int partition, long offset) {
      lastOffsets.merge(partition, offset, Math::max);
    }

    synchronized void failed(Exception cause) {
      if (failure == null) {
        failure = cause;
      }
    }

    synchronized @Nullable Exception failure() {
      return failure;
    }

    synchronized Map<Integer, Long> lastOffsets() {
      return new HashMap<>(lastOffsets);
    }
  }
}
