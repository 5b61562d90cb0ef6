package io.tollgate.domain.ledger;

import java.io.Serializable;
import java.util.Set;

/**
 * Where a charge lies: which shard of the job handles its account, and which bucket of an hour
 * holds its row.
 *
 * <p>Accounts are spread over {@link #SHARDS} shards by a hash that never changes. The rating job
 * gives each shard its own key group, and a bucket is a contiguous range of shards, so one writer
 * touches few partitions of the ledger. The events of a salted account (one of wholesale size) are
 * spread over all shards by their event id; repeats of one event still meet.
 *
 * @param buckets partitions per usage hour, 1 to {@link #SHARDS}; recorded in the ledger, changed
 *     only for hours not yet begun
 * @param saltedAccounts accounts whose events are spread by event id
 */
public record Placement(int buckets, Set<String> saltedAccounts) implements Serializable {
  /** Number of shards. Part of the ledger's layout and of every savepoint: never changes. */
  public static final int SHARDS = 2048;

  private static final long MILLIS_PER_HOUR = 3_600_000;

  public Placement {
    if (buckets < 1 || buckets > SHARDS) {
      throw new IllegalArgumentException(
          "ledger.buckets: " + buckets + " (expected: 1 to " + SHARDS + ")");
    }
    saltedAccounts = Set.copyOf(saltedAccounts);
  }

  /** Returns the shard of an event, 0 to {@link #SHARDS} - 1. */
  public int shard(String accountId, String eventId) {
    int hash = accountId.hashCode();
    if (!saltedAccounts.isEmpty() && saltedAccounts.contains(accountId)) {
      hash = hash * 31 + eventId.hashCode();
    }
    return spread(hash) & (SHARDS - 1);
  }

  /** Returns the bucket of an event, 0 to {@code buckets} - 1. */
  public int bucket(String accountId, String eventId) {
    return bucketOfShard(shard(accountId, eventId));
  }

  /** Returns the bucket that holds a shard. */
  public int bucketOfShard(int shard) {
    return (int) ((long) shard * buckets / SHARDS);
  }

  /** Returns the usage hour of an instant: whole hours since 1970 in UTC. */
  public static long usageHour(long startMillis) {
    return Math.floorDiv(startMillis, MILLIS_PER_HOUR);
  }

  /** The finalizer of MurmurHash3: hash codes of similar strings end up far apart. */
  private static int spread(int hash) {
    int h = hash;
    h ^= h >>> 16;
    h *= 0x85ebca6b;
    h ^= h >>> 13;
    h *= 0xc2b2ae35;
    h ^= h >>> 16;
    return h;
  }
}
