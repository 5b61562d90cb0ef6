package io.tollgate.domain.reconcile;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Short names of differences, made from what they are about. */
final class DifferenceId {
  /** 64 bits for the place and 64 for what is concerned there. */
  private static final int BYTES = 8;

  private DifferenceId() {}

  static String of(String scope, String items) {
    return hash(scope) + "-" + hash(items);
  }

  static String prefix(String scope) {
    return hash(scope) + "-";
  }

  private static String hash(String text) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, BYTES);
  }
}
