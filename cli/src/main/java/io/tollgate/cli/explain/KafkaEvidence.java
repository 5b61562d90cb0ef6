package io.tollgate.cli.explain;

import io.tollgate.cli.explain.BatchClues.Look;
import io.tollgate.cli.explain.PatientScan.Stretch;
import io.tollgate.cli.explain.RecordClues.Copy;
import io.tollgate.cli.explain.RecordClues.Kept;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Headers;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.ReceiptCodec;
import io.tollgate.wire.SideRecord;
import io.tollgate.wire.TopicScan;
import io.tollgate.wire.UnreadableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka says of batches: control messages, receipts, the records themselves, and what waits on
 * the side topics. Every method throws {@link KafkaException} if Kafka does not answer.
 */
final class KafkaEvidence implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofSeconds(15);

  /** The clocks of senders and brokers differ; an announcement is sent before its records. */
  private static final Duration CLOCKS_APART = Duration.ofHours(1);

  private final TollgateConfig.Kafka kafka;
  private final String ratingGroup;
  private final PatientScan scan;
  private final CdrCodec codec = new CdrCodec();
  private @Nullable Map<Integer, Long> committed;

  /**
   * Creates the evidence; connects when it is asked first.
   *
   * @param giveUpNanos when time is over, by {@link System#nanoTime}
   */
  KafkaEvidence(TollgateConfig config, long giveUpNanos, Progress progress) {
    this.kafka = config.kafka();
    this.ratingGroup = config.rating().group();
    this.scan = new PatientScan(client(), giveUpNanos, progress);
  }

  private Properties client() {
    Properties client = kafka.clientProperties();
    client.put("default.api.timeout.ms", Long.toString(ANSWER.toMillis()));
    client.put("request.timeout.ms", Long.toString(ANSWER.toMillis() / 2));
    return client;
  }

  /**
   * Reads control messages. Those that cannot be read are passed over: reconciliation tells them.
   *
   * @param find finds or makes the draft that a message belongs to; null for none
   * @return whether all of them were read
   */
  boolean readControl(DraftOf find) {
    String topic = kafka.topics().control();
    return scan.read(
        topic,
        scan.whole(topic),
        record -> {
          ControlMessage message;
          try {
            message = ControlMessage.decode(record.value());
          } catch (UnreadableException e) {
            return; // told by reconciliation, with its place
          }
          BatchDraft draft = find.draft(new BatchKey(message.source(), message.batch()));
          if (draft == null) {
            return;
          }
          if (message instanceof BatchAnnounced announced) {
            draft.said(announced, record.partition(), record.offset(), record.timestamp());
          } else if (message instanceof ControlTotal total) {
            draft.said(total, record.partition(), record.offset(), record.timestamp());
          }
        });
  }

  /** Returns all batches of a file that were announced. */
  List<BatchAnnounced> announcements(String source, String file) {
    List<BatchAnnounced> found = new ArrayList<>();
    String topic = kafka.topics().control();
    scan.read(
        topic,
        scan.whole(topic),
        record -> {
          try {
            if (ControlMessage.decode(record.value()) instanceof BatchAnnounced announced
                && announced.source().equals(source)
                && announced.file().equals(file)) {
              found.add(announced);
            }
          } catch (UnreadableException e) {
            return; // told by reconciliation, with its place
          }
        });
    return found;
  }

  /** Finds the draft of a batch. */
  @FunctionalInterface
  interface DraftOf {
    /** Returns it; null if the batch is of no interest. */
    @Nullable BatchDraft draft(BatchKey key);
  }

  /** Reads all receipts; returns how far. */
  Look readReceipts(Predicate<BatchKey> wanted, Consumer<Receipt> each) {
    String topic = kafka.topics().receipts();
    ReceiptCodec receipts = new ReceiptCodec();
    boolean isWhole =
        scan.read(
            topic,
            scan.whole(topic),
            record -> {
              try {
                Receipt receipt = receipts.decode(record.value());
                if (wanted.test(new BatchKey(receipt.source(), receipt.batch()))) {
                  each.accept(receipt);
                }
              } catch (UnreadableException e) {
                return; // speaks of nothing that could be found
              }
            });
    return isWhole ? Look.WHOLE : Look.PART;
  }

  /** Reads the stretches of the topic of CDRs in which the records of these batches lie. */
  void readCdrs(Collection<BatchDraft> drafts) {
    String topic = kafka.topics().cdr();
    Map<Integer, Stretch> whole = scan.whole(topic);
    Map<Integer, Stretch> stretches = new HashMap<>();
    Map<BatchKey, BatchDraft> byKey = new HashMap<>();
    Map<BatchKey, Look> looks = new HashMap<>();
    for (BatchDraft draft : drafts) {
      Map<Integer, Long> since =
          draft.announcedMillis() == Long.MAX_VALUE
              ? Map.of()
              : scan.firstSince(topic, draft.announcedMillis() - CLOCKS_APART.toMillis());
      Map<Integer, Stretch> own = draft.stretches(since, whole);
      own.forEach((partition, stretch) -> stretches.merge(partition, stretch, Stretch::unite));
      boolean isShortened =
          whole.entrySet().stream()
              .anyMatch(
                  each ->
                      each.getValue().from() > 0
                          && since.getOrDefault(each.getKey(), 0L) <= each.getValue().from());
      byKey.put(draft.key(), draft);
      looks.put(draft.key(), isShortened ? Look.SHORTENED : Look.WHOLE);
    }
    boolean isWhole =
        scan.read(
            topic,
            stretches,
            record -> {
              Copy copy = copy(record);
              BatchDraft draft = byKey.get(copy.key());
              if (draft != null) {
                draft.take(copy);
              }
            });
    byKey.forEach(
        (key, draft) -> draft.topicRead(isWhole ? looks.getOrDefault(key, Look.PART) : Look.PART));
  }

  /**
   * What stands at one place of the topic of CDRs.
   *
   * @param isKnown whether that is known: the topic still keeps that stretch, and time was left
   * @param copy what stands there; null if nothing
   */
  record AtPlace(boolean isKnown, @Nullable Copy copy) {}

  /** Looks at one place of the topic of CDRs. */
  AtPlace at(int partition, long offset) {
    String topic = kafka.topics().cdr();
    Stretch has = scan.whole(topic).get(partition);
    if (has != null && offset < has.from()) {
      return new AtPlace(false, null);
    }
    List<Copy> found = new ArrayList<>();
    boolean isRead =
        scan.read(
            topic,
            Map.of(partition, new Stretch(offset, offset + 1)),
            record -> found.add(copy(record)));
    return new AtPlace(isRead, found.isEmpty() ? null : found.get(0));
  }

  /** Reads what waits on the side topics. */
  void readKept(Map<BatchKey, BatchDraft> drafts) {
    for (String topic : List.of(kafka.topics().suspended(), kafka.topics().rejected())) {
      scan.read(
          topic,
          scan.whole(topic),
          record -> {
            BatchDraft draft =
                drafts.get(new BatchKey(text(record, Headers.SOURCE), text(record, Headers.BATCH)));
            if (draft != null) {
              keep(topic, record, draft);
            }
          });
    }
  }

  private static void keep(String topic, ConsumerRecord<byte[], byte[]> record, BatchDraft draft) {
    try {
      SideRecord side = SideRecord.of(TopicScan.headers(record.headers()), record.value());
      draft.take(
          side.origin().batchSeq(),
          new Kept(
              topic,
              side.reason().outcome(),
              side.reason().name(),
              side.detail(),
              side.origin().partition(),
              side.origin().offset()));
    } catch (UnreadableException e) {
      return; // ./tollgate rejected tells it with its place
    }
  }

  private Copy copy(ConsumerRecord<byte[], byte[]> record) {
    String badLine = text(record, Headers.BAD_LINE);
    return new Copy(
        new BatchKey(text(record, Headers.SOURCE), text(record, Headers.BATCH)),
        seq(text(record, Headers.BATCH_SEQ)),
        record.partition(),
        record.offset(),
        text(record, Headers.PLACE),
        badLine,
        badLine.isEmpty() ? cdr(record.value()) : null,
        record.offset() < committed().getOrDefault(record.partition(), 0L));
  }

  private @Nullable Cdr cdr(byte @Nullable [] value) {
    if (value == null) {
      return null;
    }
    try {
      return codec.decode(value);
    } catch (UnreadableException e) {
      return null; // what the rating job rejects
    }
  }

  private static long seq(String text) {
    return text.matches("\\d{1,10}") ? Long.parseLong(text) : -1;
  }

  /** Returns the offsets that the rating job has committed, by partition. */
  private Map<Integer, Long> committed() {
    Map<Integer, Long> known = committed;
    if (known == null) {
      known = readCommitted();
      committed = known;
    }
    return known;
  }

  private Map<Integer, Long> readCommitted() {
    Map<Integer, Long> offsets = new HashMap<>();
    try (Admin admin = Admin.create(client())) {
      Map<TopicPartition, OffsetAndMetadata> all =
          admin
              .listConsumerGroupOffsets(ratingGroup)
              .partitionsToOffsetAndMetadata()
              .get(ANSWER.toSeconds(), TimeUnit.SECONDS);
      all.forEach(
          (partition, offset) -> {
            OffsetAndMetadata known = offset;
            if (known != null && partition.topic().equals(kafka.topics().cdr())) {
              offsets.put(partition.partition(), known.offset());
            }
          });
    } catch (ExecutionException | TimeoutException e) {
      throw new KafkaException("the offsets of group " + ratingGroup + " are not told", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted", e);
    }
    return offsets;
  }

  private static String text(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    scan.close();
  }
}
