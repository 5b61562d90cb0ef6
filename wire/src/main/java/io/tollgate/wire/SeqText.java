package io.tollgate.wire;

import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/** Sets of batch-seqs as people write them: {@code 3-5,17}. */
public final class SeqText {
  private SeqText() {}

  /** Returns a set as ranges. */
  public static String of(RoaringBitmap seqs) {
    List<String> parts = parts(seqs, Integer.MAX_VALUE);
    return parts.isEmpty() ? "" : parts.get(0);
  }

  /** Returns a set as texts of at most {@code maxRanges} ranges each. */
  public static List<String> parts(RoaringBitmap seqs, int maxRanges) {
    List<String> parts = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    int ranges = 0;
    // From range to range, not from number to number: a set may hold two billion.
    for (long first = seqs.nextValue(0); first >= 0; ) {
      long next = seqs.nextAbsentValue((int) first);
      if (ranges == maxRanges) {
        parts.add(text.toString());
        text.setLength(0);
        ranges = 0;
      }
      if (text.length() > 0) {
        text.append(',');
      }
      text.append(first);
      if (next - 1 > first) {
        text.append('-').append(next - 1);
      }
      ranges++;
      first = next > Integer.MAX_VALUE ? -1 : seqs.nextValue((int) next);
    }
    if (text.length() > 0) {
      parts.add(text.toString());
    }
    return parts;
  }

  /**
   * Reads a set.
   *
   * @throws IllegalArgumentException if the text is not one
   */
  public static RoaringBitmap parse(String text) {
    RoaringBitmap seqs = new RoaringBitmap();
    if (text.isEmpty()) {
      return seqs;
    }
    for (String range : text.split(",", -1)) {
      int dash = range.indexOf('-');
      try {
        long first = Long.parseLong(dash < 0 ? range : range.substring(0, dash));
        long last = dash < 0 ? first : Long.parseLong(range.substring(dash + 1));
        if (first < 0 || last < first || last > Integer.MAX_VALUE) {
          throw new NumberFormatException("out of range");
        }
        seqs.add(first, last + 1);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "batch-seqs: " + range + " (expected: numbers and ranges such as 3-5,17)", e);
      }
    }
    return seqs;
  }
}
