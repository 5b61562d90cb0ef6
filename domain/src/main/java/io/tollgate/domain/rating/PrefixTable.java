package io.tollgate.domain.rating;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the longest of many prefixes that a number begins with. Prefixes of digits, {@code +},
 * {@code *} and {@code #} lie in a trie of flat arrays (one step per character, the first steps in
 * the processor's cache); others, such as access point names, in a hash table asked from the
 * longest length down. Immutable once built.
 *
 * @param <V> what is found
 */
public final class PrefixTable<V> {
  private static final int SYMBOLS = 13;
  private static final int NONE = -1;

  /** Entries are stored as their index plus one, so that 0 means no child and no entry. */
  private final int[] children;

  private final int[] entryOfNode;
  private final Map<String, Integer> otherPrefixes;
  private final int longestOther;
  private final V[] entries;

  private PrefixTable(
      int[] children, int[] entryOfNode, Map<String, Integer> otherPrefixes, V[] entries) {
    this.children = children;
    this.entryOfNode = entryOfNode;
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
    Trie trie = new Trie();
    Map<String, Integer> others = new HashMap<>();
    int index = 0;
    for (Map.Entry<String, V> entry : byPrefix.entrySet()) {
      entries[index] = entry.getValue();
      if (isDialable(entry.getKey())) {
        trie.put(entry.getKey(), index);
      } else {
        others.put(entry.getKey(), index);
      }
      index++;
    }
    return new PrefixTable<>(trie.children(), trie.entryOfNode(), Map.copyOf(others), entries);
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
    int found = entryOfNode[0] - 1;
    int foundLength = 0;
    for (int i = 0; i < maxLength; i++) {
      int symbol = symbol(number.charAt(i));
      if (symbol == NONE) {
        break;
      }
      node = children[node * SYMBOLS + symbol];
      if (node == 0) {
        break;
      }
      if (entryOfNode[node] != 0) {
        found = entryOfNode[node] - 1;
        foundLength = i + 1;
      }
    }
    for (int length = Math.min(longestOther, maxLength); length > foundLength; length--) {
      Integer other = otherPrefixes.get(number.substring(0, length));
      if (other != null) {
        return entries[other];
      }
    }
    return found == NONE ? null : entries[found];
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

  /** The trie while it grows. */
  private static final class Trie {
    private final List<int[]> nodes = new ArrayList<>(List.of(new int[SYMBOLS]));
    private int[] entries = new int[16];

    void put(String prefix, int index) {
      int node = 0;
      for (int i = 0; i < prefix.length(); i++) {
        int symbol = symbol(prefix.charAt(i));
        int next = nodes.get(node)[symbol];
        if (next == 0) {
          next = nodes.size();
          nodes.add(new int[SYMBOLS]);
          nodes.get(node)[symbol] = next;
        }
        node = next;
      }
      if (entries.length < nodes.size()) {
        entries = Arrays.copyOf(entries, Math.max(nodes.size(), entries.length * 2));
      }
      entries[node] = index + 1;
    }

    int[] children() {
      int[] flat = new int[nodes.size() * SYMBOLS];
      for (int node = 0; node < nodes.size(); node++) {
        System.arraycopy(nodes.get(node), 0, flat, node * SYMBOLS, SYMBOLS);
      }
      return flat;
    }

    int[] entryOfNode() {
      return Arrays.copyOf(entries, nodes.size());
    }
  }
}
