package io.tollgate.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.ingest.batch.FileIngest;
import io.tollgate.ingest.batch.FileReport;
import io.tollgate.ingest.batch.IngestOptions;
import io.tollgate.ingest.batch.KnownBatches;
import io.tollgate.ingest.batch.OutboxException;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.format.SourceOptions;
import io.tollgate.ingest.format.SourceProfile;
import io.tollgate.ingest.generate.CdrGenerator;
import io.tollgate.ingest.generate.GeneratorSettings;
import io.tollgate.ingest.generate.OutboxLoad;
import io.tollgate.localstack.LocalStack;
import io.tollgate.localstack.Ports;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real broker. */
class KafkaIngestITCase {
  private static final int PARTITIONS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final IngestOptions SMALL = new IngestOptions(4096, false, false);

  @TempDir private static Path data;
  private static LocalStack stack;
  private static int topics;

  @TempDir private Path folder;
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();
  private KafkaAddress address;

  @BeforeAll
  static void startKafka() {
    stack = LocalStack.builder().dataDir(data).ports(Ports.free()).build();
    stack.kafka().start();
  }

  @AfterAll
  static void stopKafka() {
    stack.kafka().stop();
  }

  @BeforeEach
  void createTopics() throws Exception {
    topics++;
    address =
        new KafkaAddress(stack.kafkaBootstrap(), "cdr-" + topics, "control-" + topics, Map.of());
    try (Admin admin =
        Admin.create(
            Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) address.bootstrap()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(address.cdrTopic(), PARTITIONS, (short) 1),
                  new NewTopic(address.controlTopic(), 1, (short) 1)))
          .all()
          .get();
    }
    address.check(PATIENCE);
  }

  @Test
  void shouldSendEveryRecordOnceWithItsHeadersAndCloseItsBatches() throws Exception {
    FileReport report = ingest(file(rows(300) + "noise\n"));

    List<ConsumerRecord<byte[], byte[]>> records = readAll(address.cdrTopic());
    List<ControlMessage> control = control();
    assertThat(report.records()).isEqualTo(301);
    assertThat(records).hasSize(301);
    Map<String, Set<Long>> seqsByBatch = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> sent : records) {
      assertThat(text(sent, Headers.SOURCE)).isEqualTo("pbx");
      assertThat(text(sent, Headers.PLACE)).startsWith("a.jsonl:");
      seqsByBatch
          .computeIfAbsent(text(sent, Headers.BATCH), batch -> new HashSet<>())
          .add(Long.parseLong(text(sent, Headers.BATCH_SEQ)));
      Header badLine = sent.headers().lastHeader(Headers.BAD_LINE);
      if (badLine == null) {
        assertThat(new String(sent.key(), StandardCharsets.UTF_8))
            .isEqualTo(new CdrCodec().decode(sent.value()).accountId());
      } else {
        assertThat(new String(sent.value(), StandardCharsets.UTF_8)).isEqualTo("noise");
        assertThat(text(sent, Headers.FORMAT)).isEqualTo("tollgate-json");
      }
    }
    Map<Integer, Long> last = new HashMap<>();
    long usage = 0;
    for (ControlMessage message : control) {
      if (message instanceof ControlTotal total) {
        assertThat(seqsByBatch.get(total.batch())).hasSize((int) total.records());
        total
            .lastOffsets()
            .forEach((partition, offset) -> last.merge(partition, offset, Math::max));
        usage += total.usage().getOrDefault(UsageType.VOICE, 0L);
      }
    }
    assertThat(usage).isEqualTo(300_000);
    for (ConsumerRecord<byte[], byte[]> sent : records) {
      assertThat(sent.offset()).isLessThanOrEqualTo(last.get(sent.partition()));
    }
    assertThat(control.get(0)).isInstanceOf(BatchAnnounced.class);
  }

  @Test
  void shouldSendNothingAgainThatTheControlTopicKnows() throws Exception {
    Path file = file(rows(300));
    ingest(file);
    Files.writeString(file, rows(350));

    FileReport report = ingest(file);

    assertThat(report.skippedRecords()).isEqualTo(300);
    assertThat(report.records()).isEqualTo(50);
    assertThat(readAll(address.cdrTopic())).hasSize(350);
  }

  @Test
  void shouldGiveUpAfterTheTimeoutAndGoOnWhereItEndedWhenKafkaIsBack() throws Exception {
    Path file = file(rows(300));
    stack.kafka().freeze();
    try {
      assertThatThrownBy(() -> sendNew(file, Duration.ofSeconds(12)))
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("kafka: gave up on " + address.bootstrap())
          .hasMessageContaining("the same command goes on");
    } finally {
      stack.kafka().thaw();
    }
    assertThat(messages).anyMatch(message -> message.contains("acknowledged nothing for 10 s"));

    FileReport report = ingest(file);

    assertThat(report.records() + report.skippedRecords()).isEqualTo(300);
    Set<String> distinct = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> sent : readAll(address.cdrTopic())) {
      distinct.add(text(sent, Headers.BATCH) + "#" + text(sent, Headers.BATCH_SEQ));
    }
    assertThat(distinct).hasSize(300);
    assertThat(control().stream().filter(ControlTotal.class::isInstance).map(ControlMessage::batch))
        .doesNotHaveDuplicates()
        .hasSameElementsAs(
            control().stream()
                .filter(BatchAnnounced.class::isInstance)
                .map(ControlMessage::batch)
                .toList());
  }

  @Test
  void shouldWaitOutARestartOfKafka() throws Exception {
    Path file = file(rows(3000));
    Progress killer =
        new Progress() {
          private boolean killed;

          @Override
          public void at(String name, long bytes, long ofBytes, long records) {
            if (!killed && records >= 1000) {
              killed = true;
              stack.kafka().kill();
              stack.kafka().start();
            }
          }
        };

    FileReport report;
    try (KafkaOutbox outbox = new KafkaOutbox(address, Duration.ofMinutes(2), messages::add)) {
      report = fileIngest(known(), outbox, killer).ingest(file);
    }

    assertThat(report.records()).isEqualTo(3000);
    assertThat(readAll(address.cdrTopic())).hasSize(3000);
  }

  @Test
  void shouldSayWhereKafkaWasLookedForAndHowToStartIt() {
    KafkaAddress nowhere = new KafkaAddress("127.0.0.1:1", "cdr", "control", Map.of());
    assertThatThrownBy(() -> nowhere.check(Duration.ofSeconds(3)))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("no answer from 127.0.0.1:1 within 3 s")
        .hasMessageContaining("./tollgate up");
    KafkaAddress noTopics =
        new KafkaAddress(address.bootstrap(), "absent", address.controlTopic(), Map.of());
    assertThatThrownBy(() -> noTopics.check(PATIENCE)).hasMessageContaining("no topic absent");
  }

  @Test
  void shouldSendALoadStraightToKafkaInClosedBatches() throws Exception {
    GeneratorSettings settings =
        GeneratorSettings.clean(5000, 20, 3).withShares(50_000, 10_000, 0, 0, 20_000);
    try (KafkaOutbox outbox = new KafkaOutbox(address, PATIENCE, messages::add)) {
      new OutboxLoad(new CdrGenerator(settings), "load", 1000).send(outbox, Progress.NONE);
    }

    assertThat(readAll(address.cdrTopic())).hasSize(5000);
    assertThat(control()).hasSize(10);
  }

  private FileReport ingest(Path file) {
    try (KafkaOutbox outbox = new KafkaOutbox(address, PATIENCE, messages::add)) {
      return fileIngest(known(), outbox, Progress.NONE).ingest(file);
    }
  }

  private void sendNew(Path file, Duration timeout) {
    try (KafkaOutbox outbox = new KafkaOutbox(address, timeout, messages::add)) {
      fileIngest(new KnownBatches(), outbox, Progress.NONE).ingest(file);
    }
  }

  private static FileIngest fileIngest(KnownBatches known, KafkaOutbox outbox, Progress progress) {
    SourceProfile profile = SourceOptions.of("pbx", "tollgate-json", null).toProfile();
    return new FileIngest(profile, SMALL, known, outbox, progress);
  }

  private KnownBatches known() {
    return new KafkaControlLog(address).read("pbx");
  }

  private List<ControlMessage> control() throws Exception {
    List<ControlMessage> messagesRead = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> message : readAll(address.controlTopic())) {
      messagesRead.add(ControlMessage.decode(message.value()));
    }
    return messagesRead;
  }

  private List<ConsumerRecord<byte[], byte[]>> readAll(String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    Map<String, Object> settings =
        Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address.bootstrap());
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
      }
    }
    return records;
  }

  private static String text(ConsumerRecord<byte[], byte[]> sent, String header) {
    return new String(sent.headers().lastHeader(header).value(), StandardCharsets.UTF_8);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("a.jsonl"), text);
  }

  private static String rows(int count) {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < count; i++) {
      rows.append("{\"eventId\":\"pbx/")
          .append(i)
          .append("\",\"accountId\":\"account-")
          .append(i % 17)
          .append("\",\"usageType\":\"VOICE\",\"called\":\"+447700900123\",")
          .append("\"start\":\"2026-10-05T10:00:00+02:00\",\"usage\":1000}\n");
    }
    return rows.toString();
  }
}
