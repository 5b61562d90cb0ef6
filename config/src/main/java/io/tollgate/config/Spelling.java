package io.tollgate.config;

import java.util.Collection;
import java.util.Comparator;

/** Guesses which known word a misspelt one was meant to be. */
final class Spelling {
  private Spelling() {}

  /** Returns {@code (did you mean 'x'?)} or, if no known word is near, the list of them. */
  static String hint(String word, Collection<String> known) {
    return known.stream()
        .filter(candidate -> distance(word, candidate) <= Math.max(2, candidate.length() / 3))
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
        .map(nearest -> " (did you mean '" + nearest + "'?)")
        .orElseGet(() -> " (expected: " + String.join(", ", known) + ")");
  }

  /** Edits (insert, delete, replace one character) between two words, letter case ignored. */
  private static int distance(String left, String right) {
    int[] costs = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      costs[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = costs[0];
      costs[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int replace = diagonal + (same(left.charAt(i - 1), right.charAt(j - 1)) ? 0 : 1);
        diagonal = costs[j];
        costs[j] = Math.min(replace, Math.min(costs[j], costs[j - 1]) + 1);
      }
    }
    return costs[right.length()];
  }

  private static boolean same(char left, char right) {
    return Character.toLowerCase(left) == Character.toLowerCase(right);
  }
}
