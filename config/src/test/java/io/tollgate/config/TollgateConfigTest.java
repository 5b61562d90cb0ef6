package io.tollgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TollgateConfigTest {
  private static final Map<String, String> ENVIRONMENT = Map.of("PASSWORD", "hunter2", "EMPTY", "");

  private final ConfigReader reader = new ConfigReader(ENVIRONMENT::get);

  @Test
  void emptyFileGivesEveryDefault() {
    TollgateConfig config = reader.read("t.yaml", "");

    assertThat(config).isEqualTo(TollgateConfig.defaults());
    assertThat(config.kafka().bootstrapServers()).isEqualTo("127.0.0.1:19092");
    assertThat(config.rating().idempotency().ttl()).isEqualTo(Duration.ofDays(90));
    assertThat(config.reconcile().interval()).isEqualTo(Duration.ofSeconds(60));
    assertThat(config.reconcile().onMismatch()).isEqualTo("halt");
    assertThat(config.reconcile().required()).isTrue();
    assertThat(config.reconcile().missedCycles()).isEqualTo(3);
    assertThat(config.rating().gate().poll()).isEqualTo(Duration.ofMillis(200));
    assertThat(config.rating().gate().lease()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.flink().savepoints()).isNull();
    assertThat(config.sources()).isEmpty();
    assertThat(config.cassandra().password()).isNull();
  }

  @Test
  void fileAtTheRootShowsTheDefaults() {
    assertThat(TollgateConfig.read(Path.of("..", "tollgate.yaml")))
        .isEqualTo(TollgateConfig.defaults());
  }

  @Test
  void readsWhatIsGiven() {
    TollgateConfig config =
        reader.read(
            "t.yaml",
            """
            kafka: {bootstrap: "a:9092, b:9093", properties: {security.protocol: SASL_SSL,
              sasl.jaas.config: "${PASSWORD}"}}
            cassandra: {contact_points: [c1:9042, "[::1]:9042"], username: u, password: "${PASSWORD}"}
            rating: {idempotency: {ttl: 120d}, idle_after: 1500ms}
            ledger: {salted_accounts: [w1, w2]}
            sources:
              pbx-1: {format: asterisk, zone: Europe/Berlin, country: DE}
              pbx-2: {format: cucm, switch: pbx, legs: both, identity: content, account: src}
            """);

    assertThat(config.kafka().bootstrap()).containsExactly("a:9092", "b:9093");
    assertThat(config.kafka().clientProperties())
        .containsEntry("bootstrap.servers", "a:9092,b:9093")
        .containsEntry("sasl.jaas.config", "hunter2")
        .containsEntry("security.protocol", "SASL_SSL");
    assertThat(config.cassandra().contactPoints()).containsExactly("c1:9042", "[::1]:9042");
    assertThat(config.cassandra().password()).isEqualTo(new Secret("hunter2"));
    assertThat(config.rating().idleAfter()).isEqualTo(Duration.ofMillis(1500));
    assertThat(config.ledger().saltedAccounts()).isEqualTo(List.of("w1", "w2"));
    assertThat(config.sources().keySet()).containsExactly("pbx-1", "pbx-2");
    assertThat(config.sources().get("pbx-1").switchId()).isEqualTo("pbx-1");
    assertThat(config.sources().get("pbx-1").zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    assertThat(config.sources().get("pbx-2").switchId()).isEqualTo("pbx");
  }

  @Test
  void namesEveryFaultWithItsLine() {
    ConfigException refused =
        refused(
            """
            kafka:
              boostrap: x:1
              partitions: many
            rating:
              idempotency: {store: redis, ttl: 90}
            ledgr: {}
            stack: [1]
            sources:
              pbx: {zone: Europe/Berlin_Mitte}
              "no/slash": {format: cucm}
            """);

    assertThat(refused.getMessage().lines())
        .containsExactly(
            "t.yaml:2: kafka.boostrap: unknown key (did you mean 'bootstrap'?)",
            "t.yaml:3: kafka.partitions: 'many' (expected: a whole number, 1 to 10000)",
            "t.yaml:5: rating.idempotency.store: 'redis' (expected: cassandra)",
            "t.yaml:5: rating.idempotency.ttl: '90' (expected: a number and a unit (ms, s, m, h,"
                + " d), 1d to 3650d)",
            "t.yaml:6: ledgr: unknown key (did you mean 'ledger'?)",
            "t.yaml:7: stack: not a map (expected: keys [data, ports])",
            "t.yaml:9: sources.pbx.format: absent (expected: one of asterisk, freeswitch-csv,"
                + " freeswitch-json, cucm, tollgate-json)",
            "t.yaml:9: sources.pbx.zone: 'Europe/Berlin_Mitte' (expected: a zone of the tz database"
                + " such as Europe/Berlin, or an offset such as +02:00)",
            "t.yaml:10: sources.no/slash: bad name (expected: letters, digits, dots, dashes)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ledger: {buckets: 0}",
        "ledger: {buckets: 2049}",
        "ledger: {buckets: 1e3}",
        "ledger: {buckets: }",
        "ledger: {buckets: [1]}",
        "ledger: {buckets: 1, buckets: 2}",
        "ledger: {salted_accounts: [a, '']}",
        "kafka: {bootstrap: nohost}",
        "kafka: {bootstrap: 'h:0'}",
        "kafka: {bootstrap: 'h:65536'}",
        "kafka: {bootstrap: []}",
        "kafka: {topics: {cdr: 'a b'}}",
        "kafka: {properties: {a: {b: c}}}",
        "cassandra: {keyspace: Ledger}",
        "cassandra: {username: u}",
        "flink: {rest: 'ftp://h'}",
        "flink: {rest: 'h:8081'}",
        "postgres: {url: 'mysql://h/d'}",
        "reconcile: {required: maybe}",
        "reconcile: {missed_cycles: 0}",
        "rating: {gate: {poll: 400ms}}",
        "rating: {gate: {lease: 500ms}}",
        "reconcile: {interval: 99999999999d}",
        "reconcile: {settle_after: soon}",
        "sources: {a: {format: cucm, market: 'a b'}}",
        "sources: {a: {format: cucm, on_missing: ignore}}",
        "sources: {a: {format: cucm, cadence: 0s}}",
        "sources: {a: {format: cucm, control_total_deadline: never}}",
        "sources: {a: {format: cucm, sequence: 'cdr_(\\d+)_(\\d+)'}}",
        "sources: {a: {format: cucm, sequence: 'cdr'}}",
        "sources: {a: {format: cucm, sequence: 'cdr_('}}",
        "rating: {max_ahead: -1h}",
        "rating: {max_ahead: 2h}",
        "stack: {ports: {kafka: 19042}}",
        "sources: {a: {format: cucm, country: de}}",
        "? [a]\n: b",
        "a: &x {b: *x}",
        "sources: &x {a: *x}",
        "[1, 2]",
        "text",
        "a: [",
        "\tkafka: 1",
      })
  void refuses(String yaml) {
    assertThat(refused(yaml).faults()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cassandra: {username: u, password: hunter2}",
        "kafka: {properties: {ssl.keystore.password: hunter2}}",
        "kafka: {properties: {sasl.jaas.config: hunter2}}",
        "kafka: {properties: {ssl.keystore.key: hunter2}}",
      })
  void refusesAPlainSecretWithoutShowingIt(String yaml) {
    assertThat(refused(yaml)).hasMessageContaining("hidden").hasMessageNotContaining("hunter2");
  }

  @Test
  void readsWhatIsExpectedOfASource() {
    TollgateConfig.Source source =
        reader
            .read(
                "t.yaml",
                """
                sources:
                  a:
                    format: cucm
                    market: north
                    control_total_deadline: 2h
                    on_missing: halt
                    cadence: 15m
                    sequence: 'cdr_(\\d+)\\.csv'
                """)
            .sources()
            .get("a");

    assertThat(source.market()).isEqualTo("north");
    assertThat(source.controlTotalDeadline()).isEqualTo(Duration.ofHours(2));
    assertThat(source.onMissing()).isEqualTo("halt");
    assertThat(source.cadence()).isEqualTo(Duration.ofMinutes(15));
    assertThat(source.sequence()).isEqualTo("cdr_(\\d+)\\.csv");
  }

  @Test
  void expectsLittleOfASourceThatSaysNothing() {
    TollgateConfig.Source source =
        reader.read("t.yaml", "sources: {a: {format: cucm}}").sources().get("a");

    assertThat(source.market()).isEqualTo("a");
    assertThat(source.controlTotalDeadline()).isEqualTo(Duration.ofHours(1));
    assertThat(source.onMissing()).isEqualTo("warn");
    assertThat(source.cadence()).isNull();
    assertThat(source.sequence()).isNull();
    assertThat(TollgateConfig.defaults().reconcile().settleAfter()).isEqualTo(Duration.ofHours(6));
  }

  @ParameterizedTest
  @ValueSource(strings = {"${ABSENT}", "${EMPTY}", "file:relative", "file:/no/such/file"})
  void refusesASecretThatCannotBeResolved(String reference) {
    assertThat(refused("postgres: {password: '" + reference + "'}"))
        .hasMessageContaining(reference);
  }

  @Test
  void readsASecretFromAFileWithoutItsLineBreak(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "from file\n");

    TollgateConfig config = reader.read("t.yaml", "postgres: {password: 'file:" + file + "'}");

    assertThat(config.postgres().password()).isEqualTo(new Secret("from file"));
  }

  @Test
  void neverPrintsASecret() {
    TollgateConfig config =
        reader.read(
            "t.yaml",
            """
            kafka: {properties: {ssl.keystore.password: "${PASSWORD}"}}
            cassandra: {username: u, password: "${PASSWORD}"}
            postgres: {password: "${PASSWORD}"}
            """);

    assertThat(config.toString()).contains("***").doesNotContain("hunter2");
  }

  @Test
  void survivesTheTripToAnOperator() throws Exception {
    TollgateConfig config =
        reader.read(
            "t.yaml",
            """
            kafka: {properties: {ssl.keystore.password: "${PASSWORD}"}}
            sources: {a: {format: cucm, zone: Europe/Berlin}}
            """);

    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(config);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(config);
    }
  }

  @Test
  void saysWhatIsWrongWithTheFileItself(@TempDir Path folder) throws IOException {
    Path absent = folder.resolve("absent.yaml");
    assertThatThrownBy(() -> reader.read(absent))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(absent + ": no such file (expected:");

    Path latin1 = folder.resolve("latin1.yaml");
    Files.write(latin1, "postgres: {user: J\u00fcrgen}".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> reader.read(latin1)).hasMessageContaining("not UTF-8");
    assertThatThrownBy(() -> reader.read(folder)).hasMessageContaining("cannot be read");
  }

  private ConfigException refused(String yaml) {
    return catchThrowableOfType(ConfigException.class, () -> reader.read("t.yaml", yaml));
  }
}
