package io.tollgate.rating;

import static io.tollgate.rating.TestCdrs.NOON;
import static io.tollgate.rating.TestCdrs.arrival;
import static io.tollgate.rating.TestCdrs.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.LedgerLayout.Era;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.rating.ingest.Arrival;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardKeyTest {
  private static final Placement PLACEMENT = new Placement(64, Set.of("wholesale"));
  private static final int HASH_OF_KEYS = -1_015_969_071;
  private static final ShardKey KEY = new ShardKey(LedgerLayout.always(PLACEMENT));

  @Test
  void givesEachShardTheKeyGroupOfItsNumber() {
    for (int shard = 0; shard < Placement.SHARDS; shard++) {
      assertThat(keyGroup(ShardKey.ofShard(shard))).isEqualTo(shard);
    }
  }

  @Test
  void neverChangesTheKeys() {
    // They lie in every savepoint. What changes this sum loses all that was ever remembered.
    int hash = 1;
    for (int shard = 0; shard < Placement.SHARDS; shard++) {
      hash = 31 * hash + ShardKey.ofShard(shard);
    }
    assertThat(hash).isEqualTo(HASH_OF_KEYS);
  }

  @Test
  void keysByTheShardOfTheAccount() {
    Cdr cdr = call("acme", "1", NOON, 1);
    assertThat(keyGroup(KEY.getKey(arrival(cdr, 0)))).isEqualTo(PLACEMENT.shard("acme", "1"));
    assertThat(KEY.getKey(arrival(call("acme", "2", NOON, 1), 1)))
        .isEqualTo(KEY.getKey(arrival(cdr, 0)));
  }

  @Test
  void spreadsASaltedAccountAndLetsRepeatsMeet() {
    Set<Integer> keys =
        IntStream.range(0, 5_000)
            .mapToObj(i -> KEY.getKey(arrival(call("wholesale", "e" + i, NOON, 1), i)))
            .collect(Collectors.toSet());
    assertThat(keys).hasSizeGreaterThan(1_500);
    assertThat(KEY.getKey(arrival(call("wholesale", "e1", NOON + 1, 5), 1)))
        .isEqualTo(KEY.getKey(arrival(call("wholesale", "e1", NOON, 1), 0)));
  }

  @Test
  void followsTheLayoutOfTheCdrsOwnHour() {
    long change = Placement.usageHour(NOON);
    ShardKey changed =
        new ShardKey(
            new LedgerLayout(
                List.of(new Era(0, new Placement(16, Set.of())), new Era(change, PLACEMENT))));
    Arrival before = arrival(call("wholesale", "e", NOON - 1, 1), 0);
    Arrival after = arrival(call("wholesale", "e", NOON, 1), 0);
    assertThat(keyGroup(changed.getKey(before)))
        .isEqualTo(new Placement(16, Set.of()).shard("wholesale", "e"));
    assertThat(keyGroup(changed.getKey(after))).isEqualTo(PLACEMENT.shard("wholesale", "e"));
  }

  @ParameterizedTest(name = "parallelism {0}")
  @ValueSource(ints = {1, 2, 3, 7, 16, 64})
  void letsFewWritersShareABucket(int parallelism) {
    int bucketsTouched = 0;
    for (int subtask = 0; subtask < parallelism; subtask++) {
      KeyGroupRange shards =
          KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
              ShardKey.MAX_PARALLELISM, parallelism, subtask);
      Set<Integer> buckets = new TreeSet<>();
      shards.forEach(shard -> buckets.add(PLACEMENT.bucketOfShard(shard)));
      bucketsTouched += buckets.size();
    }
    // Contiguous ranges share at most the bucket at each edge.
    assertThat(bucketsTouched).isLessThanOrEqualTo(PLACEMENT.buckets() + parallelism - 1);
  }

  @Test
  void spreadsRefusedRecordsByTheirPlace() {
    Set<Integer> keys =
        IntStream.range(70_000, 75_000)
            .mapToObj(offset -> KEY.getKey(refused(5, offset)))
            .collect(Collectors.toSet());
    assertThat(keys).as("a flood on one partition burdens all").hasSizeGreaterThan(1_900);
    assertThat(KEY.getKey(refused(3, 17))).isEqualTo(KEY.getKey(refused(3, 17)));
    assertThat(KEY.getKey(refused(Integer.MAX_VALUE, Long.MAX_VALUE))).isNotNull();
  }

  @Test
  void travelsToTheTaskManagers() throws Exception {
    ShardKey copy = InstantiationUtil.clone(KEY);
    Arrival arrival = arrival(call("wholesale", "e1", NOON, 1), 0);
    assertThat(copy.getKey(arrival)).isEqualTo(KEY.getKey(arrival));
  }

  private static Arrival refused(int partition, long offset) {
    Origin origin = new Origin("", "", -1, partition, offset, NOON);
    return new Arrival(origin, null, Reason.UNREADABLE, "", null, new byte[0], Map.of());
  }

  private static int keyGroup(Integer key) {
    return KeyGroupRangeAssignment.assignToKeyGroup(key, ShardKey.MAX_PARALLELISM);
  }
}
