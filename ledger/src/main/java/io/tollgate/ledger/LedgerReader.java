package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Reads charges, with LOCAL_QUORUM, so that what was acknowledged is seen. Safe for many threads.
 *
 * <p>Failed reads are tried again up to the reader's {@link ReadLimit}. Iterators hold a page of
 * rows or a few, never a whole partition, and throw {@link LedgerException}.
 */
public final class LedgerReader {
  /**
   * How far a wrong time zone can move a start, in hours: from UTC-12 to UTC+14. A repeat of an
   * event is looked for that far on either side.
   */
  public static final int ZONE_REACH_HOURS = 26;

  private static final int PAGE_ROWS = 500;
  private static final int PARTITIONS_AHEAD = 16;

  /** Parts that the whole ledger is scanned in. */
  public static final int SCAN_RANGES = 64;

  private static final long TOKENS_OF_PART = -(Long.MIN_VALUE / (SCAN_RANGES / 2));

  private final CqlSession cql;
  private final LedgerLayout layout;
  private final RepeatedRead reads;
  private final PreparedStatement byKey;
  private final PreparedStatement byIdentity;
  private final PreparedStatement byIdentityNear;
  private final PreparedStatement byIdentityAround;
  private final PreparedStatement byPartition;
  private final PreparedStatement keysOfPartition;
  private final PreparedStatement byAccount;
  private final PreparedStatement byTokens;
  private final PreparedStatement any;
  private final PreparedStatement names;

  /**
   * @param session stays open while this reader is used
   * @param onRetry told of each read that failed and is tried again, on any thread
   */
  public LedgerReader(
      LedgerSession session,
      LedgerLayout layout,
      ReadLimit limit,
      Consumer<RequestFailure> onRetry) {
    this.cql = session.cql();
    this.layout = layout;
    this.reads = new RepeatedRead(limit, onRetry, new Backoff(Backoff.seedOfThisProcess()));
    String select =
        "SELECT usage_hour, account_id, event_id, revision, charge FROM "
            + session.keyspace()
            + "."
            + LedgerSchema.CHARGES;
    String partition = " WHERE usage_hour = ? AND bucket = ?";
    byKey =
        cql.prepare(select + partition + " AND account_id = ? AND event_id = ? AND revision = ?");
    byIdentity =
        cql.prepare(select + partition + " AND account_id = ? AND event_id = ? AND revision = 0");
    byIdentityNear =
        cql.prepare(
            select
                + " WHERE usage_hour IN ? AND bucket = ?"
                + " AND account_id = ? AND event_id = ? AND revision = 0");
    byIdentityAround =
        cql.prepare(
            select
                + " WHERE usage_hour IN ? AND bucket = ?"
                + " AND account_id = ? AND event_id = ?");
    byPartition = cql.prepare(select + partition);
    keysOfPartition =
        cql.prepare(
            "SELECT account_id, event_id FROM "
                + session.keyspace()
                + "."
                + LedgerSchema.CHARGES
                + partition);
    byAccount = cql.prepare(select + partition + " AND account_id = ?");
    byTokens =
        cql.prepare(
            select + " WHERE token(usage_hour, bucket) > ? AND token(usage_hour, bucket) <= ?");
    names =
        cql.prepare(
            "SELECT DISTINCT usage_hour, bucket FROM "
                + session.keyspace()
                + "."
                + LedgerSchema.CHARGES
                + " WHERE token(usage_hour, bucket) > ? AND token(usage_hour, bucket) <= ?");
    any =
        cql.prepare(
            "SELECT usage_hour FROM "
                + session.keyspace()
                + "."
                + LedgerSchema.CHARGES
                + " LIMIT 1");
  }

  /** Creates a reader that tells nobody of its retries. */
  public LedgerReader(LedgerSession session, LedgerLayout layout, ReadLimit limit) {
    this(session, layout, limit, failure -> {});
  }

  /** Returns the charge of a key, if it is there. */
  public CompletionStage<Optional<Charge>> find(
      long usageHour, String accountId, String eventId, long revision) {
    int bucket = layout.at(usageHour).bucket(accountId, eventId);
    BoundStatement statement =
        byKey.bind(Math.toIntExact(usageHour), bucket, accountId, eventId, revision);
    return execute(statement).thenApply(page -> first(page));
  }

  /**
   * Returns the charges of an identity (revision 0): the one at the hour of {@code startMillis}, or
   * if there is none, those within {@link #ZONE_REACH_HOURS}. Empty if it was never charged there.
   */
  public CompletionStage<List<Charge>> findByIdentity(
      String accountId, String eventId, long startMillis) {
    long usageHour = Placement.usageHour(startMillis);
    int bucket = layout.at(usageHour).bucket(accountId, eventId);
    return execute(byIdentity.bind(Math.toIntExact(usageHour), bucket, accountId, eventId))
        .thenCompose(
            page -> {
              Optional<Charge> here = first(page);
              return here.isPresent()
                  ? CompletableFuture.completedFuture(List.of(here.get()))
                  : findNear(accountId, eventId, usageHour);
            });
  }

  /** Returns whether the ledger holds no charge at all. */
  public CompletionStage<Boolean> isEmpty() {
    return execute(any.bind()).thenApply(page -> page.one() == null);
  }

  /** Returns all charges of a partition, all revisions, by account, event and revision. */
  public Iterator<Charge> partition(long usageHour, int bucket) {
    return new PagedRows<>(
        this::execute,
        List.of(byPartition.bind(Math.toIntExact(usageHour), bucket)),
        1,
        LedgerReader::charge);
  }

  /**
   * Returns the identities of all charges of a partition, by account and event; one that has
   * several revisions comes several times. Reads keys only.
   */
  public Iterator<EventIdentity> identities(long usageHour, int bucket) {
    return new PagedRows<>(
        this::execute,
        List.of(keysOfPartition.bind(Math.toIntExact(usageHour), bucket)),
        1,
        row ->
            EventIdentity.of(
                String.valueOf(row.getString("account_id")),
                String.valueOf(row.getString("event_id"))));
  }

  /**
   * Returns all charges of an account that began in the hours {@code fromHour} (inclusive) to
   * {@code toHour} (exclusive), all revisions, in order of hours; within an hour by bucket, event
   * and revision. Some partitions are read ahead, so that a month of small hours does not take 744
   * round trips one after the other.
   */
  public Iterator<Charge> account(String accountId, long fromHour, long toHour) {
    List<BoundStatement> statements = new ArrayList<>();
    LongStream.range(fromHour, toHour)
        .forEach(
            hour ->
                bucketsOf(accountId, hour)
                    .forEach(
                        bucket ->
                            statements.add(
                                byAccount.bind(Math.toIntExact(hour), bucket, accountId))));
    return new PagedRows<>(this::execute, statements, PARTITIONS_AHEAD, LedgerReader::charge);
  }

  /** Returns every charge of the ledger, all revisions, in no order a person would know. */
  public Iterator<Charge> all() {
    List<BoundStatement> statements = new ArrayList<>(SCAN_RANGES);
    for (int i = 0; i < SCAN_RANGES; i++) {
      statements.add(byTokens.bind(firstToken(i), lastToken(i)));
    }
    return new PagedRows<>(this::execute, statements, 2, LedgerReader::charge);
  }

  /** Takes the name of a partition. */
  @FunctionalInterface
  public interface PartitionName {
    /** Takes it. */
    void take(long usageHour, int bucket);
  }

  /**
   * Tells the names of the partitions that exist in one part of the ledger. Reads no rows.
   *
   * @param part 0 to {@link #SCAN_RANGES} - 1
   * @throws LedgerException if the ledger refuses, or does not answer for as long as the limit says
   */
  public void partitionsOf(int part, PartitionName each) {
    AsyncResultSet page = await(execute(names.bind(firstToken(part), lastToken(part))));
    while (true) {
      for (Row row : page.currentPage()) {
        each.take(row.getInt("usage_hour"), row.getInt("bucket"));
      }
      if (!page.hasMorePages()) {
        return;
      }
      page = await(reads.run(page::fetchNextPage));
    }
  }

  private static long firstToken(int part) {
    return Long.MIN_VALUE + part * TOKENS_OF_PART;
  }

  private static long lastToken(int part) {
    return part == SCAN_RANGES - 1 ? Long.MAX_VALUE : firstToken(part + 1);
  }

  /**
   * Returns all rows of an identity, all revisions, at the hour of {@code startMillis} and within
   * {@link #ZONE_REACH_HOURS} of it.
   */
  public CompletionStage<List<Charge>> findAround(
      String accountId, String eventId, long startMillis) {
    long usageHour = Placement.usageHour(startMillis);
    Map<Integer, List<Integer>> hours = hoursAround(accountId, eventId, usageHour);
    hours
        .computeIfAbsent(
            layout.at(usageHour).bucket(accountId, eventId), bucket -> new ArrayList<>())
        .add(Math.toIntExact(usageHour));
    return findIn(byIdentityAround, hours, accountId, eventId);
  }

  private CompletionStage<List<Charge>> findNear(String accountId, String eventId, long usageHour) {
    return findIn(byIdentityNear, hoursAround(accountId, eventId, usageHour), accountId, eventId);
  }

  /** Returns the hours around one, without it, by the bucket that an identity has in them. */
  private Map<Integer, List<Integer>> hoursAround(
      String accountId, String eventId, long usageHour) {
    Map<Integer, List<Integer>> hoursByBucket = new TreeMap<>();
    for (long hour = usageHour - ZONE_REACH_HOURS; hour <= usageHour + ZONE_REACH_HOURS; hour++) {
      if (hour != usageHour) {
        int bucket = layout.at(hour).bucket(accountId, eventId);
        hoursByBucket.computeIfAbsent(bucket, key -> new ArrayList<>()).add(Math.toIntExact(hour));
      }
    }
    return hoursByBucket;
  }

  /** One request for each bucket, in practice one: the layout seldom changes. */
  private CompletionStage<List<Charge>> findIn(
      PreparedStatement select,
      Map<Integer, List<Integer>> hoursByBucket,
      String accountId,
      String eventId) {
    CompletionStage<List<Charge>> found = CompletableFuture.completedFuture(List.of());
    for (Map.Entry<Integer, List<Integer>> hours : hoursByBucket.entrySet()) {
      BoundStatement statement = select.bind(hours.getValue(), hours.getKey(), accountId, eventId);
      found = found.thenCombine(execute(statement), LedgerReader::withRowsOf);
    }
    return found;
  }

  private IntStream bucketsOf(String accountId, long usageHour) {
    Placement placement = layout.at(usageHour);
    return placement.saltedAccounts().contains(accountId)
        ? IntStream.range(0, placement.buckets())
        : IntStream.of(placement.bucket(accountId, ""));
  }

  private CompletionStage<AsyncResultSet> execute(BoundStatement statement) {
    BoundStatement complete =
        statement
            .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
            .setIdempotent(true)
            .setPageSize(PAGE_ROWS);
    return reads.run(() -> cql.executeAsync(complete));
  }

  private static Optional<Charge> first(AsyncResultSet page) {
    Row row = page.one();
    return row == null ? Optional.empty() : Optional.of(charge(row));
  }

  private static List<Charge> withRowsOf(List<Charge> before, AsyncResultSet page) {
    List<Charge> all = new ArrayList<>(before);
    page.currentPage().forEach(row -> all.add(charge(row)));
    return List.copyOf(all);
  }

  static Charge charge(Row row) {
    String accountId = String.valueOf(row.getString("account_id"));
    String eventId = String.valueOf(row.getString("event_id"));
    ByteBuffer cell = row.getBytesUnsafe("charge");
    if (cell == null) {
      throw new LedgerException(
          "charge of hour "
              + row.getInt("usage_hour")
              + ", account "
              + accountId
              + ", event "
              + eventId
              + ": empty (expected: a charge as Tollgate writes it)");
    }
    return ChargeCodec.decode(accountId, eventId, row.getLong("revision"), cell);
  }

  /** Waits for a read on behalf of an iterator. */
  static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof LedgerException refused) {
        throw refused;
      }
      throw e;
    }
  }
}
