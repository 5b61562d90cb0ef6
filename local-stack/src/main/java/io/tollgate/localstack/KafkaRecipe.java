package io.tollgate.localstack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Kafka in KRaft mode: broker and controller in one process. */
final class KafkaRecipe implements Recipe {
  private static final Duration FORMAT_PATIENCE = Duration.ofSeconds(60);
  private static final byte METADATA = 3;

  private final ServerFiles files;
  private final Ports ports;
  private final Artifacts artifacts;

  KafkaRecipe(Path dataDir, Ports ports, Artifacts artifacts) {
    this.files = new ServerFiles(dataDir.resolve("kafka"), "kafka");
    this.ports = ports;
    this.artifacts = artifacts;
  }

  @Override
  public ServerFiles files() {
    return files;
  }

  @Override
  public String address() {
    return "127.0.0.1:" + ports.kafka();
  }

  @Override
  public List<Integer> ports() {
    return List.of(ports.kafka(), ports.kafkaController());
  }

  @Override
  public Launch prepare() throws IOException {
    Path properties = files.folder().resolve("server.properties");
    Files.writeString(
        properties,
        settings().entrySet().stream()
            .map(setting -> setting.getKey() + "=" + setting.getValue())
            .collect(Collectors.joining("\n", "", "\n")));
    Path logging = files.folder().resolve("log4j2.properties");
    Template.write("log4j2.properties", Map.of(), logging);
    if (!Files.exists(data().resolve("meta.properties"))) {
      format(properties, logging);
    }
    List<String> options = new ArrayList<>(Memory.KAFKA_JVM);
    options.add("-XX:+ExitOnOutOfMemoryError");
    options.addAll(loggingOptions(logging, files.log()));
    return new Launch(
        new JavaCommand(options, artifacts.jars(), "kafka.Kafka", List.of(properties.toString()))
            .asServer(files),
        Map.of());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Asks for the metadata and waits for a broker in it: before the controller has let the broker
   * in, creating a topic would fail for lack of brokers.
   */
  @Override
  public boolean answers() {
    // Length, METADATA in version 1, correlation id, no client id, no topics.
    byte[] question = {0, 0, 0, 14, 0, METADATA, 0, 1, 0, 0, 0, 1, -1, -1, 0, 0, 0, 0};
    return Probe.ask(
        ports.kafka(),
        question,
        in -> {
          in.readInt();
          in.readInt();
          int brokers = in.readInt();
          return brokers > 0;
        });
  }

  private Path data() {
    return files.folder().resolve("data");
  }

  private void format(Path properties, Path logging) throws IOException {
    List<String> options = new ArrayList<>(Memory.HELPER_JVM);
    options.addAll(loggingOptions(logging, files.file("-format.log")));
    JavaCommand command =
        new JavaCommand(
            options,
            artifacts.jars(),
            "kafka.tools.StorageTool",
            List.of("format", "-t", clusterId(), "-c", properties.toString()));
    CommandResult result =
        Helper.run(command.asHelper(), Map.of(), files.folder(), "", FORMAT_PATIENCE);
    if (!result.succeeded()) {
      throw new IOException("kafka.tools.StorageTool format:\n" + result.output());
    }
  }

  private static String clusterId() {
    UUID id = UUID.randomUUID();
    ByteBuffer bytes = ByteBuffer.allocate(16);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  static List<String> loggingOptions(Path configuration, Path log) {
    return List.of("-Dlog4j2.configurationFile=" + configuration.toUri(), "-Dlog.file=" + log);
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + ports.kafkaController());
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:"
            + ports.kafka()
            + ",CONTROLLER://127.0.0.1:"
            + ports.kafkaController());
    settings.put("log.dirs", data().toString());
    // A topic exists because someone made it with the right number of partitions and retention.
    settings.put("auto.create.topics.enable", "false");
    settings.put("default.replication.factor", "1");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "8");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "4");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("share.coordinator.state.topic.num.partitions", "4");
    // One consumer is the whole group here; there is nobody to wait for.
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("num.network.threads", "2");
    settings.put("num.io.threads", "4");
    settings.put("num.recovery.threads.per.data.dir", "2");
    settings.put("log.cleaner.dedupe.buffer.size", "33554432");
    settings.put("log.segment.bytes", "268435456");
    return settings;
  }
}
