package io.tollgate.settlement;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Text of others, such as ids from headers, as the database can keep it. */
final class Texts {
  /** An index entry holds 2,704 bytes, and a key has two such parts of 4 bytes a character. */
  static final int LONGEST_KEY = 256;

  static final int LONGEST_TEXT = 20_000;
  private static final char UNREADABLE = '\uFFFD';
  private static final int HASH_BYTES = 16;

  private Texts() {}

  /** Returns a text for people: readable, and of bounded length. */
  static String shown(String text) {
    String clean = clean(text);
    return clean.length() <= LONGEST_TEXT ? clean : cut(clean, LONGEST_TEXT) + "...";
  }

  /** Returns an id, the same for the same id; longer ones are cut and keep a hash of the whole. */
  static String key(String id) {
    String clean = clean(id);
    return clean.length() <= LONGEST_KEY
        ? clean
        : cut(clean, LONGEST_KEY - 2 * HASH_BYTES - 1) + "~" + hash(id);
  }

  /** PostgreSQL keeps no NUL, and UTF-8 has no half of a surrogate pair. */
  private static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point -> {
              boolean isReadable =
                  point != 0
                      && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
              clean.appendCodePoint(isReadable ? point : UNREADABLE);
            });
    return clean.toString();
  }

  private static String cut(String text, int length) {
    int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
    return text.substring(0, end);
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_16BE));
      return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
