package io.tollgate.ledger.gate;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.tollgate.ledger.LedgerException;
import io.tollgate.ledger.LedgerSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Halts and what people answered to them: rows that are only inserted, and one static column that
 * names the differences without a resolution.
 *
 * <p><b>Why the gate can be read from that column alone.</b> All rows lie in one partition, so one
 * lightweight transaction covers several of them: a halt is recorded and its differences are added
 * to the column, or neither; a resolution is recorded and its difference is taken off, or neither.
 * There is no moment, and no crash, between the two. A poll reads the column and no row, however
 * many years of halts there are; a partition of ten years with a halt a day is a few megabytes.
 *
 * <p><b>Why no clock matters.</b> Of two transactions on a partition the later one has the larger
 * timestamp whatever the clocks say, since Cassandra orders them by ballots and takes no timestamp
 * from the client. An acknowledgement names a halt and a difference by their ids, so it cannot
 * cover another halt, raised earlier or later. The times in the rows are for people.
 *
 * <p>Lightweight transactions cost tens of milliseconds each; there is one for a halt and one for
 * each resolution. Requests are repeated until they are answered: each is the same when it is
 * carried out twice. Safe for many threads.
 */
public final class HaltLog {
  static final String TABLE = "halts";

  /** The partition. One ledger has one gate. */
  static final String GATE = "rating";

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String ENTRY_HALT = "halt";
  private static final String ENTRY_DIFFERENCE = "difference";
  private static final String ENTRY_ACKNOWLEDGEMENT = "acknowledgement";
  private static final String ENTRY_SAVEPOINT = "savepoint";
  private static final String NO_ENTRY_ID = "";
  private static final String AFTER_EVERY_ID_CHARACTER = "~";

  private final CqlSession cql;
  private final PreparedStatement insertHalt;
  private final PreparedStatement insertDifference;
  private final PreparedStatement insertAcknowledgement;
  private final PreparedStatement insertSavepoint;
  private final PreparedStatement addUnresolved;
  private final PreparedStatement removeUnresolved;
  private final PreparedStatement selectUnresolved;
  private final PreparedStatement selectHalt;
  private final PreparedStatement selectAll;
  private final PreparedStatement selectFrom;

  /** Creates the log on a session, which stays the caller's. */
  public HaltLog(LedgerSession session) {
    cql = session.cql();
    String table = session.keyspace() + "." + TABLE;
    String insert = "INSERT INTO " + table + " (gate, halt_id, entry, entry_id, ";
    insertHalt =
        cql.prepare(insert + "reason, who, at) VALUES (?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS");
    insertDifference = cql.prepare(insert + "kind, reason, items) VALUES (?, ?, ?, ?, ?, ?, ?)");
    insertAcknowledgement =
        cql.prepare(
            insert + "resolution, reason, who, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS");
    insertSavepoint =
        cql.prepare(insert + "savepoint, at) VALUES (?, ?, ?, ?, ?, ?) IF NOT EXISTS");
    addUnresolved =
        cql.prepare("UPDATE " + table + " SET unresolved = unresolved + ? WHERE gate = ?");
    removeUnresolved =
        cql.prepare("UPDATE " + table + " SET unresolved = unresolved - ? WHERE gate = ?");
    selectUnresolved = cql.prepare(selectUnresolved(session));
    String select = "SELECT * FROM " + table + " WHERE gate = ?";
    selectHalt = cql.prepare(select + " AND halt_id = ?");
    selectAll = cql.prepare(select);
    selectFrom = cql.prepare(select + " AND halt_id >= ? AND halt_id < ?");
  }

  static String selectUnresolved(LedgerSession session) {
    return "SELECT DISTINCT gate, unresolved FROM "
        + session.keyspace()
        + "."
        + TABLE
        + " WHERE gate = ?";
  }

  /**
   * Raises a halt: once this returns, no poll of the gate finds it open. Raising an id that is
   * recorded already changes nothing, whatever else it says.
   *
   * @return whether it was recorded now and not before
   * @throws LedgerException if the ledger refuses, or does not answer for two minutes
   */
  public boolean raise(Halt halt) throws InterruptedException {
    BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.UNLOGGED);
    batch.addStatement(
        insertHalt.bind(
            GATE,
            halt.id(),
            ENTRY_HALT,
            NO_ENTRY_ID,
            halt.cause(),
            halt.raisedBy(),
            halt.raisedAt()));
    for (Difference difference : halt.differences()) {
      batch.addStatement(
          insertDifference.bind(
              GATE,
              halt.id(),
              ENTRY_DIFFERENCE,
              difference.id(),
              difference.kind(),
              difference.description(),
              difference.items()));
      batch.addStatement(
          addUnresolved.bind(
              Set.of(new OpenDifference(halt.id(), difference.id()).encoded()), GATE));
    }
    return isApplied("The halt cannot be recorded", batch.build());
  }

  /** Returns all halts, in the order in which their raisers' clocks put them. */
  public List<RecordedHalt> halts() throws InterruptedException {
    List<RecordedHalt> halts =
        new ArrayList<>(recorded(rows("The halts cannot be read", selectAll.bind(GATE))).values());
    halts.sort(
        Comparator.comparing((RecordedHalt recorded) -> recorded.halt().raisedAt())
            .thenComparing(recorded -> recorded.halt().id()));
    return halts;
  }

  /** Returns the halts that keep the gate closed. Reads no others. */
  public List<RecordedHalt> open() throws InterruptedException {
    List<RecordedHalt> open = new ArrayList<>();
    for (String id : openIds()) {
      find(id).filter(RecordedHalt::isOpen).ifPresent(open::add);
    }
    return open;
  }

  /** Returns the ids of the halts that keep the gate closed, in no meaningful order. */
  public List<String> openIds() throws InterruptedException {
    List<Row> rows = rows("The open halts cannot be read", selectUnresolved.bind(GATE));
    return rows.isEmpty() ? List.of() : haltIds(rows.get(0).getSet("unresolved", String.class));
  }

  /** Returns a halt, if it is recorded. */
  public Optional<RecordedHalt> find(String haltId) throws InterruptedException {
    List<Row> rows = rows("The halt cannot be read", selectHalt.bind(GATE, haltId));
    return Optional.ofNullable(recorded(rows).get(haltId));
  }

  /** Returns the halts whose ids begin with {@code prefix}. */
  public List<RecordedHalt> findByPrefix(String prefix) throws InterruptedException {
    List<Row> rows =
        rows(
            "The halts cannot be read",
            selectFrom.bind(GATE, prefix, prefix + AFTER_EVERY_ID_CHARACTER));
    return List.copyOf(recorded(rows).values());
  }

  /**
   * Records the resolution of one difference. The gate opens when the last difference of the last
   * halt has one.
   *
   * @return the resolution that stands: this one, or an earlier one of the same difference
   * @throws IllegalArgumentException if there is no such halt or difference
   * @throws LedgerException if the ledger refuses, or does not answer for two minutes
   */
  public Acknowledgement acknowledge(String haltId, Acknowledgement acknowledgement)
      throws InterruptedException {
    requireDifference(haltId, acknowledgement.differenceId());
    BatchStatement batch =
        BatchStatement.newInstance(
            DefaultBatchType.UNLOGGED,
            insertAcknowledgement.bind(
                GATE,
                haltId,
                ENTRY_ACKNOWLEDGEMENT,
                acknowledgement.differenceId(),
                acknowledgement.resolution().name(),
                acknowledgement.reason(),
                acknowledgement.who(),
                acknowledgement.at()),
            removeUnresolved.bind(
                Set.of(new OpenDifference(haltId, acknowledgement.differenceId()).encoded()),
                GATE));
    isApplied("The resolution cannot be recorded", batch);
    return find(haltId)
        .flatMap(halt -> halt.acknowledgementOf(acknowledgement.differenceId()))
        .orElseThrow(
            () -> new LedgerException("Halt " + haltId + ": its resolution is gone again"));
  }

  /**
   * Records with which savepoint a job was stopped. The first one of a job stands.
   *
   * @return whether it was recorded now and not before
   */
  public boolean recordSavepoint(String haltId, HaltSavepoint savepoint)
      throws InterruptedException {
    return isApplied(
        "The savepoint cannot be recorded",
        insertSavepoint.bind(
            GATE, haltId, ENTRY_SAVEPOINT, savepoint.job(), savepoint.path(), savepoint.at()));
  }

  /** Returns the halts that elements of the static column belong to. */
  static List<String> haltIds(@Nullable Set<String> unresolved) {
    return unresolved == null
        ? List.of()
        : unresolved.stream()
            .map(element -> OpenDifference.decode(element).haltId())
            .distinct()
            .sorted()
            .toList();
  }

  private void requireDifference(String haltId, String differenceId) throws InterruptedException {
    RecordedHalt recorded =
        find(haltId)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "halt: " + haltId + " (expected: one of './tollgate halt status')"));
    List<String> known = recorded.halt().differences().stream().map(Difference::id).toList();
    if (!known.contains(differenceId)) {
      throw new IllegalArgumentException(
          "difference: " + differenceId + " (expected: one of halt " + haltId + ": " + known + ")");
    }
  }

  private boolean isApplied(String what, Statement<?> statement) throws InterruptedException {
    return PatientRequest.run(
        what, () -> cql.execute(statement.setIdempotent(true).setTimeout(TIMEOUT)).wasApplied());
  }

  private List<Row> rows(String what, BoundStatement statement) throws InterruptedException {
    // Serial, so that a transaction whose outcome its sender did not hear is finished first.
    return PatientRequest.run(
        what,
        () ->
            cql.execute(
                    statement
                        .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL)
                        .setIdempotent(true)
                        .setTimeout(TIMEOUT))
                .all());
  }

  private static Map<String, RecordedHalt> recorded(List<Row> rows) {
    TreeMap<String, Entries> entries = new TreeMap<>();
    for (Row row : rows) {
      String haltId = row.getString("halt_id");
      if (haltId != null) {
        entries.computeIfAbsent(haltId, Entries::new).add(row);
      }
    }
    TreeMap<String, RecordedHalt> halts = new TreeMap<>();
    entries.forEach((id, found) -> halts.put(id, found.halt()));
    return halts;
  }

  /** The rows of one halt. */
  private static final class Entries {
    private final String id;
    private final List<Difference> differences = new ArrayList<>();
    private final List<Acknowledgement> acknowledgements = new ArrayList<>();
    private final List<HaltSavepoint> savepoints = new ArrayList<>();
    private @Nullable Row halt;

    Entries(String id) {
      this.id = id;
    }

    void add(Row row) {
      String entryId = text(row, "entry_id");
      String entry = text(row, "entry");
      switch (entry) {
        case ENTRY_HALT -> halt = row;
        case ENTRY_DIFFERENCE ->
            differences.add(
                new Difference(
                    entryId, text(row, "kind"), text(row, "reason"), text(row, "items")));
        case ENTRY_ACKNOWLEDGEMENT ->
            acknowledgements.add(
                new Acknowledgement(
                    entryId,
                    Resolution.valueOf(text(row, "resolution")),
                    text(row, "reason"),
                    text(row, "who"),
                    time(row)));
        case ENTRY_SAVEPOINT ->
            savepoints.add(new HaltSavepoint(entryId, text(row, "savepoint"), time(row)));
        default ->
            throw new LedgerException(
                "Halt "
                    + id
                    + ": entry "
                    + entry
                    + " (expected: one that this version of Tollgate knows; use a newer one)");
      }
    }

    RecordedHalt halt() {
      Row raised = halt;
      if (raised == null) {
        throw new LedgerException(
            "Halt " + id + ": its row is gone (expected: only inserted, never deleted)");
      }
      return new RecordedHalt(
          new Halt(id, text(raised, "reason"), text(raised, "who"), time(raised), differences),
          acknowledgements,
          savepoints);
    }

    private String text(Row row, String column) {
      return present(row.getString(column), column);
    }

    private Instant time(Row row) {
      return present(row.getInstant("at"), "at");
    }

    private <T> T present(@Nullable T value, String column) {
      if (value == null) {
        throw new LedgerException("Halt " + id + ": " + column + " absent (expected: present)");
      }
      return value;
    }
  }
}
