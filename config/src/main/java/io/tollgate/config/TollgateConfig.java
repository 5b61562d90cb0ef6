package io.tollgate.config;

import java.io.Serializable;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one installation, complete: what the file leaves out has its default. What
 * each key means, and why its default is what it is, stands in {@code docs/configuration.md}.
 *
 * <p>Immutable and serializable, because Flink carries it to its operators. Secrets are in it, but
 * print as {@code ***}.
 */
public record TollgateConfig(
    Kafka kafka,
    Cassandra cassandra,
    Postgres postgres,
    Flink flink,
    Rating rating,
    Ledger ledger,
    Reconcile reconcile,
    Map<String, Source> sources,
    Tariffs tariffs,
    Stack stack)
    implements Serializable {

  /**
   * Reads and checks a file, with secrets from this process's environment.
   *
   * @throws ConfigException naming every fault, if there is any
   */
  public static TollgateConfig read(Path file) {
    return new ConfigReader(System::getenv).read(file);
  }

  /** Returns the configuration of an empty file. */
  public static TollgateConfig defaults() {
    return new ConfigReader(System::getenv).read("defaults", "");
  }

  /**
   * Kafka and the topics.
   *
   * @param bootstrap brokers as host:port
   * @param partitions partitions of a topic that is created
   * @param replicationFactor copies of each partition of a topic that is created
   * @param retention how long a topic that is created keeps its records
   * @param properties further properties of every client; may hold secrets
   */
  public record Kafka(
      List<String> bootstrap,
      Topics topics,
      int partitions,
      int replicationFactor,
      Duration retention,
      Map<String, Secret> properties)
      implements Serializable {

    /** Returns the brokers as Kafka's clients expect them, with commas between. */
    public String bootstrapServers() {
      return String.join(",", bootstrap);
    }

    /** Returns what every Kafka client needs: the brokers and the further properties. */
    public Properties clientProperties() {
      Properties client = new Properties();
      client.setProperty("bootstrap.servers", bootstrapServers());
      properties.forEach((name, value) -> client.setProperty(name, value.value()));
      return client;
    }
  }

  /** Names of the topics. */
  public record Topics(
      String cdr,
      String control,
      String rejected,
      String suspended,
      String tariffs,
      String receipts)
      implements Serializable {}

  /**
   * The cluster that holds the ledger.
   *
   * @param contactPoints nodes to ask first, as host:port
   * @param datacenter whose replicas acknowledge writes
   * @param replicationFactor replicas in that datacenter
   * @param username null if the cluster asks for none
   * @param password null if the cluster asks for none
   */
  public record Cassandra(
      List<String> contactPoints,
      String datacenter,
      String keyspace,
      int replicationFactor,
      @Nullable String username,
      @Nullable Secret password)
      implements Serializable {}

  /**
   * The database of cycles, settlement and halts.
   *
   * @param password null if the database asks for none
   */
  public record Postgres(String url, String user, @Nullable Secret password)
      implements Serializable {}

  /**
   * The Flink cluster.
   *
   * @param savepoints where a halt puts its savepoint; null for the cluster's own folder
   */
  public record Flink(URI rest, @Nullable String savepoints) implements Serializable {}

  /**
   * The rating job.
   *
   * @param group Kafka consumer group
   * @param maxOutOfOrderness how far the watermark stays behind the newest start
   * @param idleAfter silence after which a partition no longer holds the watermark
   * @param maxAhead how far a start may lie after the broker's append time
   */
  public record Rating(
      String group,
      Duration maxOutOfOrderness,
      Duration idleAfter,
      Duration maxAhead,
      Idempotency idempotency,
      Gate gate)
      implements Serializable {}

  /**
   * How the rating job learns whether charging may go on.
   *
   * @param poll how often it reads that
   * @param lease how long a reader goes on without hearing that it may
   */
  public record Gate(Duration poll, Duration lease) implements Serializable {}

  /**
   * How repeats are recognized.
   *
   * @param store what has the last word: {@code cassandra}
   * @param ttl how long keyed state vouches for an event, by the day of the event
   */
  public record Idempotency(String store, Duration ttl) implements Serializable {}

  /**
   * How the ledger is laid out and written.
   *
   * @param buckets partitions per usage hour
   * @param saltedAccounts accounts spread over all buckets
   * @param maxInFlight requests that one writer has under way at most
   * @param batchRows rows of one partition sent in one request
   * @param requestTimeout after this a request is sent again
   */
  public record Ledger(
      int buckets,
      List<String> saltedAccounts,
      int maxInFlight,
      int batchRows,
      Duration requestTimeout)
      implements Serializable {}

  /**
   * Job parameter that says which installation a job belongs to: {@link #installation}. Flink shows
   * it with the job.
   */
  public static final String INSTALLATION = "tollgate.installation";

  /**
   * Returns what tells this installation's jobs from those of others on the same Flink cluster:
   * what they read, and what they write.
   */
  public String installation() {
    return kafka.bootstrapServers()
        + " "
        + kafka.topics().cdr()
        + " "
        + rating.group()
        + " "
        + cassandra.keyspace();
  }

  /**
   * Reconciliation.
   *
   * @param onMismatch {@code halt} or {@code warn}
   * @param required whether charging pauses while reconciliation is not alive
   * @param missedCycles after so many intervals without a completed cycle it is not
   * @param stopJob whether a halt also stops the rating job with a savepoint
   * @param sweep how long it takes until every bucket of an open hour was read
   * @param verifyAgain how long it takes until everything balanced is read once more
   * @param settleAfter how long a balanced hour must have been without change to be settled
   * @param keepCycles how long cycles are kept in PostgreSQL
   * @param keepResults how long settled batches and differences that are gone are kept there
   */
  public record Reconcile(
      Duration interval,
      String onMismatch,
      boolean required,
      int missedCycles,
      boolean stopJob,
      Duration sweep,
      Duration verifyAgain,
      Duration settleAfter,
      Duration keepCycles,
      Duration keepResults)
      implements Serializable {}

  /**
   * A source of CDR files.
   *
   * @param id name of the source in this file
   * @param switchId declared identity of the switch, shared by all its collectors
   * @param format name of the file format
   * @param zone of stamps that carry none; null if not given
   * @param country ISO 3166 code for national numbers; null if not given
   * @param account where the account is found; null for the format's usual place
   * @param legs {@code a}, {@code b} or {@code both}
   * @param identity {@code native} or {@code content}
   * @param columns names of the columns, with commas between; null for the format's own layout
   * @param market market that its charges are settled for
   * @param controlTotalDeadline how long the control total of a batch may be missing
   * @param onMissing {@code halt} or {@code warn}: what a missing total, file or feed does
   * @param cadence how often it says something at least; null if silence means nothing
   * @param sequence regular expression of its files' names, whose one group is their number; null
   *     if they are not numbered
   */
  public record Source(
      String id,
      String switchId,
      String format,
      @Nullable ZoneId zone,
      @Nullable String country,
      @Nullable String account,
      String legs,
      String identity,
      @Nullable String columns,
      String market,
      Duration controlTotalDeadline,
      String onMissing,
      @Nullable Duration cadence,
      @Nullable String sequence)
      implements Serializable {}

  /**
   * Tariffs.
   *
   * @param leadTime how long before it begins a price must be published
   */
  public record Tariffs(Duration leadTime) implements Serializable {}

  /**
   * The local stack.
   *
   * @param data folder of data and logs; relative to the configuration file unless absolute
   */
  public record Stack(String data, Ports ports) implements Serializable {}

  /** Ports of the local stack, all on the loopback address. */
  public record Ports(
      int kafka,
      int kafkaController,
      int cassandra,
      int cassandraStorage,
      int postgres,
      int flinkRest,
      int flinkRpc,
      int flinkMetrics)
      implements Serializable {}
}
