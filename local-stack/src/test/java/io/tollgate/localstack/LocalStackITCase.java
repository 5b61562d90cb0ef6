package io.tollgate.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All servers for real, each asked in its own language. */
class LocalStackITCase {
  // Creating a table can take seconds on a busy machine.
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long SIX_GB = 6L * 1024 * 1024 * 1024;

  @TempDir static Path folder;
  private static LocalStack stack;

  @BeforeAll
  static void start() {
    stack =
        LocalStack.builder()
            .dataDir(folder.resolve("a stack"))
            .ports(Ports.free())
            .taskManagers(1)
            .slotsPerTaskManager(3)
            .build();
    try {
      stack.start(Progress.silent());
    } catch (RuntimeException e) {
      stack.stop();
      throw e;
    }
  }

  @AfterAll
  static void stopAndLeaveNothingBehind() {
    stack.stop();

    assertThat(stack.status().servers())
        .allMatch(server -> server.state() == ServerStatus.State.STOPPED);
    assertThat(
            ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.contains(folder.toString())))
        .isEmpty();
  }

  @Test
  void shouldTellThatAllServersRunWithinSixGigabytes() {
    StackStatus status = stack.status();

    assertThat(status.allRunning()).isTrue();
    assertThat(
            status.servers().stream()
                .mapToLong(server -> server.residentBytes().orElseThrow())
                .sum())
        .isBetween(1L, SIX_GB);
  }

  @Test
  void shouldBeFoundByAnotherProgramThroughTheFolder() {
    StackSettings saved = StackSettings.lastUsed(stack.settings().dataDir()).orElseThrow();

    LocalStack other = LocalStack.of(saved);

    assertThat(other.status().allRunning()).isTrue();
    assertThat(other.kafka().pid()).isEqualTo(stack.kafka().pid());
  }

  @Test
  void shouldCarryRecordsThroughKafka() throws Exception {
    Map<String, Object> client = Map.of("bootstrap.servers", stack.kafkaBootstrap());
    try (Admin admin = Admin.create(client)) {
      admin.createTopics(List.of(new NewTopic("greetings", 1, (short) 1))).all().get();
    }
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>("greetings", "key", "hello")).get();
    }
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
      TopicPartition partition = new TopicPartition("greetings", 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      List<String> values = new ArrayList<>();
      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (values.isEmpty() && System.nanoTime() < deadline) {
        for (ConsumerRecord<String, String> found : consumer.poll(Duration.ofSeconds(1))) {
          values.add(found.value());
        }
      }
      assertThat(values).containsExactly("hello");
    }
  }

  @Test
  void shouldKeepAcknowledgedRowsWhenCassandraIsKilled() {
    try (CqlSession session = cassandra()) {
      session.execute(
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 1}");
      session.execute(
          "CREATE TABLE k.t (id int PRIMARY KEY, word text) WITH compaction = {'class':"
              + " 'UnifiedCompactionStrategy'}");
      session.execute("INSERT INTO k.t (id, word) VALUES (1, 'kept')");
    }

    stack.cassandra().kill();
    assertThat(stack.cassandra().isAlive()).isFalse();
    assertThat(stack.status().allRunning()).isFalse();
    stack.cassandra().start();

    try (CqlSession session = cassandra()) {
      Row row = session.execute("SELECT word FROM k.t WHERE id = 1").one();
      assertThat(row).isNotNull();
      assertThat(row.getString("word")).isEqualTo("kept");
    }
  }

  @Test
  void shouldAnswerFromPostgresAndStandStillWhileFrozen() throws Exception {
    stack.postgres().freeze();
    assertThat(stack.postgres().status().state()).isEqualTo(ServerStatus.State.SILENT);
    stack.postgres().thaw();
    assertThat(stack.postgres().status().state()).isEqualTo(ServerStatus.State.RUNNING);

    try (Connection connection =
            DriverManager.getConnection(stack.jdbcUrl(), stack.postgresUser(), "");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT 6 * 7")) {
      assertThat(result.next()).isTrue();
      assertThat(result.getInt(1)).isEqualTo(42);
    }
  }

  @Test
  void shouldKeepPostgresRowsWhenItIsKilled() throws Exception {
    execute("CREATE TABLE t (id int)");

    stack.postgres().kill();
    stack.postgres().start();

    execute("INSERT INTO t VALUES (1)");
  }

  @Test
  void shouldOfferTheSlotsOfFlinkWithItsOwnCommandLine() throws Exception {
    assertThat(get(stack.flinkRest().resolve("/overview"))).contains("\"slots-total\":3");
    assertThat(get(stack.flinkRest())).contains("Apache Flink Web Dashboard");

    CommandResult list = stack.flinkCli().run("list");

    assertThat(list.succeeded()).as(list.output()).isTrue();
    assertThat(list.output()).contains("No running jobs");
  }

  @Test
  void shouldShowTheFiguresOfFlinkToPrometheus() throws Exception {
    URI figures =
        URI.create("http://127.0.0.1:" + stack.settings().ports().flinkMetrics() + "/metrics");

    assertThat(get(figures)).contains("flink_jobmanager_");
  }

  @Test
  void shouldListenOnLoopbackOnly() throws IOException {
    for (Server server : stack.servers()) {
      List<String> addresses = Listeners.of(server.pids());

      assertThat(addresses).as(server.name()).isNotEmpty().allMatch(Listeners::isLoopback);
    }
  }

  @Test
  void shouldNameTheServerAndTheReasonWhenItsPortIsTaken() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Ports ports = Ports.fromBase(taken.getLocalPort() - 92);
      LocalStack other = LocalStack.builder().dataDir(folder.resolve("other")).ports(ports).build();

      assertThatThrownBy(() -> other.kafka().start())
          .isInstanceOf(ServerStartException.class)
          .hasMessageContaining(
              "kafka: port " + taken.getLocalPort() + ": taken by another program");
    }
  }

  @Test
  void shouldShowTheEndOfTheLogWhenAServerCannotStart() throws IOException {
    LocalStack other =
        LocalStack.builder().dataDir(folder.resolve("broken")).ports(Ports.free()).build();
    Path data = other.kafka().logFile().resolveSibling("data");
    Files.createDirectories(data);
    Files.writeString(data.resolve("meta.properties"), "version=7\n");

    assertThatThrownBy(() -> other.kafka().start())
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("kafka: ended while starting")
        .hasMessageContaining("log: " + other.kafka().logFile())
        .hasMessageContaining("meta.properties");
    assertThat(other.kafka().isAlive()).isFalse();
  }

  private static CqlSession cassandra() {
    String[] address = stack.cassandraContactPoint().split(":", -1);
    return CqlSession.builder()
        .addContactPoint(new InetSocketAddress(address[0], Integer.parseInt(address[1])))
        .withLocalDatacenter(stack.cassandraDatacenter())
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
                .build())
        .build();
  }

  private static void execute(String sql) throws Exception {
    try (Connection connection =
            DriverManager.getConnection(stack.jdbcUrl(), stack.postgresUser(), "");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String get(URI address) throws Exception {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(20)).build(),
                HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    assertThat(response.statusCode()).isEqualTo(200);
    return Optional.ofNullable(response.body()).orElse("");
  }
}
