package io.tollgate.rating;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.rating.ingest.Arrival;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Keys arrivals by account: the account's shard, as the Flink key that lies alone in the key group
 * of that number. So a key group is a shard, a bucket of the ledger is a contiguous range of key
 * groups, and a writer touches few partitions. Refused records are spread by their place in the
 * topic.
 */
public final class ShardKey implements KeySelector<Arrival, Integer> {
  /** Flink's maximum parallelism: one key group per shard. Never changes. */
  public static final int MAX_PARALLELISM = Placement.SHARDS;

  private static final int[] KEY_OF_SHARD = keyOfShard();

  /** 2^64 divided by the golden ratio. */
  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

  private static final int UNUSED_BITS = Long.SIZE - Integer.numberOfTrailingZeros(MAX_PARALLELISM);

  private final LedgerLayout layout;

  /** Creates the selector. */
  public ShardKey(LedgerLayout layout) {
    this.layout = layout;
  }

  @Override
  public Integer getKey(Arrival arrival) {
    Cdr cdr = arrival.cdr();
    if (cdr == null) {
      // Fibonacci hashing: the upper bits of the product spread neighbouring places evenly.
      long place = arrival.origin().offset() * 31 + arrival.origin().partition();
      return KEY_OF_SHARD[(int) ((place * GOLDEN_RATIO) >>> UNUSED_BITS)];
    }
    Placement placement = layout.at(Placement.usageHour(cdr.startMillis()));
    return KEY_OF_SHARD[placement.shard(cdr.accountId(), cdr.eventId())];
  }

  /** Returns the Flink key of a shard. */
  public static int ofShard(int shard) {
    return KEY_OF_SHARD[shard];
  }

  /** Finds, for each key group, the smallest number that Flink assigns to it. */
  private static int[] keyOfShard() {
    int[] keys = new int[MAX_PARALLELISM];
    boolean[] found = new boolean[MAX_PARALLELISM];
    int missing = MAX_PARALLELISM;
    for (int key = 0; missing > 0; key++) {
      int group = KeyGroupRangeAssignment.assignToKeyGroup(key, MAX_PARALLELISM);
      if (!found[group]) {
        found[group] = true;
        keys[group] = key;
        missing--;
      }
    }
    return keys;
  }
}
