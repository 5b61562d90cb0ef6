package io.tollgate.rating.dedup;

import static io.tollgate.rating.TestCdrs.DAY;
import static io.tollgate.rating.TestCdrs.NOON;
import static io.tollgate.rating.TestCdrs.arrival;
import static io.tollgate.rating.TestCdrs.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.tariff.Publication;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.TariffHistory;
import io.tollgate.domain.tariff.Validity;
import io.tollgate.rating.InMemoryLedger;
import io.tollgate.rating.Result;
import io.tollgate.rating.ShardKey;
import io.tollgate.rating.TestCdrs;
import io.tollgate.rating.dedup.DeduplicateAndRate.DedupSettings;
import io.tollgate.rating.ingest.Arrival;
import io.tollgate.wire.tariff.TariffFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever order the input comes in, however often, and over however many subtasks it is divided:
 * what is charged stays the same, to the last revision.
 */
class AnyOrderTest {
  private static final LedgerLayout LAYOUT = LedgerLayout.always(new Placement(16, Set.of()));
  private static final int CALLS = 400;
  private static final long CHANGE = NOON;
  private static final long CORRECTED_FROM = NOON + 3 * DAY;
  private static final long CORRECTED_TO = NOON + 4 * DAY;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void shouldChargeTheSame(long seed) throws Exception {
    Random random = new Random(seed);
    List<Cdr> calls = calls(random);
    Map<String, List<Object>> expected = charges(calls, 1);
    assertThat(expected).hasSizeGreaterThan(CALLS);

    List<Cdr> again = new ArrayList<>(calls);
    for (int i = 0; i < CALLS; i++) {
      again.add(calls.get(random.nextInt(CALLS)));
    }
    Collections.shuffle(again, random);
    assertThat(charges(again, 1 + random.nextInt(5))).isEqualTo(expected);
  }

  /** Calls around the change of a price and around a corrected day. */
  private static List<Cdr> calls(Random random) {
    List<Cdr> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      long around = i % 2 == 0 ? CHANGE : CORRECTED_FROM + random.nextInt((int) DAY);
      long start = around - 300_000 + random.nextInt(600_000);
      calls.add(call("account-" + random.nextInt(60), "e" + i, start, random.nextInt(900_000)));
    }
    return calls;
  }

  /** Returns what is charged for each event and revision. */
  private static Map<String, List<Object>> charges(List<Cdr> calls, int subtasks) throws Exception {
    ShardKey shardKey = new ShardKey(LAYOUT);
    TariffFeed.Factory tariffs = TestCdrs.tariffs(history());
    Map<String, List<Object>> charges = new TreeMap<>();
    for (int subtask = 0; subtask < subtasks; subtask++) {
      KeyedOneInputStreamOperatorTestHarness<Integer, Arrival, Result> harness =
          new KeyedOneInputStreamOperatorTestHarness<>(
              new DeduplicateAndRate(
                  new DedupSettings(Long.MIN_VALUE, Duration.ofDays(90), Duration.ofHours(1)),
                  shardKey,
                  tariffs,
                  new InMemoryLedger()),
              shardKey,
              Types.INT,
              ShardKey.MAX_PARALLELISM,
              subtasks,
              subtask);
      try {
        harness.open();
        for (int seq = 0; seq < calls.size(); seq++) {
          Arrival arrival = arrival(calls.get(seq), seq);
          if (subtaskOf(shardKey.getKey(arrival), subtasks) == subtask) {
            harness.processElement(arrival, calls.get(seq).startMillis());
          }
        }
        harness.prepareSnapshotPreBarrier(1);
        harness.extractOutputValues().forEach(result -> add(result, charges));
      } finally {
        harness.close();
      }
    }
    return charges;
  }

  private static void add(Result result, Map<String, List<Object>> charges) {
    Charge charge = result.charge();
    if (charge != null) {
      Cdr cdr = charge.cdr();
      String key = cdr.accountId() + ":" + cdr.eventId() + "#" + charge.revision();
      List<Object> before = charges.put(key, List.of(cdr, charge.rating()));
      assertThat(before).as(key + " charged twice").isNull();
    }
  }

  private static int subtaskOf(int key, int subtasks) {
    return KeyGroupRangeAssignment.assignKeyToParallelOperator(
        key, ShardKey.MAX_PARALLELISM, subtasks);
  }

  private static TariffHistory history() {
    Publication first = Publication.after(TariffHistory.EMPTY, britain("0.10", "0.30"), NOON);
    TariffHistory history = TariffHistory.EMPTY.with(first.book());
    Publication corrected =
        Publication.after(history, britain("0.10", "0.20"), NOON + 30 * DAY)
            .asCorrection(history, "typing error");
    return history.with(corrected.correction().orElseThrow());
  }

  private static TariffBook britain(String price, String onCorrectedDay) {
    return TariffBook.builder(0)
        .plan(
            "p",
            plan ->
                plan.rate(
                        r ->
                            r.voice("+44", "UK")
                                .perMinute("0.05")
                                .valid(new Validity(Long.MIN_VALUE, CHANGE)))
                    .rate(
                        r ->
                            r.voice("+44", "UK")
                                .perMinute(price)
                                .valid(new Validity(CHANGE, CORRECTED_FROM)))
                    .rate(
                        r ->
                            r.voice("+44", "UK")
                                .perMinute(onCorrectedDay)
                                .valid(new Validity(CORRECTED_FROM, CORRECTED_TO)))
                    .rate(
                        r ->
                            r.voice("+44", "UK")
                                .perMinute(price)
                                .valid(new Validity(CORRECTED_TO, Long.MAX_VALUE))))
        .assignDefault("p")
        .build();
  }
}
