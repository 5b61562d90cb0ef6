package io.tollgate.config;

import java.net.URI;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/**
 * Every key of {@code tollgate.yaml}: the one place that says its type, its default and its reason.
 * Reading, the messages about bad values and {@code docs/configuration.md} all come from here.
 */
final class Keys {
  private static final String TOPIC_RULE = "1 to 249 letters, digits, dots, dashes, underscores";
  private static final ValueType<String> TOPIC =
      ValueType.text("topic", TOPIC_RULE, "[A-Za-z0-9._-]{1,249}");
  private static final ValueType<String> PLAIN_TEXT =
      ValueType.text("text", "text on one line, not blank", ".*\\S.*");
  private static final ValueType<Integer> PORT = ValueType.port();

  static final Key<List<String>> KAFKA_BOOTSTRAP =
      Key.withDefault(
          "kafka.bootstrap",
          ValueType.hostPorts(),
          "127.0.0.1:19092",
          "Brokers to ask first. The default is the local stack.");
  static final Key<String> KAFKA_TOPICS_CDR =
      topic("kafka.topics.cdr", "cdr", "Topic of the call detail records.");
  static final Key<String> KAFKA_TOPICS_CONTROL =
      topic(
          "kafka.topics.control",
          "cdr.control",
          "Topic of announced batches and their control totals.");
  static final Key<String> KAFKA_TOPICS_REJECTED =
      topic(
          "kafka.topics.rejected",
          "cdr.rejected",
          "Topic of records that are unreadable or invalid, with their bytes.");
  static final Key<String> KAFKA_TOPICS_SUSPENDED =
      topic(
          "kafka.topics.suspended",
          "cdr.suspended",
          "Topic of records without a price, and of conflicts.");
  static final Key<String> KAFKA_TOPICS_TARIFFS =
      topic("kafka.topics.tariffs", "tariffs", "Compacted topic of the tariff history.");
  static final Key<String> KAFKA_TOPICS_RECEIPTS =
      topic(
          "kafka.topics.receipts",
          "rating.receipts",
          "Topic in which the rating job says what it did with each record.");
  static final Key<Integer> KAFKA_PARTITIONS =
      Key.withDefault(
          "kafka.partitions",
          ValueType.integer(1, 10_000),
          "4",
          "Partitions of a topic when it is created. An existing topic keeps its own.");
  static final Key<Integer> KAFKA_REPLICATION_FACTOR =
      Key.withDefault(
          "kafka.replication_factor",
          ValueType.integer(1, 32),
          "1",
          "Copies of each partition when a topic is created. 1 suits the local stack with its one"
              + " broker; use 3 where money is at stake.");
  static final Key<Duration> KAFKA_RETENTION =
      Key.withDefault(
          "kafka.retention",
          ValueType.duration(Duration.ofHours(1), Duration.ofDays(3650)),
          "14d",
          "How long topics keep records when they are created. It bounds how long the rating job"
              + " may be down, and how far a replay reaches back.");
  static final Key<Map<String, Secret>> KAFKA_PROPERTIES =
      Key.withDefault(
          "kafka.properties",
          ValueType.properties(),
          "{}",
          "Further properties for every Kafka client, such as security.protocol. Empty, since the"
              + " local broker asks for none.");

  static final Key<List<String>> CASSANDRA_CONTACT_POINTS =
      Key.withDefault(
          "cassandra.contact_points",
          ValueType.hostPorts(),
          "127.0.0.1:19042",
          "Nodes to ask first. The default is the local stack.");
  static final Key<String> CASSANDRA_DATACENTER =
      Key.withDefault(
          "cassandra.datacenter",
          PLAIN_TEXT,
          "datacenter1",
          "Datacenter whose replicas acknowledge writes (LOCAL_QUORUM). The default is the name"
              + " that Cassandra itself uses.");
  static final Key<String> CASSANDRA_KEYSPACE =
      Key.withDefault(
          "cassandra.keyspace",
          ValueType.text(
              "keyspace",
              "1 to 48 small letters, digits and underscores, a letter first",
              "[a-z][a-z0-9_]{0,47}"),
          "ledger",
          "Keyspace of the ledger.");
  static final Key<Integer> CASSANDRA_REPLICATION_FACTOR =
      Key.withDefault(
          "cassandra.replication_factor",
          ValueType.integer(1, 32),
          "1",
          "Replicas in that datacenter. 1 suits the local stack with its one node; use 3 where"
              + " money is at stake.");
  static final Key<String> CASSANDRA_USERNAME =
      Key.optional("cassandra.username", PLAIN_TEXT, "User name, if the cluster asks for one.");
  static final Key<Secret> CASSANDRA_PASSWORD =
      Key.optional(
          "cassandra.password", ValueType.secret(), "Password, if the cluster asks for one.");

  static final Key<String> POSTGRES_URL =
      Key.withDefault(
          "postgres.url",
          ValueType.text(
              "JDBC URL",
              "a JDBC URL such as jdbc:postgresql://host:5432/database",
              "jdbc:postgresql://\\S+"),
          "jdbc:postgresql://127.0.0.1:19432/postgres",
          "Database of cycles, settlement and halts. The default is the local stack.");
  static final Key<String> POSTGRES_USER =
      Key.withDefault("postgres.user", PLAIN_TEXT, "postgres", "User of the database.");
  static final Key<Secret> POSTGRES_PASSWORD =
      Key.optional(
          "postgres.password", ValueType.secret(), "Password, if the database asks for one.");

  static final Key<URI> FLINK_REST =
      Key.withDefault(
          "flink.rest",
          ValueType.uri("http://host:8081", "http", "https"),
          "http://127.0.0.1:19081",
          "REST endpoint of the Flink cluster. The default is the local stack.");
  static final Key<String> FLINK_SAVEPOINTS =
      Key.optional(
          "flink.savepoints",
          PLAIN_TEXT,
          "Folder or URI for the savepoint that a halt stops the rating job with, as the"
              + " JobManager sees it. Absent: the cluster's own"
              + " execution.checkpointing.savepoint-dir.");

  static final Key<String> RATING_GROUP =
      Key.withDefault(
          "rating.group",
          PLAIN_TEXT,
          "tollgate-rating",
          "Kafka consumer group of the rating job. Its committed offsets are the proof of"
              + " progress, so never change it for a job that is kept.");
  static final Key<Duration> RATING_MAX_OUT_OF_ORDERNESS =
      Key.withDefault(
          "rating.max_out_of_orderness",
          ValueType.duration(Duration.ZERO, Duration.ofDays(90)),
          "1h",
          "How far the watermark stays behind the newest start. Only marks CDRs as late; late ones"
              + " are charged all the same.");
  static final Key<Duration> RATING_IDLE_AFTER =
      Key.withDefault(
          "rating.idle_after",
          ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
          "30s",
          "A partition silent for this long no longer holds the watermark.");
  static final Key<Duration> RATING_MAX_AHEAD =
      Key.withDefault(
          "rating.max_ahead",
          ValueType.duration(Duration.ZERO, Duration.ofDays(2)),
          "1h",
          "How far a start, and the end of a call, may lie after the broker's append time before"
              + " the CDR is rejected. Allows for clocks that differ, not for wrong years.");
  static final Key<String> RATING_IDEMPOTENCY_STORE =
      Key.withDefault(
          "rating.idempotency.store",
          ValueType.choice("cassandra"),
          "cassandra",
          "What has the last word on whether a CDR was charged before. Keyed state answers first.");
  static final Key<Duration> RATING_IDEMPOTENCY_TTL =
      Key.withDefault(
          "rating.idempotency.ttl",
          ValueType.duration(Duration.ofDays(1), Duration.ofDays(3650)),
          "90d",
          "How long keyed state vouches for an event, by the day of the event. For older CDRs the"
              + " ledger is asked, which keeps them for ever.");

  static final Key<Duration> RATING_GATE_POLL =
      Key.withDefault(
          "rating.gate.poll",
          ValueType.duration(Duration.ofMillis(50), Duration.ofSeconds(10)),
          "200ms",
          "How often the rating job reads whether charging may go on: two small reads of the"
              + " ledger, by the JobManager only.");
  static final Key<Duration> RATING_GATE_LEASE =
      Key.withDefault(
          "rating.gate.lease",
          ValueType.duration(Duration.ofMillis(200), Duration.ofMinutes(1)),
          "1s",
          "How long a reader goes on without hearing that it may. So long does charging go on at"
              + " most if the JobManager or the ledger falls silent. At least three polls, so that"
              + " one slow answer does not pause it.");

  static final Key<Integer> LEDGER_BUCKETS =
      Key.withDefault(
          "ledger.buckets",
          ValueType.integer(1, 2048),
          "16",
          "Partitions per usage hour. Recorded in the ledger when it is created; another value is"
              + " refused later. Choose so that a partition stays below 100 MB in the busiest hour:"
              + " about one bucket for each 300,000 charges of that hour.");
  static final Key<List<String>> LEDGER_SALTED_ACCOUNTS =
      Key.withDefault(
          "ledger.salted_accounts",
          ValueType.textList("account ids, as a list or with commas between"),
          "[]",
          "Accounts of wholesale size, whose charges are spread over all buckets. Recorded in"
              + " the ledger when it is created; another value is refused later.");
  static final Key<Integer> LEDGER_MAX_IN_FLIGHT =
      Key.withDefault(
          "ledger.max_in_flight",
          ValueType.integer(1, 1024),
          "32",
          "Requests that one writer has under way at most; when reached, the job slows down"
              + " instead of flooding the cluster.");
  static final Key<Integer> LEDGER_BATCH_ROWS =
      Key.withDefault(
          "ledger.batch_rows",
          ValueType.integer(1, 500),
          "50",
          "Rows of one partition that are sent in one request. 50 took a third of the client's and"
              + " a fifth of the server's work of single rows when measured.");
  static final Key<Duration> LEDGER_REQUEST_TIMEOUT =
      Key.withDefault(
          "ledger.request_timeout",
          ValueType.duration(Duration.ofMillis(100), Duration.ofMinutes(10)),
          "10s",
          "How long one request may take before it is sent again. Longer than the cluster's own"
              + " write timeout, so that its answer is heard first.");

  static final Key<Duration> RECONCILE_INTERVAL =
      Key.withDefault(
          "reconcile.interval",
          ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
          "60s",
          "How often sources, receipts and ledger are compared.");
  static final Key<String> RECONCILE_ON_MISMATCH =
      Key.withDefault(
          "reconcile.on_mismatch",
          ValueType.choice("halt", "warn"),
          "halt",
          "What a difference does: halt charging, or only tell. Never settle a record we cannot"
              + " explain.");
  static final Key<Duration> RECONCILE_SWEEP =
      Key.withDefault(
          "reconcile.sweep",
          ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
          "10m",
          "How long it takes until every bucket of an hour that still fills was read back once."
              + " An hour that no longer fills is read at once, and again when it changed.");
  static final Key<Duration> RECONCILE_VERIFY_AGAIN =
      Key.withDefault(
          "reconcile.verify_again",
          ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(80)),
          "24h",
          "How long it takes until everything that was balanced is read once more, so that a row"
              + " that is changed or removed afterwards is found.");
  static final Key<Boolean> RECONCILE_STOP_JOB =
      Key.withDefault(
          "reconcile.stop_job",
          ValueType.yesNo(),
          "true",
          "Whether a halt also stops the rating job with a canonical savepoint, once its gate is"
              + " closed. Otherwise it stays behind its closed gate, and goes on when the halt is"
              + " acknowledged.");
  static final Key<Boolean> RECONCILE_REQUIRED =
      Key.withDefault(
          "reconcile.required",
          ValueType.yesNo(),
          "true",
          "Whether charging pauses while reconciliation is not alive. false lets the rating job run"
              + " alone: nothing then proves the ledger, and only an open halt stops charging.");
  static final Key<Integer> RECONCILE_MISSED_CYCLES =
      Key.withDefault(
          "reconcile.missed_cycles",
          ValueType.integer(1, 1_000),
          "3",
          "Charging pauses when reconciliation has completed no cycle for so many intervals, and"
              + " goes on by itself when it does. One late cycle is no reason to stop; hours"
              + " without any are.");

  static final Key<Duration> RECONCILE_SETTLE_AFTER =
      Key.withDefault(
          "reconcile.settle_after",
          ValueType.duration(Duration.ZERO, Duration.ofDays(90)),
          "6h",
          "How long a balanced hour must have been without change before it is settled. Longer"
              + " than files are usually late, so that supplements stay rare.");
  static final Key<Duration> RECONCILE_KEEP_CYCLES =
      Key.withDefault(
          "reconcile.keep_cycles",
          ValueType.duration(Duration.ofHours(1), Duration.ofDays(3_660)),
          "30d",
          "How long cycles are kept in PostgreSQL. There are 1,440 a day.");
  static final Key<Duration> RECONCILE_KEEP_RESULTS =
      Key.withDefault(
          "reconcile.keep_results",
          ValueType.duration(Duration.ofDays(1), Duration.ofDays(3_660)),
          "90d",
          "How long batches that are balanced and settled, and differences that are gone, are kept"
              + " in PostgreSQL. Settlement lines, what was written off, halts and their answers"
              + " are kept for ever. At least as long as receipts are kept, or a start without"
              + " state records them again.");

  static final Key<String> SOURCE_FORMAT =
      Key.required(
          "sources.*.format",
          ValueType.choice(
              "asterisk", "freeswitch-csv", "freeswitch-json", "cucm", "tollgate-json"),
          "Format of the source's files.");
  static final Key<String> SOURCE_SWITCH =
      Key.optional(
          "sources.*.switch",
          ValueType.text(
              "name", "1 to 64 letters, digits, dots, dashes, underscores", "[A-Za-z0-9._-]{1,64}"),
          "Declared identity of the switch, the first part of each event id. All collectors of one"
              + " switch give the same. Absent: the id of the source.");
  static final Key<ZoneId> SOURCE_ZONE =
      Key.optional(
          "sources.*.zone",
          ValueType.zone(),
          "Time zone of stamps that carry none. There is no default, since a guess would charge"
              + " calls at the wrong hour.");
  static final Key<String> SOURCE_COUNTRY =
      Key.optional(
          "sources.*.country",
          ValueType.text("country", "two capital letters such as DE (ISO 3166)", "[A-Z]{2}"),
          "Country whose dialling rules turn national numbers into E.164. Absent: numbers that are"
              + " not international stay as they are.");
  static final Key<String> SOURCE_ACCOUNT =
      Key.optional(
          "sources.*.account",
          PLAIN_TEXT,
          "Where the paying account is found. Absent: where the format usually has it.");
  static final Key<String> SOURCE_LEGS =
      Key.withDefault(
          "sources.*.legs",
          ValueType.choice("a", "b", "both"),
          "a",
          "Which legs of a call are charged where a format writes both: one call, one charge.");
  static final Key<String> SOURCE_IDENTITY =
      Key.withDefault(
          "sources.*.identity",
          ValueType.choice("native", "content"),
          "native",
          "What tells two events apart: the switch's own id, or the content where there is none."
              + " Rows that their content cannot tell apart are suspended.");

  static final Key<String> SOURCE_COLUMNS =
      Key.optional(
          "sources.*.columns",
          PLAIN_TEXT,
          "Names of the columns in order, separated by commas, where files of Asterisk or of"
              + " FreeSWITCH's CSV have another layout than usual. Absent: the format's own.");

  static final Key<String> SOURCE_MARKET =
      Key.optional(
          "sources.*.market",
          ValueType.text(
              "name", "1 to 64 letters, digits, dots, dashes, underscores", "[A-Za-z0-9._-]{1,64}"),
          "Market that the source's charges are settled for. Absent: the id of the source.");
  static final Key<Duration> SOURCE_CONTROL_TOTAL_DEADLINE =
      Key.withDefault(
          "sources.*.control_total_deadline",
          ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(90)),
          "1h",
          "How long after its first record the control total of a batch may be missing. Ingest"
              + " sends it seconds after the last record.");
  static final Key<String> SOURCE_ON_MISSING =
      Key.withDefault(
          "sources.*.on_missing",
          ValueType.choice("halt", "warn"),
          "warn",
          "What a control total, a file or a feed that does not come does: halt charging, or only"
              + " tell. Either way nothing of the source is settled meanwhile.");
  static final Key<Duration> SOURCE_CADENCE =
      Key.optional(
          "sources.*.cadence",
          ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(90)),
          "How often the source says something at least; longer silence is a difference. Absent:"
              + " silence means nothing.");
  static final Key<String> SOURCE_SEQUENCE =
      Key.optional(
          "sources.*.sequence",
          ValueType.numberedName(),
          "Where the number stands in the names of the source's files, so that a missing file is"
              + " noticed. Absent: the files are not numbered.");

  static final Key<Duration> TARIFFS_LEAD_TIME =
      Key.withDefault(
          "tariffs.lead_time",
          ValueType.duration(Duration.ZERO, Duration.ofDays(90)),
          "1h",
          "How long before it begins a price must be published. At least rating.max_ahead, so that"
              + " no CDR of that time has been rated yet.");

  static final Key<String> STACK_DATA =
      Key.withDefault(
          "stack.data",
          PLAIN_TEXT,
          ".tollgate",
          "Folder of the local stack's data and logs, beside this file unless absolute.");
  static final Key<Integer> STACK_PORTS_KAFKA =
      port("stack.ports.kafka", "19092", "Kafka broker of the local stack.");
  static final Key<Integer> STACK_PORTS_KAFKA_CONTROLLER =
      port("stack.ports.kafka_controller", "19093", "Kafka controller of the local stack.");
  static final Key<Integer> STACK_PORTS_CASSANDRA =
      port("stack.ports.cassandra", "19042", "Cassandra of the local stack, for clients.");
  static final Key<Integer> STACK_PORTS_CASSANDRA_STORAGE =
      port(
          "stack.ports.cassandra_storage", "19070", "Cassandra of the local stack, between nodes.");
  static final Key<Integer> STACK_PORTS_POSTGRES =
      port("stack.ports.postgres", "19432", "PostgreSQL of the local stack.");
  static final Key<Integer> STACK_PORTS_FLINK_REST =
      port("stack.ports.flink_rest", "19081", "Flink's REST endpoint and dashboard.");
  static final Key<Integer> STACK_PORTS_FLINK_RPC =
      port("stack.ports.flink_rpc", "19123", "Flink's JobManager, for its TaskManagers.");

  static final Key<Integer> STACK_PORTS_FLINK_METRICS =
      port(
          "stack.ports.flink_metrics",
          "19249",
          "Figures of Flink's JobManager for Prometheus; TaskManager n has the n-th port after"
              + " it.");

  /** All keys, in the order of the documentation. */
  static final List<Key<?>> ALL =
      List.of(
          KAFKA_BOOTSTRAP,
          KAFKA_TOPICS_CDR,
          KAFKA_TOPICS_CONTROL,
          KAFKA_TOPICS_REJECTED,
          KAFKA_TOPICS_SUSPENDED,
          KAFKA_TOPICS_TARIFFS,
          KAFKA_TOPICS_RECEIPTS,
          KAFKA_PARTITIONS,
          KAFKA_REPLICATION_FACTOR,
          KAFKA_RETENTION,
          KAFKA_PROPERTIES,
          CASSANDRA_CONTACT_POINTS,
          CASSANDRA_DATACENTER,
          CASSANDRA_KEYSPACE,
          CASSANDRA_REPLICATION_FACTOR,
          CASSANDRA_USERNAME,
          CASSANDRA_PASSWORD,
          POSTGRES_URL,
          POSTGRES_USER,
          POSTGRES_PASSWORD,
          FLINK_REST,
          FLINK_SAVEPOINTS,
          RATING_GROUP,
          RATING_MAX_OUT_OF_ORDERNESS,
          RATING_IDLE_AFTER,
          RATING_MAX_AHEAD,
          RATING_IDEMPOTENCY_STORE,
          RATING_IDEMPOTENCY_TTL,
          RATING_GATE_POLL,
          RATING_GATE_LEASE,
          LEDGER_BUCKETS,
          LEDGER_SALTED_ACCOUNTS,
          LEDGER_MAX_IN_FLIGHT,
          LEDGER_BATCH_ROWS,
          LEDGER_REQUEST_TIMEOUT,
          RECONCILE_INTERVAL,
          RECONCILE_ON_MISMATCH,
          RECONCILE_REQUIRED,
          RECONCILE_MISSED_CYCLES,
          RECONCILE_STOP_JOB,
          RECONCILE_SWEEP,
          RECONCILE_VERIFY_AGAIN,
          RECONCILE_SETTLE_AFTER,
          RECONCILE_KEEP_CYCLES,
          RECONCILE_KEEP_RESULTS,
          SOURCE_FORMAT,
          SOURCE_SWITCH,
          SOURCE_ZONE,
          SOURCE_COUNTRY,
          SOURCE_ACCOUNT,
          SOURCE_LEGS,
          SOURCE_IDENTITY,
          SOURCE_COLUMNS,
          SOURCE_MARKET,
          SOURCE_CONTROL_TOTAL_DEADLINE,
          SOURCE_ON_MISSING,
          SOURCE_CADENCE,
          SOURCE_SEQUENCE,
          TARIFFS_LEAD_TIME,
          STACK_DATA,
          STACK_PORTS_KAFKA,
          STACK_PORTS_KAFKA_CONTROLLER,
          STACK_PORTS_CASSANDRA,
          STACK_PORTS_CASSANDRA_STORAGE,
          STACK_PORTS_POSTGRES,
          STACK_PORTS_FLINK_REST,
          STACK_PORTS_FLINK_RPC,
          STACK_PORTS_FLINK_METRICS);

  private Keys() {}

  private static Key<String> topic(String path, String name, String reason) {
    return Key.withDefault(path, TOPIC, name, reason);
  }

  private static Key<Integer> port(String path, String port, String reason) {
    return Key.withDefault(path, PORT, port, reason);
  }
}
