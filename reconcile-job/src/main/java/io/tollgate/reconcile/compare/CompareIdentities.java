package io.tollgate.reconcile.compare;

import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.reconcile.message.PartitionFact;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.jspecify.annotations.Nullable;

/**
 * Compares the identities in a partition of the ledger with those of the hours that a wrong time
 * zone can reach. The bucket of an identity does not depend on its start, so the same identity at
 * another start lies in the same bucket of another hour, and all hours of a bucket are in one
 * subtask.
 *
 * <p>Keeps the identities of each partition, 8 bytes each, for as long as its neighbours are
 * expected to be read; later they are read from the ledger again, keys only. What two partitions
 * have in common is watched: both are read again, and their rows are looked up by key.
 *
 * <table>
 *   <caption>With what a partition is compared</caption>
 *   <tr><th>the neighbour</th><th>its identities come from</th></tr>
 *   <tr><td>was read, not long ago</td><td>state</td></tr>
 *   <tr><td>was read long ago</td><td>the ledger; then they are kept in state</td></tr>
 *   <tr><td>was never read</td><td>it compares itself with this one when it is</td></tr>
 *   <tr><td>is of an earlier time with another layout</td><td>the ledger, from all buckets that may
 *       hold the same accounts</td></tr>
 *   <tr><td>is of a later time with another layout</td><td>it compares itself with this one</td></tr>
 * </table>
 */
final class CompareIdentities {
  /** Identities that one step reads from the ledger. */
  private static final int AT_A_TIME = 20_000;

  private final Partitions partitions;
  private final LedgerView ledger;
  private final LedgerLayout layout;
  private final ValueState<byte[]> newest;
  private final ValueState<byte[]> late;
  private final ValueState<byte[]> watched;
  private final Queue<Long> toCompare = new ArrayDeque<>();
  private @Nullable Comparison running;

  /** The partitions of the operator, one of which is the current key. */
  interface Partitions {
    /** Makes a partition the current key. */
    void select(long key);

    /** Returns whether a partition is known and was read. */
    boolean wasRead(long key) throws Exception;

    /** Notes that these identities of the current partition were compared. */
    void compared(IdentityPrefixes identities) throws Exception;

    /** Has the current partition read again: some of its identities are watched. */
    void watch(long key) throws Exception;
  }

  /** A neighbour to compare with. */
  private record Place(long usageHour, int bucket, boolean isOfOtherLayout) {
    long key() {
      return PartitionFact.key(usageHour, bucket);
    }
  }

  /** A partition that is being compared. */
  private static final class Comparison {
    final long key;
    final IdentityPrefixes own;
    final Queue<Place> places = new ArrayDeque<>();
    IdentityPrefixes common = IdentityPrefixes.NONE;
    @Nullable Iterator<EventIdentity> reading;
    IdentityPrefixes.Builder read = new IdentityPrefixes.Builder();

    Comparison(long key, IdentityPrefixes own) {
      this.key = key;
      this.own = own;
    }
  }

  /**
   * Creates it, without anything to compare.
   *
   * @param kept how long the identities of a partition stay in state after it was read
   */
  CompareIdentities(
      RuntimeContext context, Partitions partitions, LedgerView ledger, Duration kept) {
    this.partitions = partitions;
    this.ledger = ledger;
    this.layout = ledger.layout();
    this.newest = state(context, "identities", kept);
    this.late = state(context, "late-identities", kept);
    this.watched = state(context, "watched-identities", null);
  }

  private static ValueState<byte[]> state(
      RuntimeContext context, String name, @Nullable Duration kept) {
    ValueStateDescriptor<byte[]> descriptor =
        new ValueStateDescriptor<>(name, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
    if (kept != null) {
      descriptor.enableTimeToLive(StateTtlConfig.newBuilder(kept).build());
    }
    return context.getState(descriptor);
  }

  /** Takes what a reading of the current partition found, if it was not compared yet. */
  void take(long key, IdentityPrefixes identities, PartitionStatus status) throws Exception {
    if (!status.isCompared(identities)) {
      newest.update(identities.encode());
      late.clear();
      toCompare.add(key);
    }
  }

  /** Adds an identity of the current partition that was compared by its key. */
  void takeLate(long prefix) throws Exception {
    late.update(load(late).or(IdentityPrefixes.of(prefix)).encode());
  }

  /** Returns which identities of the current partition are watched. */
  IdentityPrefixes watched() throws Exception {
    return load(watched);
  }

  /** Watches identities of a partition, which becomes the current key. */
  void watch(long key, IdentityPrefixes identities) throws Exception {
    partitions.select(key);
    watched.update(load(watched).or(identities).encode());
    partitions.watch(key);
  }

  /**
   * Watches identities of the current partition no longer.
   *
   * @return whether others are still watched
   */
  boolean unwatch(IdentityPrefixes identities) throws Exception {
    IdentityPrefixes before = load(watched);
    IdentityPrefixes left = before.without(identities);
    if (left.isEmpty()) {
      watched.clear();
    } else if (left.size() < before.size()) {
      watched.update(left.encode());
    }
    return !left.isEmpty();
  }

  /** Forgets the current partition. */
  void forget() {
    newest.clear();
    late.clear();
    watched.clear();
  }

  /**
   * Does a short piece of what is to be compared. Changes the current key.
   *
   * @return whether there is more
   */
  boolean step() throws Exception {
    Comparison comparison = running;
    if (comparison == null) {
      Long key = toCompare.poll();
      if (key == null) {
        return false;
      }
      partitions.select(key);
      comparison = new Comparison(key, load(newest));
      running = comparison;
      if (!comparison.own.isEmpty()) {
        findPlaces(comparison);
      }
      return true;
    }
    Place place = comparison.places.peek();
    if (place == null) {
      end(comparison);
      running = null;
      return true;
    }
    IdentityPrefixes identities = identities(comparison, place);
    if (identities != null) {
      comparison.places.remove();
      IdentityPrefixes common = comparison.own.and(identities);
      if (!common.isEmpty()) {
        comparison.common = comparison.common.or(common);
        if (!place.isOfOtherLayout) {
          watch(place.key(), common);
        }
      }
    }
    return true;
  }

  private void end(Comparison comparison) throws Exception {
    partitions.select(comparison.key);
    partitions.compared(comparison.own);
    if (!comparison.common.isEmpty()) {
      watch(comparison.key, comparison.common);
    }
  }

  private void findPlaces(Comparison comparison) throws Exception {
    long usageHour = PartitionFact.usageHour(comparison.key);
    int bucket = PartitionFact.bucket(comparison.key);
    Placement here = layout.at(usageHour);
    for (long hour = usageHour - LedgerView.ZONE_REACH_HOURS;
        hour <= usageHour + LedgerView.ZONE_REACH_HOURS;
        hour++) {
      Placement there = layout.at(hour);
      if (there.equals(here)) {
        if (hour != usageHour && partitions.wasRead(PartitionFact.key(hour, bucket))) {
          comparison.places.add(new Place(hour, bucket, false));
        }
      } else if (hour < usageHour) {
        addPlacesOfOtherLayout(comparison, hour, here, bucket);
      }
    }
  }

  private void addPlacesOfOtherLayout(
      Comparison comparison, long hour, Placement here, int bucket) {
    Placement there = layout.at(hour);
    int first = 0;
    int last = there.buckets() - 1;
    if (there.saltedAccounts().equals(here.saltedAccounts())) {
      first = there.bucketOfShard(firstShard(bucket, here));
      last = there.bucketOfShard(firstShard(bucket + 1, here) - 1);
    }
    for (int each = first; each <= last; each++) {
      comparison.places.add(new Place(hour, each, true));
    }
  }

  private static int firstShard(int bucket, Placement placement) {
    return -Math.floorDiv(-bucket * Placement.SHARDS, placement.buckets());
  }

  /** Returns the identities of a place, or null if there is more of them to be read. */
  private @Nullable IdentityPrefixes identities(Comparison comparison, Place place)
      throws Exception {
    Iterator<EventIdentity> reading = comparison.reading;
    if (reading == null) {
      if (!place.isOfOtherLayout) {
        partitions.select(place.key());
        if (newest.value() != null) {
          return load(newest).or(load(late));
        }
      }
      reading = ledger.identities(place.usageHour, place.bucket);
      comparison.reading = reading;
      comparison.read = new IdentityPrefixes.Builder();
    }
    int left = AT_A_TIME;
    while (left > 0 && reading.hasNext()) {
      comparison.read.add(reading.next().high());
      left--;
    }
    if (left == 0) {
      return null;
    }
    comparison.reading = null;
    IdentityPrefixes read = comparison.read.build();
    if (!place.isOfOtherLayout) {
      partitions.select(place.key());
      newest.update(read.encode());
      late.clear();
    }
    return read;
  }

  private static IdentityPrefixes load(ValueState<byte[]> state) throws Exception {
    byte[] bytes = state.value();
    return bytes == null ? IdentityPrefixes.NONE : IdentityPrefixes.decode(bytes);
  }
}
