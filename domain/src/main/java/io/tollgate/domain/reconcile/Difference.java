package io.tollgate.domain.reconcile;

/**
 * One way in which two sides disagree, at one place.
 *
 * <p>The scope says where: kind, source, batch and, for rows, usage hour and bucket. The items say
 * what: batch-seqs as ranges such as {@code 3-5,17}, or an account and event. The same disagreement
 * has the same scope and items whenever and by whomever it is found.
 *
 * @param kind in which way
 * @param source declared id of the source; empty if none is known
 * @param batch id of the batch; empty if none is known
 * @param usageHour hours since 1970 in UTC; -1 if it is not about an hour
 * @param bucket bucket of the hour; -1 if it is not about one
 * @param items what is concerned
 * @param count how many records are concerned
 * @param expected what one side says, for people
 * @param found what the other side says, for people
 */
public record Difference(
    DifferenceKind kind,
    String source,
    String batch,
    long usageHour,
    int bucket,
    String items,
    long count,
    String expected,
    String found) {
  private static final int PLACE_PARTS = 6;

  /** Returns where the difference is: the same for every difference of this kind at this place. */
  public String scope() {
    return kind + "\n" + source + "\n" + batch + "\n" + usageHour + "\n" + bucket;
  }

  /** Returns an id that is the same whenever this disagreement is found. */
  public String id() {
    return DifferenceId.of(scope(), items);
  }

  /** Returns how the ids of all differences of the same scope begin. */
  public String idPrefix() {
    return DifferenceId.prefix(scope());
  }

  /** Returns everything that tells this difference from others, in a form to be read again. */
  public String place() {
    return kind + "\n" + source + "\n" + batch + "\n" + usageHour + "\n" + bucket + "\n" + items;
  }

  /**
   * Reads a {@link #place()}. What was expected and found is not part of it, and nothing is known
   * of the number of records.
   *
   * @throws IllegalArgumentException if the text is no place
   */
  public static Difference ofPlace(String place) {
    String[] parts = place.split("\n", PLACE_PARTS);
    if (parts.length != PLACE_PARTS) {
      throw new IllegalArgumentException(
          "place of a difference: " + parts.length + " lines (expected: " + PLACE_PARTS + ")");
    }
    return new Difference(
        DifferenceKind.valueOf(parts[0]),
        parts[1],
        parts[2],
        Long.parseLong(parts[3]),
        Integer.parseInt(parts[4]),
        parts[5],
        0,
        "",
        "");
  }

  /** Returns a sentence for people. */
  public String text() {
    return kind
        + (source.isEmpty() ? "" : ", source " + source)
        + (batch.isEmpty() ? "" : ", batch " + batch)
        + (usageHour < 0 ? "" : ", usage hour " + UsageHours.text(usageHour))
        + (items.isEmpty() ? "" : ", " + items)
        + ": expected "
        + expected
        + ", found "
        + found;
  }
}
