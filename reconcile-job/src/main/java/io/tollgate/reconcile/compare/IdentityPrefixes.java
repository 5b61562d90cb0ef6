package io.tollgate.reconcile.compare;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Identities of the charges in a partition of the ledger, each by its first 8 bytes, in order and
 * without repeats. Two sets of them have an identity in common, or two identities that begin alike,
 * which among 100 million has a chance of 3 in 10,000: so what they have in common is looked at.
 */
final class IdentityPrefixes {
  static final IdentityPrefixes NONE = new IdentityPrefixes(new long[0]);

  private final long[] sorted;

  private IdentityPrefixes(long[] sorted) {
    this.sorted = sorted;
  }

  /** Gathers prefixes, 8 bytes each. */
  static final class Builder {
    private long[] prefixes = new long[64];
    private int count;

    void add(long prefix) {
      if (count == prefixes.length) {
        prefixes = Arrays.copyOf(prefixes, count * 2);
      }
      prefixes[count++] = prefix;
    }

    IdentityPrefixes build() {
      return IdentityPrefixes.of(Arrays.copyOf(prefixes, count));
    }
  }

  /** Takes the array over. */
  static IdentityPrefixes of(long... prefixes) {
    Arrays.sort(prefixes);
    int distinct = 0;
    for (int i = 0; i < prefixes.length; i++) {
      if (i == 0 || prefixes[i] != prefixes[i - 1]) {
        prefixes[distinct++] = prefixes[i];
      }
    }
    return new IdentityPrefixes(Arrays.copyOf(prefixes, distinct));
  }

  boolean isEmpty() {
    return sorted.length == 0;
  }

  int size() {
    return sorted.length;
  }

  boolean contains(long prefix) {
    return Arrays.binarySearch(sorted, prefix) >= 0;
  }

  long[] toArray() {
    return sorted.clone();
  }

  IdentityPrefixes and(IdentityPrefixes other) {
    long[] common = new long[Math.min(sorted.length, other.sorted.length)];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < sorted.length && j < other.sorted.length) {
      if (sorted[i] == other.sorted[j]) {
        common[count++] = sorted[i];
        i++;
        j++;
      } else if (sorted[i] < other.sorted[j]) {
        i++;
      } else {
        j++;
      }
    }
    return count == 0 ? NONE : new IdentityPrefixes(Arrays.copyOf(common, count));
  }

  IdentityPrefixes or(IdentityPrefixes other) {
    if (other.isEmpty()) {
      return this;
    }
    long[] both = Arrays.copyOf(sorted, sorted.length + other.sorted.length);
    System.arraycopy(other.sorted, 0, both, sorted.length, other.sorted.length);
    return of(both);
  }

  IdentityPrefixes without(IdentityPrefixes other) {
    return other.isEmpty()
        ? this
        : new IdentityPrefixes(
            Arrays.stream(sorted).filter(prefix -> !other.contains(prefix)).toArray());
  }

  /** Returns the sum, by which one set is told from another together with its size. */
  long sum() {
    long sum = 0;
    for (long prefix : sorted) {
      sum += prefix;
    }
    return sum;
  }

  byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(sorted.length, Long.BYTES));
    bytes.asLongBuffer().put(sorted);
    return bytes.array();
  }

  static IdentityPrefixes decode(byte[] bytes) {
    long[] sorted = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).asLongBuffer().get(sorted);
    return new IdentityPrefixes(sorted);
  }
}
