package io.tollgate.domain.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.ledger.LedgerLayout.Era;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {
  private static final Placement PLACEMENT = new Placement(64, Set.of("wholesale"));

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16, 64, 1000, 2047, 2048})
  void makesBucketsContiguousAndOfEvenSize(int buckets) {
    Placement placement = new Placement(buckets, Set.of());
    TreeMap<Integer, Integer> shardsByBucket = new TreeMap<>();
    int before = 0;
    for (int shard = 0; shard < Placement.SHARDS; shard++) {
      int bucket = placement.bucketOfShard(shard);
      assertThat(bucket).isBetween(before, before + 1);
      before = bucket;
      shardsByBucket.merge(bucket, 1, Integer::sum);
    }
    assertThat(shardsByBucket.keySet()).hasSize(buckets);
    assertThat(shardsByBucket.lastKey()).isEqualTo(buckets - 1);
    int even = Placement.SHARDS / buckets;
    assertThat(shardsByBucket.values()).allMatch(shards -> shards == even || shards == even + 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 2049})
  void refusesOtherNumbersOfBuckets(int buckets) {
    assertThatThrownBy(() -> new Placement(buckets, Set.of()))
        .hasMessage("ledger.buckets: " + buckets + " (expected: 1 to 2048)");
  }

  @Test
  void keepsAnAccountInOneShardAndSpreadsASaltedOne() {
    Set<Integer> plain = new TreeSet<>();
    Set<Integer> salted = new TreeSet<>();
    for (int event = 0; event < 10_000; event++) {
      plain.add(PLACEMENT.shard("acme", "e" + event));
      salted.add(PLACEMENT.shard("wholesale", "e" + event));
    }
    assertThat(plain).hasSize(1);
    assertThat(salted).hasSizeGreaterThan(1_900);
    assertThat(PLACEMENT.shard("wholesale", "e1")).isEqualTo(PLACEMENT.shard("wholesale", "e1"));
  }

  @Test
  void spreadsAccountsEvenly() {
    int[] accounts = new int[64];
    for (int account = 0; account < 64_000; account++) {
      accounts[PLACEMENT.bucket("account-" + account, "e")]++;
    }
    assertThat(accounts)
        .satisfies(
            counts -> {
              for (int count : counts) {
                assertThat(count).isBetween(800, 1_200);
              }
            });
  }

  @ParameterizedTest(name = "{0}: shard {1}")
  @CsvSource({"acme, 1809", "globex, 741", "+493023125001, 1540"})
  void neverMovesAnAccount(String account, int shard) {
    // Shards lie in savepoints and decide where rows lie.
    assertThat(PLACEMENT.shard(account, "e")).isEqualTo(shard);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "3599999, 0", "3600000, 1", "-1, -1", "-3600000, -1", "-3600001, -2"})
  void countsWholeHoursSince1970(long millis, long hour) {
    assertThat(Placement.usageHour(millis)).isEqualTo(hour);
  }

  @Test
  void placesEachHourByTheEraItLiesIn() {
    Placement first = new Placement(16, Set.of());
    Placement second = new Placement(32, Set.of());
    LedgerLayout layout =
        new LedgerLayout(
            List.of(new Era(99, first), new Era(100, second), new Era(200, PLACEMENT)));
    assertThat(layout.at(-5)).isEqualTo(first);
    assertThat(layout.at(99)).isEqualTo(first);
    assertThat(layout.at(100)).isEqualTo(second);
    assertThat(layout.at(199)).isEqualTo(second);
    assertThat(layout.at(200)).isEqualTo(PLACEMENT);
    assertThat(LedgerLayout.always(first).at(Long.MAX_VALUE)).isEqualTo(first);
  }

  @Test
  void refusesErasThatAreMissingOrOutOfOrder() {
    assertThatThrownBy(() -> new LedgerLayout(List.of())).hasMessageContaining("at least one era");
    Era era = new Era(100, PLACEMENT);
    assertThatThrownBy(() -> new LedgerLayout(List.of(era, era, era)))
        .hasMessageContaining("era 2 starts at hour 100 (expected: after hour 100)");
  }
}
