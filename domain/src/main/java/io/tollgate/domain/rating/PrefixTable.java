package io.tollgate.domain.rating;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the longest of many prefixes that a number begins with. Prefixes of digits, {@code +},
 * {@code *} and {@code #} lie in a trie of flat arrays; others, such as access point names, in a
 * hash table asked from the longest length down. Immutable once built.
 *
 * <p>A large table is a matter of memory reads. So a node keeps its entry beside its children, and
 * where only one prefix is left there are no more nodes but the rest of that prefix, packed into
 * one number: 200,000 prefixes take about 4 MB instead of 45, and half the reads.
 *
 * @param <V> what is found
 */
public final class PrefixTable<V> {
  private static final int SYMBOLS = 13;
  private static final int NONE = -1;

  /** Place of a node's own entry, after its children. */
  private static final int ENTRY = SYMBOLS;

  private static final int NODE_INTS = 16;
  private static final int BITS_PER_SYMBOL = 4;
  private static final int MAX_TAIL_SYMBOLS = Long.SIZE / BITS_PER_SYMBOL;

  /**
   * 16 numbers for each node: a child that is a node as twice its number, plus one if it has an
   * entry, so that the way down reads one number of each node; a child that is a leaf as {@code -1
   * - entry}, none as 0; then the node's own entry plus one.
   */
  private final int[] nodes;

  /** Of an entry that is a leaf: the symbols after its node, each plus one, the next one lowest. */
  private final long[] tails;

  private final Map<String, Integer> otherPrefixes;
  private final int longestOther;
  private final V[] entries;

  private PrefixTable(Trie trie, Map<String, Integer> otherPrefixes, V[] entries) {
    this.nodes = trie.nodes();
    this.tails = trie.tails();
    this.otherPrefixes = otherPrefixes;
    this.longestOther = otherPrefixes.keySet().stream().mapToInt(String::length).max().orElse(0);
    this.entries = entries;
  }

  /**
   * Returns a table of the entries of {@code byPrefix}.
   *
   * @param byPrefix entries by their prefix; the empty prefix matches everything
   * @param newArray makes the array of entries, for example {@code Destination[]::new}
   */
  public static <V> PrefixTable<V> of(Map<String, V> byPrefix, IntFunction<V[]> newArray) {
    V[] entries = newArray.apply(byPrefix.size());
    List<String> dialable = new ArrayList<>();
    Map<String, Integer> others = new HashMap<>();
    for (String prefix : byPrefix.keySet()) {
      if (isDialable(prefix)) {
        dialable.add(prefix);
      }
    }
    Collections.sort(dialable);
    int index = 0;
    for (String prefix : dialable) {
      entries[index++] = byPrefix.get(prefix);
    }
    for (Map.Entry<String, V> entry : byPrefix.entrySet()) {
      if (!isDialable(entry.getKey())) {
        others.put(entry.getKey(), index);
        entries[index++] = entry.getValue();
      }
    }
    return new PrefixTable<>(new Trie(dialable), Map.copyOf(others), entries);
  }

  /** Returns the entry of the longest prefix of {@code number}, or null if there is none. */
  public @Nullable V longest(String number) {
    return longest(number, number.length());
  }

  /** Returns the entry of the longest prefix of {@code number} that is shorter than it, or null. */
  public @Nullable V longestProper(String number) {
    return number.isEmpty() ? null : longest(number, number.length() - 1);
  }

  /** Returns all entries, in no order. */
  public List<V> entries() {
    return List.of(entries);
  }

  private @Nullable V longest(String number, int maxLength) {
    int node = 0;
    int nodeWithEntry = 0;
    int leafFound = NONE;
    int foundLength = 0;
    for (int i = 0; i < maxLength; i++) {
      int symbol = symbol(number.charAt(i));
      if (symbol == NONE) {
        break;
      }
      int child = nodes[node * NODE_INTS + symbol];
      if (child < 0) {
        int leaf = -1 - child;
        int length = lengthWithTail(number, i + 1, maxLength, tails[leaf]);
        if (length != NONE) {
          leafFound = leaf;
          foundLength = length;
        }
        break;
      }
      if (child == 0) {
        break;
      }
      node = child >>> 1;
      if ((child & 1) != 0) {
        nodeWithEntry = node;
        foundLength = i + 1;
      }
    }
    for (int length = Math.min(longestOther, maxLength); length > foundLength; length--) {
      Integer other = otherPrefixes.get(number.substring(0, length));
      if (other != null) {
        return entries[other];
      }
    }
    int found = leafFound == NONE ? nodes[nodeWithEntry * NODE_INTS + ENTRY] - 1 : leafFound;
    return found == NONE ? null : entries[found];
  }

  /**
   * Returns where {@code tail}, expected at {@code from}, ends in the number; NONE if it differs.
   */
  private static int lengthWithTail(String number, int from, int maxLength, long tail) {
    int i = from;
    for (long left = tail; left != 0; left >>>= BITS_PER_SYMBOL) {
      if (i == maxLength || symbol(number.charAt(i)) + 1 != (left & 0xf)) {
        return NONE;
      }
      i++;
    }
    return i;
  }

  private static boolean isDialable(String prefix) {
    return prefix.chars().allMatch(c -> symbol((char) c) != NONE);
  }

  private static int symbol(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    return switch (c) {
      case '+' -> 10;
      case '*' -> 11;
      case '#' -> 12;
      default -> NONE;
    };
  }

  /** Lays out the trie. */
  private static final class Trie {
    private final List<String> prefixes;
    private final long[] tails;
    private int[] nodes = new int[NODE_INTS];
    private int nodeCount = 1;

    /**
     * @param prefixes sorted; an entry's number is its place here
     */
    Trie(List<String> prefixes) {
      this.prefixes = prefixes;
      this.tails = new long[prefixes.size()];
      layOut(0, 0, prefixes.size(), 0);
    }

    /** Fills a node whose prefixes, equal in the first symbols, are those in a range. */
    private void layOut(int node, int from, int to, int depth) {
      int next = from;
      if (next < to && prefixes.get(next).length() == depth) {
        nodes[node * NODE_INTS + ENTRY] = next + 1;
        next++;
      }
      while (next < to) {
        char symbol = prefixes.get(next).charAt(depth);
        int end = next + 1;
        while (end < to && prefixes.get(end).charAt(depth) == symbol) {
          end++;
        }
        String first = prefixes.get(next);
        if (end - next == 1 && first.length() - depth - 1 <= MAX_TAIL_SYMBOLS) {
          tails[next] = packed(first, depth + 1);
          nodes[node * NODE_INTS + symbol(symbol)] = -1 - next;
        } else {
          int child = newNode();
          int hasEntry = first.length() == depth + 1 ? 1 : 0;
          nodes[node * NODE_INTS + symbol(symbol)] = child << 1 | hasEntry;
          layOut(child, next, end, depth + 1);
        }
        next = end;
      }
    }

    private int newNode() {
      int needed = (nodeCount + 1) * NODE_INTS;
      if (needed > nodes.length) {
        nodes = Arrays.copyOf(nodes, Math.max(needed, nodes.length * 2));
      }
      return nodeCount++;
    }

    private static long packed(String prefix, int from) {
      long packed = 0;
      for (int i = prefix.length() - 1; i >= from; i--) {
        packed = packed << BITS_PER_SYMBOL | (symbol(prefix.charAt(i)) + 1);
      }
      return packed;
    }

    int[] nodes() {
      return Arrays.copyOf(nodes, nodeCount * NODE_INTS);
    }

    long[] tails() {
      return tails;
    }
  }
}
