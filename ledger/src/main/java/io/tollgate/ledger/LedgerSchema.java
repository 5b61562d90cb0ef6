package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates the ledger's keyspace, types and tables, and checks that they are as this version expects
 * them. Creating is idempotent; it never alters or drops what is there.
 */
public final class LedgerSchema {
  /** Version of the schema that this program writes and reads. */
  static final int VERSION = 1;

  /** Name of the hash that spreads accounts over shards; see {@link Placement#shard}. */
  static final String HASH = "string-murmur3fmix-2048";

  static final String CHARGES = "charges";
  private static final String HALTS = "halts";
  private static final String HEARTBEATS = "heartbeats";
  private static final String LEDGER = "ledger";
  private static final long FROM_THE_BEGINNING = 0;
  private static final Duration DDL_TIMEOUT = Duration.ofSeconds(30);

  private final LedgerSession session;
  private final CqlSession cql;
  private final String keyspace;

  private LedgerSchema(LedgerSession session) {
    this.session = session;
    this.cql = session.cql();
    this.keyspace = session.keyspace();
  }

  /**
   * Creates what is missing and checks the rest. Not for two processes at once: Cassandra's schema
   * changes may collide.
   *
   * @param placement how the charges of a new ledger are spread; an existing ledger must have been
   *     created with the same
   * @return the layout that the ledger records
   * @throws LedgerException if the ledger there differs from what is expected
   */
  public static LedgerLayout create(LedgerSession session, Placement placement) {
    LedgerSchema schema = new LedgerSchema(session);
    // The driver would read the whole schema again after each statement, a second each.
    session.cql().setSchemaMetadataEnabled(false);
    try {
      schema.createObjects();
    } finally {
      session.cql().setSchemaMetadataEnabled(null);
    }
    session.cql().refreshSchema();
    schema.recordNewLedger(placement);
    return verify(session, placement);
  }

  /**
   * Checks the ledger without changing it.
   *
   * @param placement the placement that the configuration names
   * @return the layout that the ledger records
   * @throws LedgerException naming everything that differs from what is expected
   */
  public static LedgerLayout verify(LedgerSession session, Placement placement) {
    LedgerLayout layout = verify(session);
    requireSame(newest(layout).placement(), placement);
    return layout;
  }

  /**
   * Checks the ledger without changing it, for those who read and take the layout as it is.
   *
   * @throws LedgerException naming everything that differs from what is expected
   */
  public static LedgerLayout verify(LedgerSession session) {
    LedgerSchema schema = new LedgerSchema(session);
    schema.requireVersion();
    schema.requireObjects();
    return schema.layout();
  }

  /** Returns the era that the newest hours lie in. */
  static LedgerLayout.Era newest(LedgerLayout layout) {
    return layout.eras().get(layout.eras().size() - 1);
  }

  private void createObjects() {
    ddl(
        "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': 'NetworkTopologyStrategy',"
            + " '"
            + session.connection().datacenter().replace("'", "''")
            + "': "
            + session.connection().replicationFactor()
            + "} AND durable_writes = true");
    ddl(
        "CREATE TYPE IF NOT EXISTS %s."
            + ChargeType.STEP_NAME
            + " ("
            + ChargeType.columns(ChargeType.STEP_FIELDS)
            + ")");
    ddl(
        "CREATE TYPE IF NOT EXISTS %s."
            + ChargeType.NAME
            + " ("
            + ChargeType.columns(ChargeType.FIELDS)
            + ")");
    // No TTL: the ledger is for ever, and an expiring cell would beat a live one. Unified
    // compaction, because closed hours are never written again and open ones all the time.
    ddl(
        "CREATE TABLE IF NOT EXISTS %s."
            + CHARGES
            + " (usage_hour int, bucket int, account_id text, event_id text, revision bigint,"
            + " charge frozen<"
            + ChargeType.NAME
            + ">, PRIMARY KEY ((usage_hour, bucket), account_id, event_id, revision))"
            + " WITH default_time_to_live = 0"
            + " AND compaction = {'class': 'UnifiedCompactionStrategy'}"
            + " AND comment = 'Charges. The first write of a row stands.'");
    ddl(
        "CREATE TABLE IF NOT EXISTS %s.ledger_schema (ledger text PRIMARY KEY, version int)"
            + " WITH comment = 'Version of the schema.'");
    ddl(
        "CREATE TABLE IF NOT EXISTS %s.ledger_layout (ledger text, from_hour bigint, buckets int,"
            + " shards int, hash text, salted_accounts frozen<set<text>>,"
            + " PRIMARY KEY (ledger, from_hour))"
            + " WITH comment = 'Where charges lie, from an hour on.'");
    ddl(
        "CREATE TABLE IF NOT EXISTS %s.writer_numbers (counter text PRIMARY KEY, taken bigint)"
            + " WITH comment = 'Numbers of the writers, each taken once.'");
    ddl(
        "CREATE TABLE IF NOT EXISTS %s.job_leases (topic text, consumer_group text, owner text,"
            + " holder text, renewals bigint, PRIMARY KEY ((topic, consumer_group)))"
            + " WITH comment = 'Which job rates a topic. Rows end by themselves.'");
    // One partition, so that a row and the static column change in one transaction.
    ddl(
        "CREATE TABLE IF NOT EXISTS %s."
            + HALTS
            + " (gate text, halt_id text, entry text, entry_id text, unresolved set<text> static,"
            + " kind text, reason text, items text, resolution text, savepoint text, who text, at"
            + " timestamp, PRIMARY KEY ((gate), halt_id, entry, entry_id)) WITH"
            + " default_time_to_live = 0 AND comment = 'Halts and their resolutions. Rows are only"
            + " inserted.'");
    ddl(
        "CREATE TABLE IF NOT EXISTS %s."
            + HEARTBEATS
            + " (role text PRIMARY KEY, sequence bigint)"
            + " WITH comment = 'Numbers that rise while a job is alive.'");
    if (!cql.checkSchemaAgreement()) {
      throw new LedgerException(
          "The nodes of the cluster disagree about the schema (expected: agreement within seconds;"
              + " see 'nodetool describecluster')");
    }
  }

  private void recordNewLedger(Placement placement) {
    // Conditional, so that creating again cannot change what is recorded.
    execute(
        SimpleStatement.newInstance(
            "INSERT INTO "
                + keyspace
                + ".ledger_layout (ledger, from_hour, buckets, shards, hash, salted_accounts)"
                + " VALUES (?, ?, ?, ?, ?, ?) IF NOT EXISTS",
            LEDGER,
            FROM_THE_BEGINNING,
            placement.buckets(),
            Placement.SHARDS,
            HASH,
            placement.saltedAccounts()));
    execute(
        SimpleStatement.newInstance(
            "INSERT INTO "
                + keyspace
                + ".ledger_schema (ledger, version) VALUES (?, ?) IF NOT EXISTS",
            LEDGER,
            VERSION));
  }

  private void requireVersion() {
    if (cql.getMetadata().getKeyspace(keyspace).isEmpty()
        || tables().get(CqlIdentifier.fromInternal("ledger_schema")) == null) {
      throw new LedgerException(
          "cassandra.keyspace: "
              + keyspace
              + " holds no ledger (expected: one made by './tollgate up')");
    }
    Row row =
        execute(
            SimpleStatement.newInstance(
                "SELECT version FROM " + keyspace + ".ledger_schema WHERE ledger = ?", LEDGER));
    if (row == null || row.getInt("version") != VERSION) {
      throw new LedgerException(
          "Schema of keyspace "
              + keyspace
              + ": version "
              + (row == null ? "not recorded" : row.getInt("version"))
              + " (expected: "
              + VERSION
              + "; use the version of Tollgate that fits the ledger)");
    }
  }

  private void requireObjects() {
    KeyspaceMetadata metadata = cql.getMetadata().getKeyspace(keyspace).orElseThrow();
    List<String> differences = new ArrayList<>();
    compareType(metadata, ChargeType.NAME, ChargeType.FIELDS, differences);
    compareType(metadata, ChargeType.STEP_NAME, ChargeType.STEP_FIELDS, differences);
    compareCharges(metadata, differences);
    comparePresence(metadata, HALTS, differences);
    comparePresence(metadata, HEARTBEATS, differences);
    compareReplication(metadata, differences);
    if (!differences.isEmpty()) {
      throw new LedgerException(
          "Keyspace " + keyspace + " differs:\n" + String.join("\n", differences));
    }
  }

  private void compareType(
      KeyspaceMetadata metadata,
      String name,
      List<ChargeType.Field> expected,
      List<String> differences) {
    Optional<UserDefinedType> type = metadata.getUserDefinedType(name);
    if (type.isEmpty()) {
      differences.add("type " + name + ": absent (expected: present)");
      return;
    }
    List<String> found = fieldsOf(type.get());
    for (int i = 0; i < Math.max(found.size(), expected.size()); i++) {
      String has = i < found.size() ? found.get(i) : "absent";
      String wants =
          i < expected.size()
              ? expected.get(i).name() + " " + normalized(expected.get(i).cqlType())
              : "absent";
      if (!has.equals(wants)) {
        differences.add(
            "type " + name + ", field " + (i + 1) + ": " + has + " (expected: " + wants + ")");
      }
    }
  }

  private List<String> fieldsOf(UserDefinedType type) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < type.getFieldNames().size(); i++) {
      String cqlType = type.getFieldTypes().get(i).asCql(true, false);
      fields.add(type.getFieldNames().get(i).asInternal() + " " + normalized(cqlType));
    }
    return fields;
  }

  private static void compareCharges(KeyspaceMetadata metadata, List<String> differences) {
    Optional<TableMetadata> table = metadata.getTable(CHARGES);
    if (table.isEmpty()) {
      differences.add("table " + CHARGES + ": absent (expected: present)");
      return;
    }
    List<String> key =
        table.get().getPrimaryKey().stream()
            .map(column -> column.getName().asInternal() + " " + column.getType())
            .toList();
    List<String> expected =
        List.of(
            "usage_hour INT", "bucket INT", "account_id TEXT", "event_id TEXT", "revision BIGINT");
    if (!key.equals(expected)) {
      differences.add("table " + CHARGES + ": key " + key + " (expected: " + expected + ")");
    }
    Object timeToLive =
        table.get().getOptions().get(CqlIdentifier.fromInternal("default_time_to_live"));
    if (timeToLive instanceof Integer seconds && seconds != 0) {
      differences.add(
          "table " + CHARGES + ": default_time_to_live " + seconds + " (expected: 0, for ever)");
    }
  }

  private static void comparePresence(
      KeyspaceMetadata metadata, String table, List<String> differences) {
    if (metadata.getTable(table).isEmpty()) {
      differences.add(
          "table " + table + ": absent (expected: present; './tollgate up' makes what is missing)");
    }
  }

  private void compareReplication(KeyspaceMetadata metadata, List<String> differences) {
    Map<String, String> replication = metadata.getReplication();
    String expected = Integer.toString(session.connection().replicationFactor());
    String found = replication.get(session.connection().datacenter());
    if (!expected.equals(found)) {
      differences.add(
          "cassandra.replication_factor: "
              + expected
              + " (expected: what the keyspace has, "
              + replication
              + "; to change that use ALTER KEYSPACE and 'nodetool repair')");
    }
  }

  private LedgerLayout layout() {
    List<LedgerLayout.Era> eras = new ArrayList<>();
    for (Row row :
        cql.execute(
            SimpleStatement.newInstance(
                    "SELECT * FROM " + keyspace + ".ledger_layout WHERE ledger = ?", LEDGER)
                .setIdempotent(true))) {
      if (!HASH.equals(row.getString("hash")) || row.getInt("shards") != Placement.SHARDS) {
        throw new LedgerException(
            "Ledger layout: hash "
                + row.getString("hash")
                + " over "
                + row.getInt("shards")
                + " shards (expected: "
                + HASH
                + " over "
                + Placement.SHARDS
                + "; use the version of Tollgate that wrote this ledger)");
      }
      Set<String> salted = row.getSet("salted_accounts", String.class);
      eras.add(
          new LedgerLayout.Era(
              row.getLong("from_hour"),
              new Placement(row.getInt("buckets"), salted == null ? Set.of() : salted)));
    }
    if (eras.isEmpty()) {
      throw new LedgerException("Ledger layout: not recorded (expected: at least one row)");
    }
    return new LedgerLayout(eras);
  }

  private static void requireSame(Placement recorded, Placement configured) {
    List<String> differences = new ArrayList<>();
    if (recorded.buckets() != configured.buckets()) {
      differences.add(
          "ledger.buckets: "
              + configured.buckets()
              + " (expected: "
              + recorded.buckets()
              + ", as the ledger records)");
    }
    if (!recorded.saltedAccounts().equals(configured.saltedAccounts())) {
      differences.add(
          "ledger.salted_accounts: "
              + configured.saltedAccounts().stream().sorted().toList()
              + " (expected: "
              + recorded.saltedAccounts().stream().sorted().toList()
              + ", as the ledger records)");
    }
    if (!differences.isEmpty()) {
      throw new LedgerException(String.join("\n", differences));
    }
  }

  private Map<CqlIdentifier, TableMetadata> tables() {
    return cql.getMetadata().getKeyspace(keyspace).orElseThrow().getTables();
  }

  private void ddl(String statement) {
    cql.execute(
        SimpleStatement.newInstance(statement.replace("%s", keyspace)).setTimeout(DDL_TIMEOUT));
  }

  private @Nullable Row execute(SimpleStatement statement) {
    return cql.execute(statement.setIdempotent(true).setTimeout(DDL_TIMEOUT)).one();
  }

  private String normalized(String cqlType) {
    return cqlType.replace(" ", "").replace("\"", "").replace(keyspace + ".", "");
  }
}
