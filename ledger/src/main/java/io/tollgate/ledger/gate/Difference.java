package io.tollgate.ledger.gate;

/**
 * One thing that cannot be explained. Each needs a resolution of its own before its halt ends.
 *
 * @param id unique within its halt, 1 to 200 characters
 * @param kind which comparison found it, 1 to 64 capital letters, digits and underscores
 * @param description for people, at most {@value #DESCRIPTION_CHARS_MAX} characters: what was
 *     expected, what was found, and where to look
 * @param items what is concerned, in a form that the finder can read again, at most {@value
 *     #ITEMS_CHARS_MAX} characters; empty if the description says it all
 */
public record Difference(String id, String kind, String description, String items) {
  /** Longest list of items. */
  public static final int ITEMS_CHARS_MAX = 40_000;

  /** Longest description. */
  public static final int DESCRIPTION_CHARS_MAX = 2_000;

  private static final int ID_CHARS_MAX = 200;

  /** Creates a difference whose description says it all. */
  public Difference(String id, String kind, String description) {
    this(id, kind, description, "");
  }

  public Difference {
    if (items.length() > ITEMS_CHARS_MAX) {
      throw new IllegalArgumentException(
          "items of difference "
              + id
              + ": "
              + items.length()
              + " characters (expected: at most "
              + ITEMS_CHARS_MAX
              + ")");
    }
    if (id.isBlank() || id.length() > ID_CHARS_MAX) {
      throw new IllegalArgumentException(
          "difference id: '" + id + "' (expected: 1 to " + ID_CHARS_MAX + " characters)");
    }
    if (!kind.matches("[A-Z0-9_]{1,64}")) {
      throw new IllegalArgumentException(
          "difference kind: '"
              + kind
              + "' (expected: 1 to 64 capital letters, digits and underscores)");
    }
    if (description.length() > DESCRIPTION_CHARS_MAX) {
      throw new IllegalArgumentException(
          "description of difference "
              + id
              + ": "
              + description.length()
              + " characters (expected: at most "
              + DESCRIPTION_CHARS_MAX
              + ")");
    }
  }
}
