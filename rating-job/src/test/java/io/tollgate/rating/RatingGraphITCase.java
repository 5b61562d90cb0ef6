package io.tollgate.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.rating.Rating;
import io.tollgate.rating.dedup.DeduplicateAndRate.DedupSettings;
import io.tollgate.rating.ingest.Arrival;
import io.tollgate.rating.ingest.ArrivalWatermarks;
import io.tollgate.rating.receipts.ReceiptPart;
import io.tollgate.rating.receipts.UnitedReceipts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The whole graph on a Flink cluster of this JVM, with its ends in memory. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RatingGraphITCase {
  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(2)
              .build());

  private static final LedgerLayout LAYOUT =
      LedgerLayout.always(new Placement(16, Set.of("account-0-1", "account-1-1")));

  @TempDir private Path directory;

  private final InMemoryLedger ledger = new InMemoryLedger();
  private final CollectingSink<ReceiptPart> receipts = new CollectingSink<>();
  private final CollectingSink<Result> suspended = new CollectingSink<>();
  private final CollectingSink<Result> rejected = new CollectingSink<>();

  @Test
  void chargesEachCdrOnceThroughAFailure() throws Exception {
    ArrivalStream stream = ArrivalStream.generate(1, 2, 25_000);
    ledger.failAtAdd(stream.rows().size() / 2);

    StreamExecutionEnvironment env = environment(2, new Configuration());
    build(env, stream, RateLimiterStrategy.perSecond(8_000));
    env.execute("rating with a failure");

    assertThat(ledger.adds()).as("what was read again").isGreaterThan(stream.rows().size());
    assertEverythingAccountedFor(stream);
    assertThat(ledger.rows().values())
        .as("late ones are charged, and marked")
        .anyMatch(Charge::late)
        .anyMatch(charge -> !charge.late());
    assertThat(ledger.lookups()).as("this state has seen everything").isZero();
  }

  @Test
  void remembersWhatWasRatedFromASavepointAtAnotherParallelism() throws Exception {
    ArrivalStream stream = ArrivalStream.generate(2, 1, 12_000);
    int half = stream.arrivals().size() / 2;

    StreamExecutionEnvironment one = environment(1, new Configuration());
    build(one, stream, new Gate(Shared.of(new AtomicLong(half))));
    JobClient first = one.executeAsync("rating, first half");
    await().atMost(Duration.ofSeconds(100)).until(() -> accountedFor() == half);
    String savepoint =
        first
            .stopWithSavepoint(
                false,
                directory.resolve("savepoints").toUri().toString(),
                SavepointFormatType.CANONICAL)
            .get();

    Configuration restored = new Configuration();
    restored.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    StreamExecutionEnvironment two = environment(2, restored);
    build(two, stream, new Gate(Shared.of(new AtomicLong(Long.MAX_VALUE))));
    two.execute("rating, second half");

    assertEverythingAccountedFor(stream);
    assertThat(ledger.adds()).as("nothing was charged twice").isEqualTo(stream.rows().size());
    assertThat(ledger.lookups()).isZero();
  }

  private void assertEverythingAccountedFor(ArrivalStream stream) throws Exception {
    assertThat(differences(rows(stream.rows()), rows(ledger.rows()))).as("rows").isEmpty();

    Map<String, NavigableMap<Long, Outcome>> outcomes =
        UnitedReceipts.of(receipts.collected()).outcomes();
    assertThat(outcomes.keySet()).isEqualTo(stream.outcomes().keySet());
    stream
        .outcomes()
        .forEach(
            (batch, expected) ->
                assertThat(differences(expected, outcomes.get(batch))).as(batch).isEmpty());
    assertThat(count(outcomes)).isEqualTo(stream.arrivals().size());

    assertThat(differences(places(stream, Outcome.REJECTED), places(rejected.collected())))
        .as("rejected")
        .isEmpty();
    assertThat(
            differences(
                places(stream, Outcome.SUSPENDED, Outcome.CONFLICT), places(suspended.collected())))
        .as("suspended")
        .isEmpty();
  }

  /** Names some of what differs; whole maps of this size take minutes to print. */
  private static <K, V> List<String> differences(Map<K, V> expected, Map<K, V> actual) {
    Set<K> keys = new HashSet<>(expected.keySet());
    keys.addAll(actual.keySet());
    return keys.stream()
        .filter(key -> !Objects.equals(expected.get(key), actual.get(key)))
        .map(key -> key + ": " + actual.get(key) + " (expected: " + expected.get(key) + ")")
        .limit(5)
        .toList();
  }

  private static Map<String, Row> rows(Map<String, Charge> charges) {
    Map<String, Row> rows = new HashMap<>();
    charges.forEach(
        (key, charge) -> rows.put(key, new Row(charge.cdr(), charge.origin(), charge.rating())));
    return rows;
  }

  /** A row without the mark of being late, which depends on how the readers kept pace. */
  private record Row(Cdr cdr, Origin origin, Rating.Priced rating) {}

  private static int count(Map<String, NavigableMap<Long, Outcome>> outcomes) {
    return outcomes.values().stream().mapToInt(Map::size).sum();
  }

  private static Map<String, Boolean> places(List<Result> results) {
    Map<String, Boolean> places = new HashMap<>();
    results.forEach(result -> places.put(place(result.origin()), true));
    return places;
  }

  private static Map<String, Boolean> places(ArrivalStream stream, Outcome... outcomes) {
    Map<String, Boolean> places = new HashMap<>();
    for (Arrival arrival : stream.arrivals()) {
      Origin origin = arrival.origin();
      Outcome outcome =
          stream.outcomes().get(origin.source() + "\n" + origin.batch()).get(origin.batchSeq());
      if (List.of(outcomes).contains(outcome)) {
        places.put(place(origin), true);
      }
    }
    return places;
  }

  private static String place(Origin origin) {
    return origin.partition() + "@" + origin.offset();
  }

  private int accountedFor() throws Exception {
    return count(UnitedReceipts.of(receipts.collected()).outcomes());
  }

  private StreamExecutionEnvironment environment(int parallelism, Configuration more) {
    Configuration configuration = new Configuration(more);
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    configuration.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    configuration.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ofMillis(20));
    configuration.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
    configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(200));
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory.resolve("checkpoints").toUri() + "");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    env.setParallelism(parallelism);
    return env;
  }

  private void build(
      StreamExecutionEnvironment env, ArrivalStream stream, RateLimiterStrategy<?> pace) {
    DataGeneratorSource<Arrival> source =
        new DataGeneratorSource<>(
            new ByNumber(Shared.of(stream.arrivals())),
            stream.arrivals().size(),
            pace,
            TypeInformation.of(Arrival.class));
    RatingGraph.build(
        env,
        LAYOUT,
        new DedupSettings(Long.MIN_VALUE, Duration.ofDays(90), Duration.ofHours(1)),
        new RatingGraph.Ends(
            source,
            ArrivalWatermarks.strategy(Duration.ofHours(1), Duration.ofSeconds(30)),
            TestCdrs.tariffs(),
            ledger,
            receipts,
            suspended,
            rejected));
  }

  /** Reads the stream from any number on, as Kafka does from any offset. */
  private record ByNumber(Shared<List<Arrival>> arrivals)
      implements GeneratorFunction<Long, Arrival> {
    @Override
    public Arrival map(Long number) {
      return arrivals.get().get(number.intValue());
    }
  }

  /** Lets so many records through and then no more; the job stays up. */
  private record Gate(Shared<AtomicLong> permits)
      implements RateLimiterStrategy<NumberSequenceSplit> {
    @Override
    public RateLimiter<NumberSequenceSplit> createRateLimiter(int parallelism) {
      return new RateLimiter<>() {
        @Override
        public CompletionStage<Void> acquire(int count) {
          boolean open = permits.get().getAndAdd(-count) >= count;
          return open ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        }
      };
    }
  }
}
